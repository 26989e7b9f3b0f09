import { hashKey, type QueryClient, type QueryKey } from '@tanstack/react-query'

/** The shortest and the longest time between two readings of the same thing, in milliseconds. */
const MIN_INTERVAL = 250
const MAX_INTERVAL = 5_000
/** What takes long to read is read less often: in a burst, reading takes at most a quarter of the time. */
const REST_FACTOR = 3

/**
 * Reads again what has changed: at once the first time, and as often as it can be read while changes come in a burst.
 * The last change is always followed by a reading.
 */
export class ThrottledInvalidator {
  readonly #client: QueryClient
  readonly #gap: number
  /** What is being read just now, and whether it changed since. */
  readonly #underWay = new Map<string, { again: boolean }>()

  constructor(client: QueryClient, gap = MIN_INTERVAL) {
    this.#client = client
    this.#gap = gap
  }

  async invalidate(key: QueryKey): Promise<void> {
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
      const gap = Math.min(MAX_INTERVAL, Math.max(this.#gap, REST_FACTOR * (Date.now() - began)))
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
