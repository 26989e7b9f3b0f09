import { DAY } from '#contract/limits.ts'
import type { Database } from '../db/database.ts'
import { defineJob, type Queue } from '../jobs/queue.ts'
import type { Clock } from '../kit/clock.ts'
import { deleteOldChanges, deleteOldFiles, deleteOldLines } from './purge.sql.ts'

const cleanUp = defineJob<null>('activity.clean-up', { everyMs: DAY / 24 })

export interface PurgeDeps {
  db: Database
  clock: Clock
  auditDays: number
}

export function handleActivityJobs(queue: Queue, { db, clock, auditDays }: PurgeDeps): void {
  queue.handle(cleanUp, { run: () => purgeActivity(db, clock() - auditDays * DAY) })
}

/** Removes lines of the audit log from before this time, and changes that no line is about any more. Others write in between. */
export async function purgeActivity(db: Database, before: number): Promise<void> {
  for (const purge of [deleteOldLines, deleteOldFiles, deleteOldChanges]) {
    while (await db.transaction(tx => purge(tx, before)));
  }
}
