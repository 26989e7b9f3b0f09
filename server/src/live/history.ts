import type { LiveEvent } from '#contract/live.ts'
import type { Told } from './bus-message.ts'

/** So many are kept. A page that was away for longer reads everything anew. */
const MOST_KEPT = 1_000

type Kept = Pick<Told, 'position'> & Partial<Told>

/**
 * What was told lately, in the order in which every server hears it. A page that says how far it was told, by whichever
 * server, hears here what came after.
 */
export class History {
  #kept: Kept[] = []

  /** How far this server has heard; undefined where it does not know what it missed. */
  get position(): string | undefined {
    return this.#kept.at(-1)?.position
  }

  keep(told: Kept): void {
    this.#kept.push(told)
    // Not one at a time: each time, all of them move.
    if (this.#kept.length >= 2 * MOST_KEPT) this.#kept = this.#kept.slice(-MOST_KEPT)
  }

  /** Each thing once, however often it was told; undefined where nobody knows what came after that position. */
  after(position: string, personId: number): LiveEvent[] | undefined {
    const at = this.#kept.findLastIndex(kept => kept.position === position)
    if (at < 0) return undefined
    const missed = new Map<string, LiveEvent>()
    for (const { event, to } of this.#kept.slice(at + 1)) {
      if (event && (to === 'everyone' || to?.includes(personId))) missed.set(JSON.stringify(event), event)
    }
    return [...missed.values()]
  }

  /** What comes now does not follow what is kept. */
  forget(): void {
    this.#kept = []
  }
}
