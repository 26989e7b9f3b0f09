import type { FastifyInstance } from 'fastify'
import { start } from '#contract/start.ts'
import type { Database } from './db/database.ts'
import type { Clock } from './kit/clock.ts'
import { serve } from './kit/serve.ts'
import { libraryStats } from './media/counts.sql.ts'
import { readGridPage, timeline } from './media/grid.ts'
import { galleryTop } from './media/memories/cards.ts'
import { signedInUser } from './people/public.ts'
import type { Storage } from './storage/storage.ts'

interface StartDeps {
  db: Database
  clock: Clock
  storage: Storage
  config: { homeTimeZone: string }
  /** The current position of the live stream, if known. */
  livePosition: () => string | undefined
}

const byDate = { sort: 'date' } as const

/** One response for the first screen; see decision 0010 for its order. */
export function startRoute(app: FastifyInstance, { db, clock, storage, config, livePosition }: StartDeps): void {
  serve(app, start, async ({ caller, query: { proportions, limit, today } }) => {
    // Before anything is read, so that the stream repeats all that changes from here on.
    const live_position = livePosition() ?? null
    const [user, stats, days, grid, top] = await Promise.all([
      signedInUser(db.query, caller.id, key => storage.signedUrl(key)),
      libraryStats(db.query),
      timeline(db, caller.id, { ...byDate, proportions }),
      readGridPage({ db, storage }, caller.id, { ...byDate, limit, offset: 0 }),
      today === undefined ? null : galleryTop({ db, clock, storage, config }, caller, today),
    ])
    return { user, live_position, stats, timeline: days, grid, top }
  })
}
