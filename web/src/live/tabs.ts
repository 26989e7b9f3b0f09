import { z } from 'zod'
import { LiveEvent } from '#contract/live.ts'

/** What tabs of one browser tell each other. */
const Told = z.discriminatedUnion('say', [
  z.object({ say: z.literal('event'), event: LiveEvent }),
  z.object({ say: z.literal('connected'), connected: z.boolean() }),
  z.object({ say: z.literal('how is it') }),
])
type Told = z.infer<typeof Told>

interface Listener {
  onEvent: (event: LiveEvent) => void
  onConnected: (connected: boolean) => void
}

/** Holds the stream for all tabs: until the signal aborts, or the session is over. */
type HoldStream = (listener: Listener, signal: AbortSignal) => Promise<void>

const NAME = 'heirloom-live'

/** How often a tab in sight asks the leading one whether it is awake, and how long that may take to say so. */
const ASK_EVERY = 30_000
const ANSWER_WITHIN = 5_000

/**
 * One tab holds the stream, and tells the others what it hears. The browser's locks say which one: when it is closed
 * or crashes, the next takes over by itself. Browsers give no locks to pages without https; there every tab in sight
 * has a stream of its own.
 */
export function shareAmongTabs(listener: Listener, holdStream: HoldStream, signal: AbortSignal): void {
  if (navigator.locks === undefined) holdWhileInSight(listener, holdStream, signal)
  else new Tab(listener, holdStream, signal).join()
}

class Tab {
  readonly #listener: Listener
  readonly #holdStream: HoldStream
  readonly #left: AbortSignal
  readonly #channel = new BroadcastChannel(NAME)
  /** Aborted when this tab's turn to lead is over; undefined while another one leads. */
  #turn: AbortController | undefined
  #connected = false
  #heardAt = 0

  constructor(listener: Listener, holdStream: HoldStream, left: AbortSignal) {
    this.#listener = listener
    this.#holdStream = holdStream
    this.#left = left
  }

  join(): void {
    this.#channel.addEventListener('message', ({ data }) => this.#hear(Told.safeParse(data).data))
    const watch = setInterval(() => void this.#lookAfterLeader(), ASK_EVERY)
    document.addEventListener('visibilitychange', () => void this.#lookAfterLeader(), { signal: this.#left })
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
    await new Promise(resolve => setTimeout(resolve, ANSWER_WITHIN))
    if (this.#turn === undefined && this.#heardAt < askedAt && !this.#left.aborted)
      await this.#leadWith({ steal: true })
  }

  async #leadWith(how: LockOptions): Promise<'over' | 'stolen'> {
    const turn = new AbortController()
    try {
      await navigator.locks.request(NAME, how, () => this.#lead(turn))
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
    const listener: Listener = {
      onEvent: event => {
        this.#tell({ say: 'event', event })
        this.#listener.onEvent(event)
      },
      onConnected: connected => {
        this.#connected = connected
        this.#tell({ say: 'connected', connected })
        this.#listener.onConnected(connected)
      },
    }
    await this.#holdStream(listener, turn.signal)
  }

  #hear(told: Told | undefined): void {
    if (told === undefined) return
    if (told.say === 'how is it') {
      if (this.#turn !== undefined) this.#tell({ say: 'connected', connected: this.#connected })
      return
    }
    this.#heardAt = Date.now()
    if (told.say === 'event') this.#listener.onEvent(told.event)
    else this.#listener.onConnected(told.connected)
  }

  #tell(told: Told): void {
    if (!this.#left.aborted) this.#channel.postMessage(told)
  }
}

function holdWhileInSight(listener: Listener, holdStream: HoldStream, signal: AbortSignal): void {
  let turn = new AbortController()
  const look = () => {
    turn.abort()
    turn = new AbortController()
    if (document.visibilityState === 'visible') void holdStream(listener, AbortSignal.any([turn.signal, signal]))
  }
  document.addEventListener('visibilitychange', look, { signal })
  look()
}
