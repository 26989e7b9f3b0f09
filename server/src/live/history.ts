import type { LiveEvent } from '#contract/live.ts'
import type { PublishedEvent } from './bus-message.ts'

/** So many are kept. A page that was away for longer reads everything anew. */
const MAX_EVENTS = 1_000

type HistoryEntry = Pick<PublishedEvent, 'position'> & Partial<PublishedEvent>

/**
 * What was told lately, in the order in which every server hears it. A page that says how far it was told, by whichever
 * server, hears here what came after.
 */
export class History {
  #events: HistoryEntry[] = []

  /** How far this server has heard; undefined where it does not know what it missed. */
  get position(): string | undefined {
    return this.#events.at(-1)?.position
  }

  add(told: HistoryEntry): void {
    this.#events.push(told)
    // Not one at a time: each time, all of them move.
    if (this.#events.length >= 2 * MAX_EVENTS) this.#events = this.#events.slice(-MAX_EVENTS)
  }

  /** Each thing once, however often it was told; undefined where nobody knows what came after that position. */
  since(position: string, personId: number): LiveEvent[] | undefined {
    const at = this.#events.findLastIndex(events => events.position === position)
    if (at < 0) return undefined
    const missed = new Map<string, LiveEvent>()
    for (const { event, to } of this.#events.slice(at + 1)) {
      if (event && (to === 'everyone' || to?.includes(personId))) missed.set(JSON.stringify(event), event)
    }
    return [...missed.values()]
  }

  /** What comes now does not follow what is kept. */
  clear(): void {
    this.#events = []
  }
}
