import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { Handle, JobRow, Tx } from '../db/schema.ts'
import { inChunks } from '../kit/in-chunks.ts'
import { createFairScheduler, type DueJob, type FairScheduler } from './fairness.ts'

export interface NewJob {
  name: string
  payload: string
  priority: number
  runAt: number
  uniqueKey: string | null
  ownerId: number
}

/** Upserts by unique key: a waiting job gets the new payload; a running one loses its lease and runs again. */
export async function insertJobs(tx: Tx, jobs: readonly NewJob[]): Promise<void> {
  for (const some of inChunks(jobs)) {
    await tx
      .insertInto('jobs')
      .values(some.map(newRow))
      .onConflict(conflict =>
        conflict.column('unique_key').doUpdateSet(({ ref }) => ({
          payload: ref('excluded.payload'),
          owner_id: ref('excluded.owner_id'),
          run_at: ref('excluded.run_at'),
          attempts: 0,
          lease_token: null,
          lease_expires_at: null,
          failed_at: null,
          last_error: null,
        })),
      )
      .execute()
  }
}

export async function insertJobIfNew(tx: Tx, job: NewJob & { uniqueKey: string }): Promise<void> {
  await tx
    .insertInto('jobs')
    .values(newRow(job))
    .onConflict(conflict => conflict.column('unique_key').doNothing())
    .execute()
}

function newRow({ name, payload, priority, runAt, uniqueKey, ownerId }: NewJob) {
  return { name, payload, priority, run_at: runAt, unique_key: uniqueKey, owner_id: ownerId, attempts: 0 }
}

export interface Lease {
  token: string
  now: number
  until: number
}

/** The first due job of each owner and name. One index seek per row of the result, however many jobs wait. */
async function firstDueJobs(tx: Tx, names: string[], now: number): Promise<DueJob[]> {
  const nextOwner = (name: RawBuilder<unknown>, after: RawBuilder<unknown>) => sql`(
    select j.owner_id from jobs j where j.name = ${name} and j.failed_at is null and j.owner_id > ${after}
    order by j.owner_id limit 1
  )`
  const starts = names.map(name => sql`select cast(${name} as text) as name, cast(-1 as bigint) as owner_id`)
  const { rows } = await sql<{ id: number | null }>`
    with recursive owners(name, owner_id) as (
      select * from (${sql.join(starts, sql` union all `)}) starts
      union all
      select o.name, ${nextOwner(sql`o.name`, sql`o.owner_id`)} from owners o where o.owner_id is not null
    )
    select (
      select j.id from jobs j
      where j.name = o.name and j.owner_id = o.owner_id and j.failed_at is null and j.run_at <= ${now}
        and (j.lease_expires_at is null or j.lease_expires_at < ${now})
      order by j.run_at, j.id limit 1
    ) as id
    from owners o where o.owner_id is not null
  `.execute(tx)
  const ids = rows.flatMap(row => row.id ?? [])
  if (ids.length === 0) return []
  // A separate query, because with a join Postgres scans the whole table.
  return tx.selectFrom('jobs').select(['id', 'owner_id', 'name', 'priority', 'run_at']).where('id', 'in', ids).execute()
}

/** How many jobs of these names are running on any server, by owner. */
async function runningByOwner(tx: Tx, names: string[], now: number): Promise<Map<number, number>> {
  const rows = await tx
    .selectFrom('jobs')
    .select(({ fn }) => ['owner_id', fn.countAll<number>().as('count')])
    .where('lease_expires_at', '>=', now)
    .where('name', 'in', names)
    .groupBy('owner_id')
    .execute()
  return new Map(rows.map(row => [row.owner_id, row.count]))
}

/** Counts the attempt when the lease is taken, so that a job that crashes its server is not retried forever. */
export async function leaseJob(
  db: Database,
  names: string[],
  lease: Lease,
  scheduler: FairScheduler = createFairScheduler(),
): Promise<JobRow | undefined> {
  const leased = await db.transaction(async tx => {
    const due = await firstDueJobs(tx, names, lease.now)
    if (due.length === 0) return undefined
    const running = await runningByOwner(tx, names, lease.now)
    for (const { name, owner_id } of scheduler.order(due, running)) {
      const next = tx
        .selectFrom('jobs')
        .select(['id', 'attempts'])
        .where('name', '=', name)
        .where('owner_id', '=', owner_id)
        .where('failed_at', 'is', null)
        .where('run_at', '<=', lease.now)
        .where(eb => eb.or([eb('lease_expires_at', 'is', null), eb('lease_expires_at', '<', lease.now)]))
        .orderBy('run_at')
        .orderBy('id')
        .limit(1)
      // Skips a job that another server is leasing at the same time.
      const job = await db.skipLocked(next).executeTakeFirst()
      if (!job) continue
      return tx
        .updateTable('jobs')
        .set({ lease_token: lease.token, lease_expires_at: lease.until, attempts: job.attempts + 1 })
        .where('id', '=', job.id)
        .returningAll()
        .executeTakeFirst()
    }
    return undefined
  })
  if (leased) scheduler.started(leased.owner_id)
  return leased
}

/** Updates require the lease token: a worker that lost its lease changes nothing. */
function leasedJob(handle: Handle, job: { id: number; lease_token: string | null }) {
  return handle.updateTable('jobs').where('id', '=', job.id).where('lease_token', '=', job.lease_token)
}

export async function renewLease(handle: Handle, job: JobRow, until: number): Promise<boolean> {
  const result = await leasedJob(handle, job).set({ lease_expires_at: until }).executeTakeFirst()
  return result.numUpdatedRows > 0n
}

export async function deleteJob(handle: Handle, job: JobRow): Promise<boolean> {
  const query = handle.deleteFrom('jobs').where('id', '=', job.id).where('lease_token', '=', job.lease_token)
  return (await query.executeTakeFirst()).numDeletedRows > 0n
}

export async function reschedule(
  handle: Handle,
  job: JobRow,
  again: { runAt: number; attempts: number; failure: string | null },
): Promise<void> {
  await leasedJob(handle, job)
    .set({
      run_at: again.runAt,
      attempts: again.attempts,
      last_error: again.failure,
      lease_token: null,
      lease_expires_at: null,
    })
    .execute()
}

export async function markFailed(handle: Handle, job: JobRow, failedAt: number, failure: string): Promise<boolean> {
  const result = await leasedJob(handle, job)
    .set({ failed_at: failedAt, last_error: failure, lease_token: null, lease_expires_at: null })
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

/** Of a job that waits or runs. */
export async function payloadOf(handle: Handle, uniqueKey: string): Promise<string | undefined> {
  const row = await handle
    .selectFrom('jobs')
    .select('payload')
    .where('unique_key', '=', uniqueKey)
    .where('failed_at', 'is', null)
    .executeTakeFirst()
  return row?.payload
}

/** Waiting and running jobs of one name and owner. */
export async function countWaitingOf(handle: Handle, name: string, ownerId: number): Promise<number> {
  const row = await handle
    .selectFrom('jobs')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('name', '=', name)
    .where('owner_id', '=', ownerId)
    .where('failed_at', 'is', null)
    .executeTakeFirstOrThrow()
  return row.count
}
