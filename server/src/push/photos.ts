import { push as limits, MINUTE } from '#contract/limits.ts'
import type { Database } from '../db/database.ts'
import { defineJob, type Queue } from '../jobs/queue.ts'
import type { Clock } from '../kit/clock.ts'
import { claimPhotos, subscriptionsForPhotos, timesOfPhotos } from './push.sql.ts'
import { enqueueJoined } from './pushes.ts'
import { quietHoursAt } from './quiet-hours.ts'

const photos = defineJob<null>('push.photos', { everyMs: 5 * MINUTE })

interface PhotoDeps {
  db: Database
  clock: Clock
  queue: Queue
}

/** New photos are in one notification, once those who add them have paused. In quiet hours they go on gathering. */
export function handlePhotos(queue: Queue, deps: PhotoDeps): void {
  const { db, clock } = deps
  queue.handle(photos, {
    async run(_, { signal }) {
      const now = clock()
      for (const subscription of await subscriptionsForPhotos(db.query, now)) {
        if (signal.aborted) return
        const { id, person_id: personId, photos_since: since } = subscription
        if (quietHoursAt(subscription, now)) continue
        const { first, last } = await timesOfPhotos(db.query, { personId, since, until: now })
        if (first === null || last === null) continue
        if (now - last < limits.photosPause && now - first < limits.photosLatest) continue
        const period = { since, until: last }
        await db.transaction(async tx => {
          if (!(await claimPhotos(tx, id, period))) return
          const about = { what: 'photos', ...period } as const
          await enqueueJoined(deps, tx, { subscriptionId: id, about, at: now }, { personId, delayMs: 0 })
        })
      }
    },
  })
}
