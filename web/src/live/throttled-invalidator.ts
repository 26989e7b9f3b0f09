import { hashKey, type QueryClient, type QueryKey } from '@tanstack/react-query'

/** The minimum and maximum time between two fetches of the same query, in milliseconds. */
const MIN_INTERVAL = 250
const MAX_INTERVAL = 5_000
/**
 * Slow queries pause for a multiple of their own duration: in a burst, fetching takes at most a quarter of the time.
 */
const REST_FACTOR = 3

/**
 * Throttles invalidation during a burst of live events: the first event invalidates at once, later ones at an interval,
 * and the last one is always followed by a fetch.
 */
export class ThrottledInvalidator {
  readonly #client: QueryClient
  readonly #gap: number
  /** Keys being fetched, and whether they changed since that began. */
  readonly #running = new Map<string, { again: boolean }>()

  constructor(client: QueryClient, gap = MIN_INTERVAL) {
    this.#client = client
    this.#gap = gap
  }

  async invalidate(key: QueryKey): Promise<void> {
    const name = hashKey(key)
    const running = this.#running.get(name)
    if (running !== undefined) {
      running.again = true
      return
    }
    const mine = { again: true }
    this.#running.set(name, mine)
    while (mine.again) {
      mine.again = false
      const began = Date.now()
      await this.#fetch(key)
      const gap = Math.min(MAX_INTERVAL, Math.max(this.#gap, REST_FACTOR * (Date.now() - began)))
      await new Promise(resolve => setTimeout(resolve, gap))
    }
    this.#running.delete(name)
  }

  async #fetch(queryKey: QueryKey): Promise<void> {
    // invalidateQueries does not restart a first fetch, whose response may predate the change: invalidate again after
    // it.
    const firstFetches = this.#client
      .getQueryCache()
      .findAll({ queryKey, fetchStatus: 'fetching' })
      .filter(({ state }) => state.data === undefined)
    await this.#client.invalidateQueries({ queryKey })
    await Promise.all(
      firstFetches.map(query => this.#client.invalidateQueries({ queryKey: query.queryKey, exact: true })),
    )
  }
}
