import { z } from 'zod'
import { LiveEvent } from '#contract/live.ts'
import type { OnEvent } from './connection.ts'

/** Messages between tabs of one browser. */
const TabMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('event'), event: LiveEvent, position: z.string().optional() }),
  z.object({ type: z.literal('connected'), connected: z.boolean() }),
  z.object({ type: z.literal('ping') }),
])
type TabMessage = z.infer<typeof TabMessage>

interface Listener<Handler> {
  onEvent: Handler
  onConnected: (connected: boolean) => void
}

export interface SharedStreamOptions extends Listener<(event: LiveEvent) => void> {
  /** The stream's position when the page was loaded. */
  firstPosition: () => string | undefined
  /** Keeps the stream open for all tabs, from a position on, until the signal aborts or the session ends. */
  openStream: (listener: Listener<OnEvent>, position: string | undefined, signal: AbortSignal) => Promise<void>
}

const CHANNEL = 'heirloom-live'

/** How often a visible tab pings the leader, and how long the leader may take to answer. */
const PING_INTERVAL = 30_000
const PING_TIMEOUT = 5_000

/** This page's latest session, and the function that releases the lock held by the previous one. */
let newestTab: Tab | undefined
let releaseLeadership = () => {}

/**
 * Leader election: one tab keeps the stream open and forwards events to the others. The leader holds a Web Lock; when
 * it closes or crashes, the next tab gets the lock and resumes at the last position. Without https there are no Web
 * Locks, and every visible tab opens its own stream. Must be called before the page fetches data: events that another
 * tab forwarded earlier are then included in it.
 */
export function shareStreamAcrossTabs(sharing: SharedStreamOptions, signal: AbortSignal): void {
  if (navigator.locks === undefined) streamWhileVisible(sharing, signal)
  else new Tab(sharing, signal).join()
}

class Tab {
  readonly #options: SharedStreamOptions
  readonly #closed: AbortSignal
  readonly #channel = new BroadcastChannel(CHANNEL)
  /** Aborted when this tab stops leading; undefined while another tab leads. */
  #leading: AbortController | undefined
  #connected = false
  #lastMessageAt = 0
  /** The last position received from the stream or the leading tab. */
  #position: string | undefined

  constructor(sharing: SharedStreamOptions, left: AbortSignal) {
    this.#options = sharing
    this.#closed = left
  }

  join(): void {
    newestTab = this
    releaseLeadership()
    this.#channel.addEventListener('message', ({ data }) => this.#receive(TabMessage.safeParse(data).data))
    const watch = setInterval(() => void this.#checkLeader(), PING_INTERVAL)
    document.addEventListener('visibilitychange', () => void this.#checkLeader(), { signal: this.#closed })
    onPageResumed(() => this.#options.onEvent({ kind: 'resync' }), this.#closed)
    this.#closed.addEventListener('abort', () => {
      clearInterval(watch)
      this.#leading?.abort()
      this.#channel.close()
    })
    void this.#waitForLeadership()
    void this.#checkLeader()
  }

  async #waitForLeadership(): Promise<void> {
    let stolen = true
    while (stolen && !this.#closed.aborted) stolen = (await this.#leadWithLock({ signal: this.#closed })) === 'stolen'
  }

  /** Phones suspend hidden tabs, also the leading one. A visible tab then steals the lock. */
  async #checkLeader(): Promise<void> {
    if (this.#leading !== undefined || document.visibilityState !== 'visible') return
    const pingedAt = Date.now()
    this.#post({ type: 'ping' })
    await new Promise(resolve => setTimeout(resolve, PING_TIMEOUT))
    if (this.#leading === undefined && this.#lastMessageAt < pingedAt && !this.#closed.aborted)
      await this.#leadWithLock({ steal: true })
  }

  async #leadWithLock(how: LockOptions): Promise<'over' | 'stolen'> {
    const controller = new AbortController()
    try {
      await navigator.locks.request(CHANNEL, how, () => this.#lead(controller))
      return 'over'
    } catch (error) {
      if (!(error instanceof DOMException) || error.name !== 'AbortError') throw error
      return 'stolen'
    } finally {
      controller.abort()
      if (this.#leading === controller) this.#leading = undefined
    }
  }

  async #lead(leading: AbortController): Promise<void> {
    if (this.#closed.aborted) return
    this.#leading = leading
    const { openStream, firstPosition, onEvent, onConnected } = this.#options
    const listener: Listener<OnEvent> = {
      onEvent: (event, position) => {
        this.#position = position
        this.#post({ type: 'event', event, position })
        onEvent(event)
      },
      onConnected: connected => {
        this.#connected = connected
        this.#post({ type: 'connected', connected })
        onConnected(connected)
      },
    }
    await openStream(listener, this.#position ?? firstPosition(), leading.signal)
    // The session has ended. Keep the lock until the next session, so that no other tab opens a stream for the ended one.
    if (newestTab !== this) return
    await new Promise<void>(resolve => {
      releaseLeadership = resolve
    })
  }

  #receive(message: TabMessage | undefined): void {
    if (message === undefined) return
    if (message.type === 'ping') {
      if (this.#leading !== undefined) this.#post({ type: 'connected', connected: this.#connected })
      return
    }
    this.#lastMessageAt = Date.now()
    if (message.type === 'connected') {
      this.#options.onConnected(message.connected)
    } else {
      this.#position = message.position ?? this.#position
      this.#options.onEvent(message.event)
    }
  }

  #post(message: TabMessage): void {
    if (!this.#closed.aborted) this.#channel.postMessage(message)
  }
}

function streamWhileVisible(
  { openStream, firstPosition, onEvent, onConnected }: SharedStreamOptions,
  signal: AbortSignal,
): void {
  let controller = new AbortController()
  let lastPosition: string | undefined
  const listener: Listener<OnEvent> = {
    onEvent: (event, position) => {
      lastPosition = position
      onEvent(event)
    },
    onConnected,
  }
  const restart = () => {
    controller.abort()
    controller = new AbortController()
    if (document.visibilityState !== 'visible') return
    void openStream(listener, lastPosition ?? firstPosition(), AbortSignal.any([controller.signal, signal]))
  }
  document.addEventListener('visibilitychange', restart, { signal })
  restart()
}

/** A page that was frozen or in the back/forward cache has missed messages of other tabs. */
function onPageResumed(act: () => void, signal: AbortSignal): void {
  document.addEventListener('resume', act, { signal })
  window.addEventListener('pageshow', ({ persisted }) => persisted && act(), { signal })
}
