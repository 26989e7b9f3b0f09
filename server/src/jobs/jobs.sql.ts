import type { Database } from '../db/database.ts'
import type { Handle, JobRow, Tx } from '../db/schema.ts'

export interface NewJob {
  name: string
  payload: string
  priority: number
  runAt: number
  uniqueKey: string | null
}

/** A waiting job with the same key is brought up to date; one that is running loses its claim and runs again. */
export async function insertJob(tx: Tx, job: NewJob): Promise<void> {
  await tx
    .insertInto('jobs')
    .values({
      name: job.name,
      payload: job.payload,
      priority: job.priority,
      run_at: job.runAt,
      unique_key: job.uniqueKey,
      attempts: 0,
    })
    .onConflict(conflict =>
      conflict.column('unique_key').doUpdateSet({
        payload: job.payload,
        run_at: job.runAt,
        attempts: 0,
        claim: null,
        claimed_until: null,
        failed_at: null,
        failure: null,
      }),
    )
    .execute()
}

export async function insertJobIfNew(tx: Tx, job: NewJob & { uniqueKey: string }): Promise<void> {
  await tx
    .insertInto('jobs')
    .values({
      name: job.name,
      payload: job.payload,
      priority: job.priority,
      run_at: job.runAt,
      unique_key: job.uniqueKey,
      attempts: 0,
    })
    .onConflict(conflict => conflict.column('unique_key').doNothing())
    .execute()
}

/** The attempt is counted at the claim, so that a job that kills its server is not tried for ever. */
export async function claimJob(
  db: Database,
  names: string[],
  claim: { token: string; now: number; until: number },
): Promise<JobRow | undefined> {
  return db.write(async tx => {
    const due = tx
      .selectFrom('jobs')
      .selectAll()
      .where('name', 'in', names)
      .where('failed_at', 'is', null)
      .where('run_at', '<=', claim.now)
      .where(eb => eb.or([eb('claimed_until', 'is', null), eb('claimed_until', '<', claim.now)]))
      .orderBy('priority')
      .orderBy('run_at')
      .orderBy('id')
      .limit(1)
    const job = await db.skippingTaken(due).executeTakeFirst()
    if (!job) return undefined
    return tx
      .updateTable('jobs')
      .set({ claim: claim.token, claimed_until: claim.until, attempts: job.attempts + 1 })
      .where('id', '=', job.id)
      .returningAll()
      .executeTakeFirst()
  })
}

/** Every change of a running job asks for its claim: one that lost it changes nothing. */
function mine(handle: Handle, job: { id: number; claim: string | null }) {
  return handle.updateTable('jobs').where('id', '=', job.id).where('claim', '=', job.claim)
}

export async function renewClaim(handle: Handle, job: JobRow, until: number): Promise<boolean> {
  const result = await mine(handle, job).set({ claimed_until: until }).executeTakeFirst()
  return result.numUpdatedRows > 0n
}

export async function deleteJob(handle: Handle, job: JobRow): Promise<void> {
  await handle.deleteFrom('jobs').where('id', '=', job.id).where('claim', '=', job.claim).execute()
}

export async function runAgain(
  handle: Handle,
  job: JobRow,
  again: { runAt: number; attempts: number; failure: string | null },
): Promise<void> {
  await mine(handle, job)
    .set({ run_at: again.runAt, attempts: again.attempts, failure: again.failure, claim: null, claimed_until: null })
    .execute()
}

export async function markFailed(handle: Handle, job: JobRow, failedAt: number, failure: string): Promise<boolean> {
  const result = await mine(handle, job)
    .set({ failed_at: failedAt, failure, claim: null, claimed_until: null })
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

export async function countWaiting(handle: Handle): Promise<number> {
  const row = await handle
    .selectFrom('jobs')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('failed_at', 'is', null)
    .where(eb => eb.or([eb('unique_key', 'is', null), eb('unique_key', 'not like', 'every:%')]))
    .executeTakeFirstOrThrow()
  return row.count
}
