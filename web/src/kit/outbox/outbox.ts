import type { StoredCall } from '../device-store.ts'
import { type Outcome, outcomeOf, type Removal, removalOf } from './outcome.ts'

/** A call that the server has not confirmed yet. */
export interface WaitingCall extends StoredCall {
  /** `sending`: for the first time. `waiting`: an attempt failed, or the server cannot be reached. */
  state: 'sending' | 'waiting'
}

export type NewCall = Pick<StoredCall, 'call' | 'input' | 'shown'>

/** What a failed attempt says: `later` and `server` are worth another one, and `server` concerns this call alone. */
export type Failure = 'refused' | 'signed-out' | 'server' | 'later'

export interface OutboxDeps {
  store: {
    /** Oldest first. */
    read(): Promise<StoredCall[]>
    /** Resolves to its place in the order. */
    put(call: StoredCall): Promise<number>
    delete(seq: number): Promise<void>
  }
  /** Only one tab sends at a time. */
  exclusively(act: () => Promise<void>): Promise<void>
  send(call: StoredCall): Promise<unknown>
  failureOf(error: unknown): Failure
  isReachable(): boolean
  /** Calls that have a lane in common keep their order even if one of them fails. */
  lanesOf(call: StoredCall): readonly string[]
  /** Whether the later call makes the earlier one pointless. */
  replaces(later: NewCall, earlier: StoredCall): boolean
  /** Resolves after this time, or earlier if the server can be reached again. */
  wait(milliseconds: number, signal: AbortSignal): Promise<void>
  /** Other tabs read the store again, and learn what became of a call that waits in one of them. */
  tellTabs(removal?: Removal): void
  logFailure(error: unknown): void
}

/** `waited`: nobody waits for the outcome any more, as who has just made the call does. Called before the call is removed. */
export interface OutboxObserver {
  onSent?(call: WaitingCall, answer: unknown, waited: boolean): void
  onRefused?(call: WaitingCall, error: unknown, waited: boolean): void
}

const FIRST_DELAY = 2_000
const MAX_DELAY = 60_000

/**
 * What the person does while the server cannot be reached, or may not have been reached: it goes out in order, and is
 * sent again until the server has answered. All of its calls are idempotent, so none is done twice.
 */
export class Outbox {
  readonly #deps: OutboxDeps
  readonly #listeners = new Set<() => void>()
  readonly #observers = new Set<OutboxObserver>()
  /** Of the calls of this tab whose outcome is being waited for. */
  readonly #settle = new Map<string, (outcome: Outcome) => void>()
  readonly #storing = new Set<string>()
  /** What this tab has sent or discarded, which a read that began before may still find. */
  readonly #removed = new Set<string>()
  #all: readonly WaitingCall[] = []
  #person: number | null = null
  #inFlight: string | null = null
  #running = false
  /** What is stored is known. */
  #isRead = true
  #again = false
  #delay = FIRST_DELAY
  #sleeping = new AbortController()

  constructor(deps: OutboxDeps) {
    this.#deps = deps
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Oldest first. */
  readonly all = (): readonly WaitingCall[] => this.#all

  observe(observer: OutboxObserver): () => void {
    this.#observers.add(observer)
    return () => this.#observers.delete(observer)
  }

  /** For the signed-in person, with what they left on this device. */
  async open(person: number): Promise<void> {
    if (this.#person === person) return
    this.close()
    this.#person = person
    await this.#load()
    void this.#drain()
  }

  /** The session is over. What the device keeps is for the same person's next one. */
  close(): void {
    this.#person = null
    this.#settle.clear()
    this.#sleeping.abort()
    this.#show([])
  }

  /** It is shown at once, and sent after it is stored. `stored` resolves to false if the device has no room for it. */
  add({ call, input, shown }: NewCall, id: string): { stored: Promise<boolean>; settled: Promise<Outcome> } {
    if (this.#person === null) throw new Error('Nobody is signed in')
    const added: WaitingCall = { id, person: this.#person, call, input, shown, at: Date.now(), state: 'sending' }
    const settled = new Promise<Outcome>(resolve => this.#settle.set(id, resolve))
    const pointless = this.#all.filter(one => one.id !== this.#inFlight && this.#deps.replaces(added, one))
    this.#storing.add(id)
    this.#show([...this.#all.filter(one => !pointless.includes(one)), added])
    const stored = this.#store(added, pointless)
    void stored.then(() => this.#drain())
    return { stored, settled }
  }

  async #store(added: WaitingCall, pointless: readonly WaitingCall[]): Promise<boolean> {
    const { state: _, ...call } = added
    try {
      const seq = await this.#deps.store.put(call)
      this.#show(this.#all.map(one => (one.id === call.id ? { ...one, seq } : one)))
      for (const one of pointless) await this.#remove(one, { status: 'sent', answer: undefined })
      this.#deps.tellTabs()
      return true
    } catch (error) {
      // The device is full, or keeps nothing for this page: it is sent while the page is open.
      this.#deps.logFailure(error)
      return false
    } finally {
      this.#storing.delete(call.id)
    }
  }

  async discard(id: string): Promise<void> {
    const call = this.#all.find(one => one.id === id)
    if (call !== undefined) await this.#remove(call, { status: 'waiting' })
  }

  /** At once, instead of after the next delay: the server can be reached again. */
  wake(): void {
    this.#delay = FIRST_DELAY
    void this.#drain()
  }

  /** The person wants to see that it is tried again. */
  retry(): void {
    this.#show(this.#all.map(call => ({ ...call, state: 'sending' })))
    this.wake()
  }

  /** The server cannot be reached: who waits for an outcome need not wait for its timeout. */
  settleUnreachable(): void {
    for (const { id } of this.#all) this.#settleAsWaiting(id)
  }

  /** Another tab has changed what is stored. It sends that, unless it is closed before. */
  async onStoreChange(removal?: Removal): Promise<void> {
    if (removal !== undefined) this.#onRemovedElsewhere(removal)
    await this.#load()
    if (this.#all.length > 0 && !this.#running) this.#sleep()
  }

  /** It may still be stored for a moment. */
  #onRemovedElsewhere(removal: Removal): void {
    const { id } = removal
    const call = this.#all.find(one => one.id === id)
    this.#removed.add(id)
    this.#show(this.#all.filter(one => one.id !== id))
    const outcome = outcomeOf(removal)
    // The person may look at this tab alone, and its forms have the words again.
    if (call && outcome.status === 'refused') {
      for (const observer of this.#observers) observer.onRefused?.(call, outcome.error, !this.#settle.has(id))
    }
    this.#settled(id, outcome)
  }

  async #load(): Promise<void> {
    const person = this.#person
    const before = new Set(this.#all.filter(({ seq }) => seq !== undefined).map(({ id }) => id))
    const stored = await this.#readStored()
    if (person === null || person !== this.#person) return
    this.#isRead = stored !== undefined
    // Nothing is known to be sent only because it could not be read.
    if (stored === undefined) return
    // This tab may have added or removed some while it read.
    const current = new Map(this.#all.map(call => [call.id, call]))
    const read = stored.filter(({ id }) => !this.#removed.has(id))
    const ids = new Set(read.map(({ id }) => id))
    const added = this.#all.filter(({ id }) => !ids.has(id) && (!before.has(id) || id === this.#inFlight))
    for (const { id } of this.#all) {
      if (!ids.has(id) && !added.some(call => call.id === id)) this.#settled(id, { status: 'elsewhere' })
    }
    this.#show([
      ...read.map((call): WaitingCall => ({ ...call, state: current.get(call.id)?.state ?? 'waiting' })),
      ...added,
    ])
  }

  /** Undefined if that is not possible now. */
  async #readStored(): Promise<StoredCall[] | undefined> {
    try {
      return (await this.#deps.store.read()).filter(({ person }) => person === this.#person)
    } catch (error) {
      this.#deps.logFailure(error)
      return undefined
    }
  }

  async #drain(): Promise<void> {
    if (this.#running) {
      this.#again = true
      return
    }
    this.#running = true
    try {
      do {
        this.#again = false
        if (this.#deps.isReachable()) await this.#deps.exclusively(() => this.#sendAll())
        else this.settleUnreachable()
      } while (this.#again)
    } catch (error) {
      this.#deps.logFailure(error)
    } finally {
      this.#running = false
    }
    if (this.#all.length === 0 && this.#isRead) return
    this.#sleep()
    this.#delay = Math.min(MAX_DELAY, this.#delay * 2)
  }

  /** Until the server cannot be reached. What it could not do is skipped, with what follows it in its lanes. */
  async #sendAll(): Promise<void> {
    const failed = new Set<string>()
    await this.#load()
    for (;;) {
      const person = this.#person
      const next = this.#nextAfter(failed)
      if (next === undefined || person === null) return this.#settleSkipped()
      if (!this.#deps.isReachable()) return this.settleUnreachable()
      this.#inFlight = next.id
      const failure = await this.#send(next)
      this.#inFlight = null
      if (failure === undefined) this.#delay = FIRST_DELAY
      else if (failure === 'server') failed.add(next.id)
      else if (failure !== 'refused') return
      // Another tab, or this one, may have added or discarded some.
      await this.#load()
    }
  }

  /** A call that is skipped holds up what follows it in any of its lanes. */
  #nextAfter(failed: ReadonlySet<string>): WaitingCall | undefined {
    const blocked = new Set<string>()
    return this.#all.find(call => {
      const lanes = this.#deps.lanesOf(call)
      const isNext = !failed.has(call.id) && !this.#storing.has(call.id) && !lanes.some(lane => blocked.has(lane))
      if (!isNext) for (const lane of lanes) blocked.add(lane)
      return isNext
    })
  }

  #settleSkipped(): void {
    for (const { id } of this.#all) if (!this.#storing.has(id)) this.#settleAsWaiting(id)
  }

  async #send(call: WaitingCall): Promise<Failure | undefined> {
    const hasWaited = () => !this.#settle.has(call.id)
    let answer: unknown
    try {
      answer = await this.#deps.send(call)
    } catch (error) {
      const failure = this.#deps.failureOf(error)
      if (failure === 'refused') {
        for (const observer of this.#observers) observer.onRefused?.(call, error, hasWaited())
        await this.#remove(call, { status: 'refused', error })
        // It is said to the person.
        return failure
      }
      if (failure === 'server') this.#settleAsWaiting(call.id)
      // Those that follow would arrive before it.
      else this.settleUnreachable()
      this.#deps.logFailure(error)
      return failure
    }
    for (const observer of this.#observers) observer.onSent?.(call, answer, hasWaited())
    await this.#remove(call, { status: 'sent', answer })
    return undefined
  }

  async #remove(call: WaitingCall, outcome: Exclude<Outcome, { status: 'elsewhere' }>): Promise<void> {
    this.#removed.add(call.id)
    const seq = this.#all.find(({ id }) => id === call.id)?.seq ?? call.seq
    this.#show(this.#all.filter(({ id }) => id !== call.id))
    this.#settled(call.id, outcome)
    // Before it is deleted, so that no tab finds it missing without knowing why.
    this.#deps.tellTabs(removalOf(call.id, outcome))
    try {
      if (seq !== undefined) await this.#deps.store.delete(seq)
    } catch (error) {
      this.#deps.logFailure(error)
    }
  }

  #settled(id: string, outcome: Outcome): void {
    this.#settle.get(id)?.(outcome)
    this.#settle.delete(id)
  }

  #settleAsWaiting(id: string): void {
    this.#settled(id, { status: 'waiting' })
    const call = this.#all.find(one => one.id === id)
    if (call?.state === 'sending') {
      this.#show(this.#all.map(one => (one.id === id ? { ...one, state: 'waiting' } : one)))
    }
  }

  #sleep(): void {
    this.#sleeping.abort()
    const sleeping = new AbortController()
    this.#sleeping = sleeping
    void this.#deps.wait(this.#delay, sleeping.signal).then(() => {
      if (!sleeping.signal.aborted) void this.#drain()
    })
  }

  #show(all: readonly WaitingCall[]): void {
    this.#all = all
    for (const listener of this.#listeners) listener()
  }
}
