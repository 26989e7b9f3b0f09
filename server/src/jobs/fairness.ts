import type { JobRow } from '../db/schema.ts'
import { KeyedMutex } from '../kit/keyed-mutex.ts'

export type DueJob = Pick<JobRow, 'id' | 'owner_id' | 'name' | 'priority' | 'run_at'>

/** Round-robin between owners, so that one person's thousand jobs do not delay another's one. */
export interface FairScheduler {
  /**
   * The due jobs in the order in which to lease them: first those of the owner with the fewest running jobs, then of
   * the owner served longest ago. Priorities only decide between jobs of one owner.
   */
  order(due: readonly DueJob[], running: ReadonlyMap<number, number>): DueJob[]
  /** Leases of one lane are taken one at a time: each must see which owner was served before. */
  withLock<Result>(lease: () => Promise<Result>): Promise<Result>
  /** A job of this owner runs here until `finished`. */
  started(ownerId: number): void
  finished(ownerId: number): void
}

/**
 * At most `maxPerOwner` jobs of one owner run here at once; with one worker more than that, nobody can occupy all of
 * them. Kept in memory: each server has its own round-robin, and a restart begins a new round.
 */
export function createFairScheduler(maxPerOwner = Number.POSITIVE_INFINITY): FairScheduler {
  const lastServed = new Map<number, number>()
  const runningHere = new Map<number, number>()
  let count = 0
  const mutex = new KeyedMutex<'lease'>()

  return {
    order(due, running) {
      const runs = (job: DueJob) => running.get(job.owner_id) ?? 0
      const servedAt = (job: DueJob) => lastServed.get(job.owner_id) ?? 0
      return due
        .filter(job => (runningHere.get(job.owner_id) ?? 0) < maxPerOwner)
        .sort(
          (a, b) =>
            runs(a) - runs(b) ||
            servedAt(a) - servedAt(b) ||
            a.priority - b.priority ||
            a.run_at - b.run_at ||
            a.id - b.id,
        )
    },
    withLock: lease => mutex.run('lease', lease),
    started(ownerId) {
      count++
      lastServed.set(ownerId, count)
      runningHere.set(ownerId, (runningHere.get(ownerId) ?? 0) + 1)
    },
    finished(ownerId) {
      const left = (runningHere.get(ownerId) ?? 1) - 1
      if (left > 0) runningHere.set(ownerId, left)
      else runningHere.delete(ownerId)
    },
  }
}
