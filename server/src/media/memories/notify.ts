import { DAY } from '#contract/limits.ts'
import type { Database } from '../../db/database.ts'
import { defineJob, type Queue } from '../../jobs/queue.ts'
import type { Clock } from '../../kit/clock.ts'
import { type Notified, notifyOfMemories } from '../../notifications/public.ts'
import { wallClockIn } from '../../processing/dates/time-zones.ts'
import { dayNumber, daysInOtherYears } from './days.ts'
import { claimNotification, peopleToNotify, selectMemories } from './memories.sql.ts'

const notify = defineJob<null>('memories.notify', { everyMs: DAY / 48 })

/** In the home time zone, so that nobody is notified at night. */
const FROM = 'T08:00'

export interface MemoryJobDeps {
  db: Database
  clock: Clock
  config: { homeTimeZone: string }
  notified?: Notified
}

/** Notifies the people who want it of today's memories, once a day and only if there are some. */
export function handleMemoryJobs(queue: Queue, deps: MemoryJobDeps): void {
  queue.handle(notify, { run: (_, { signal }) => notifyPeople(deps, signal) })
}

async function notifyPeople(deps: MemoryJobDeps, signal: AbortSignal): Promise<void> {
  const { db, clock, config } = deps
  const local = wallClockIn(config.homeTimeZone, clock())?.local
  if (local === undefined || local.slice(10) < FROM) return
  const today = local.slice(0, 10)
  const [day, days] = [dayNumber(today), daysInOtherYears(today)]
  for (const personId of await peopleToNotify(db.query, day)) {
    if (signal.aborted) return
    const rows = await selectMemories(db, personId, days, 1)
    const count = rows.reduce((sum, row) => sum + row.files, 0)
    if (count === 0) continue
    await db.transaction(async tx => {
      if (await claimNotification(tx, personId, day)) {
        await notifyOfMemories(deps, tx, { personId, day, count })
      }
    })
  }
}
