import { z } from 'zod'
import { LiveEvent } from '#contract/live.ts'
import type { OnEvent } from './connection.ts'

/** What tabs of one browser tell each other. */
const Told = z.discriminatedUnion('say', [
  z.object({ say: z.literal('event'), event: LiveEvent, position: z.string().optional() }),
  z.object({ say: z.literal('connected'), connected: z.boolean() }),
  z.object({ say: z.literal('how is it') }),
])
type Told = z.infer<typeof Told>

interface Listener<Heard> {
  onEvent: Heard
  onConnected: (connected: boolean) => void
}

export interface SharedStreamOptions extends Listener<(event: LiveEvent) => void> {
  /** How far the page has been told by what it read first. */
  firstPosition: () => string | undefined
  /** Holds the stream for all tabs, from a position on: until the signal aborts, or the session is over. */
  openStream: (listener: Listener<OnEvent>, position: string | undefined, signal: AbortSignal) => Promise<void>
}

const CHANNEL = 'heirloom-live'

/** How often a tab in sight asks the leading one whether it is awake, and how long that may take to say so. */
const PING_INTERVAL = 30_000
const PING_TIMEOUT = 5_000

/** Of this page, the session that was begun last; and what lets the other tabs lead after the one before. */
let newestTab: Tab | undefined
let releaseLeadership = () => {}

/**
 * One tab holds the stream, and tells the others what it hears. The browser's locks say which one: when it is closed
 * or crashes, the next takes over by itself, and continues where the last one was told until. Browsers give no locks to
 * pages without https; there every tab in sight has a stream of its own.
 *
 * To be called before the page asks for what the stream speaks of: a change that another tab told of earlier is in the
 * answers then.
 */
export function shareStreamAcrossTabs(sharing: SharedStreamOptions, signal: AbortSignal): void {
  if (navigator.locks === undefined) streamWhileVisible(sharing, signal)
  else new Tab(sharing, signal).join()
}

class Tab {
  readonly #sharing: SharedStreamOptions
  readonly #left: AbortSignal
  readonly #channel = new BroadcastChannel(CHANNEL)
  /** Aborted when this tab's turn to lead is over; undefined while another one leads. */
  #turn: AbortController | undefined
  #connected = false
  #heardAt = 0
  /** How far this tab has been told, by the stream or by the tab that holds it. */
  #position: string | undefined

  constructor(sharing: SharedStreamOptions, left: AbortSignal) {
    this.#sharing = sharing
    this.#left = left
  }

  join(): void {
    newestTab = this
    releaseLeadership()
    this.#channel.addEventListener('message', ({ data }) => this.#hear(Told.safeParse(data).data))
    const watch = setInterval(() => void this.#lookAfterLeader(), PING_INTERVAL)
    document.addEventListener('visibilitychange', () => void this.#lookAfterLeader(), { signal: this.#left })
    onPageResumed(() => this.#sharing.onEvent({ kind: 'resync' }), this.#left)
    this.#left.addEventListener('abort', () => {
      clearInterval(watch)
      this.#turn?.abort()
      this.#channel.close()
    })
    void this.#waitForTurn()
    void this.#lookAfterLeader()
  }

  async #waitForTurn(): Promise<void> {
    let stolen = true
    while (stolen && !this.#left.aborted) stolen = (await this.#leadWith({ signal: this.#left })) === 'stolen'
  }

  /** A phone puts tabs out of sight to sleep, also the leading one. A tab that is looked at takes its place then. */
  async #lookAfterLeader(): Promise<void> {
    if (this.#turn !== undefined || document.visibilityState !== 'visible') return
    const askedAt = Date.now()
    this.#tell({ say: 'how is it' })
    await new Promise(resolve => setTimeout(resolve, PING_TIMEOUT))
    if (this.#turn === undefined && this.#heardAt < askedAt && !this.#left.aborted)
      await this.#leadWith({ steal: true })
  }

  async #leadWith(how: LockOptions): Promise<'over' | 'stolen'> {
    const turn = new AbortController()
    try {
      await navigator.locks.request(CHANNEL, how, () => this.#lead(turn))
      return 'over'
    } catch (error) {
      if (!(error instanceof DOMException) || error.name !== 'AbortError') throw error
      return 'stolen'
    } finally {
      turn.abort()
      if (this.#turn === turn) this.#turn = undefined
    }
  }

  async #lead(turn: AbortController): Promise<void> {
    if (this.#left.aborted) return
    this.#turn = turn
    const { openStream, firstPosition, onEvent, onConnected } = this.#sharing
    const listener: Listener<OnEvent> = {
      onEvent: (event, position) => {
        this.#position = position
        this.#tell({ say: 'event', event, position })
        onEvent(event)
      },
      onConnected: connected => {
        this.#connected = connected
        this.#tell({ say: 'connected', connected })
        onConnected(connected)
      },
    }
    await openStream(listener, this.#position ?? firstPosition(), turn.signal)
    // The session is over. A tab that has not heard of it would open a stream for it, so none gets its turn until the next.
    if (newestTab !== this) return
    await new Promise<void>(resolve => {
      releaseLeadership = resolve
    })
  }

  #hear(told: Told | undefined): void {
    if (told === undefined) return
    if (told.say === 'how is it') {
      if (this.#turn !== undefined) this.#tell({ say: 'connected', connected: this.#connected })
      return
    }
    this.#heardAt = Date.now()
    if (told.say === 'connected') {
      this.#sharing.onConnected(told.connected)
    } else {
      this.#position = told.position ?? this.#position
      this.#sharing.onEvent(told.event)
    }
  }

  #tell(told: Told): void {
    if (!this.#left.aborted) this.#channel.postMessage(told)
  }
}

function streamWhileVisible(
  { openStream, firstPosition, onEvent, onConnected }: SharedStreamOptions,
  signal: AbortSignal,
): void {
  let turn = new AbortController()
  let toldUntil: string | undefined
  const listener: Listener<OnEvent> = {
    onEvent: (event, position) => {
      toldUntil = position
      onEvent(event)
    },
    onConnected,
  }
  const look = () => {
    turn.abort()
    turn = new AbortController()
    if (document.visibilityState !== 'visible') return
    void openStream(listener, toldUntil ?? firstPosition(), AbortSignal.any([turn.signal, signal]))
  }
  document.addEventListener('visibilitychange', look, { signal })
  look()
}

/** The browser puts pages to sleep, or keeps one that was left to show it again: what other tabs said meanwhile is lost. */
function onPageResumed(act: () => void, signal: AbortSignal): void {
  document.addEventListener('resume', act, { signal })
  window.addEventListener('pageshow', ({ persisted }) => persisted && act(), { signal })
}
