import { sql } from 'kysely'
import type { Clock } from '../kit/clock.ts'
import { type RateLimiter, refusePast } from '../kit/rate-limiter.ts'
import type { Database } from './database.ts'

/** Counts in the database, so that every server counts alike: one row per key, which begins anew with each window. */
export function databaseRateLimiter({ query }: Pick<Database, 'query'>, windowMs: number, clock: Clock): RateLimiter {
  let lastWindow = 0

  async function forgetPast(window: number): Promise<void> {
    if (window === lastWindow) return
    lastWindow = window
    await query.deleteFrom('rate_counts').where('time_window', '<', window).execute()
  }

  return {
    async count(key, max) {
      const now = clock()
      const window = Math.floor(now / windowMs)
      await forgetPast(window)
      const { acts } = await query
        .insertInto('rate_counts')
        .values({ key, time_window: window, acts: 1 })
        .onConflict(conflict =>
          conflict.column('key').doUpdateSet({
            time_window: window,
            acts: sql`case when rate_counts.time_window = ${window} then rate_counts.acts + 1 else 1 end`,
          }),
        )
        .returning('acts')
        .executeTakeFirstOrThrow()
      refusePast(max, acts, (window + 1) * windowMs - now)
    },
  }
}
