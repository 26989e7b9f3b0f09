import { visits } from '#contract/limits.ts'
import type { Database } from '../../db/database.ts'
import type { Clock } from '../../kit/clock.ts'
import { lockVisit, upsertVisit, type Visit } from './visits.sql.ts'

interface VisitDeps {
  db: Database
  clock: Clock
}

/** After a gap, what is new counts from the end of the last visit, even before a page has recorded this one. */
export function newSince(visit: Visit | undefined, now: number): number | null {
  if (!visit) return null
  return visit.seen_at !== null && now - visit.seen_at >= visits.gap ? visit.seen_at : visit.new_since
}

/** Less often than pages send it, so that several devices do not write at every click. */
const WRITE_EVERY = visits.recordEvery / 2

export async function recordVisit({ db, clock }: VisitDeps, personId: number): Promise<{ began: boolean }> {
  return db.transaction(async tx => {
    // Locked: two devices may report at once.
    const [visit, now] = [await lockVisit(db, tx, personId), clock()]
    const seen_at = visit?.seen_at ?? null
    if (seen_at !== null && now - seen_at < WRITE_EVERY) return { began: false }
    const began = seen_at === null || now - seen_at >= visits.gap
    await upsertVisit(tx, personId, { seen_at: now, new_since: newSince(visit, now) })
    return { began }
  })
}
