import { hashKey, type QueryClient, type QueryKey } from '@tanstack/react-query'

/** The shortest and the longest time between two readings of the same thing, in milliseconds. */
const SHORTEST_GAP = 250
const LONGEST_GAP = 5_000
/** What takes long to read is read less often: in a burst, reading takes at most a quarter of the time. */
const REST = 3

/**
 * Reads again what has changed: at once the first time, and as often as it can be read while changes come in a burst.
 * The last change is always followed by a reading.
 */
export class Refresher {
  readonly #client: QueryClient
  readonly #gap: number
  /** What is being read just now, and whether it changed since. */
  readonly #underWay = new Map<string, { again: boolean }>()

  constructor(client: QueryClient, gap = SHORTEST_GAP) {
    this.#client = client
    this.#gap = gap
  }

  async changed(key: QueryKey): Promise<void> {
    const name = hashKey(key)
    const reading = this.#underWay.get(name)
    if (reading !== undefined) {
      reading.again = true
      return
    }
    const mine = { again: true }
    this.#underWay.set(name, mine)
    while (mine.again) {
      mine.again = false
      const began = Date.now()
      await this.#read(key)
      const gap = Math.min(LONGEST_GAP, Math.max(this.#gap, REST * (Date.now() - began)))
      await new Promise(resolve => setTimeout(resolve, gap))
    }
    this.#underWay.delete(name)
  }

  async #read(queryKey: QueryKey): Promise<void> {
    // What is read for the very first time just now is not begun anew, and its answer may be from before the change.
    const begun = this.#client
      .getQueryCache()
      .findAll({ queryKey, fetchStatus: 'fetching' })
      .filter(({ state }) => state.data === undefined)
    await this.#client.invalidateQueries({ queryKey })
    await Promise.all(begun.map(query => this.#client.invalidateQueries({ queryKey: query.queryKey, exact: true })))
  }
}
