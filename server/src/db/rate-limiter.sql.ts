import { sql } from 'kysely'
import type { Clock } from '../kit/clock.ts'
import { enforceLimit, type RateLimiter } from '../kit/rate-limiter.ts'
import type { Database } from './database.ts'

/** Counts in the database, so that all servers share the limits. One row per key, reset with each time window. */
export function databaseRateLimiter({ query }: Pick<Database, 'query'>, windowMs: number, clock: Clock): RateLimiter {
  let lastWindow = 0

  async function deleteExpired(window: number): Promise<void> {
    if (window === lastWindow) return
    lastWindow = window
    await query.deleteFrom('rate_limits').where('time_window', '<', window).execute()
  }

  return {
    async hit(key, max) {
      const now = clock()
      const window = Math.floor(now / windowMs)
      await deleteExpired(window)
      const { hits } = await query
        .insertInto('rate_limits')
        .values({ key, time_window: window, hits: 1 })
        .onConflict(conflict =>
          conflict.column('key').doUpdateSet({
            time_window: window,
            hits: sql`case when rate_limits.time_window = ${window} then rate_limits.hits + 1 else 1 end`,
          }),
        )
        .returning('hits')
        .executeTakeFirstOrThrow()
      enforceLimit(max, hits, (window + 1) * windowMs - now)
    },
  }
}
