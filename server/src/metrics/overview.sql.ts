import { sql } from 'kysely'
import type { Handle } from '../db/schema.ts'
import { jobsOfFailedFiles } from '../media/public.ts'

interface Period {
  from: number
  until: number
}

/** What was uploaded in each period and is not deleted: one scan of an index per period. */
export async function uploadsIn(db: Handle, periods: readonly Period[]): Promise<{ files: number; bytes: number }[]> {
  const sums = periods.map(
    ({ from, until }, index) => sql`
      select cast(${index} as integer) as period, count(*) as files, cast(coalesce(sum(file_size), 0) as bigint) as bytes
      from media where deleted_at is null and uploaded_at >= ${from} and uploaded_at < ${until}`,
  )
  const query = sql<{ period: number; files: number; bytes: number }>`${sql.join(sums, sql` union all `)}`
  const { rows } = await query.execute(db)
  return rows.toSorted((a, b) => a.period - b.period).map(({ files, bytes }) => ({ files, bytes }))
}

/**
 * Recurring jobs are not counted, and of those that failed none whose file is listed as failed. Reads all jobs, so the
 * result is cached.
 */
export async function countAllJobs(db: Handle, failedSince: number): Promise<{ waiting: number; failed: number }> {
  return db
    .selectFrom('jobs')
    .select(({ fn }) => [
      fn.countAll<number>().filterWhere('failed_at', 'is', null).as('waiting'),
      fn
        .countAll<number>()
        .filterWhere(eb => eb.and([eb('failed_at', '>=', failedSince), eb.not(isOfFailedFile)]))
        .as('failed'),
    ])
    .where(eb => eb.or([eb('unique_key', 'is', null), eb('unique_key', 'not like', 'every:%')]))
    .executeTakeFirstOrThrow()
}

/** There are few failed files, and each has its id in the payload of its job. */
const isOfFailedFile = sql<boolean>`(name in (${sql.join(jobsOfFailedFiles)}) and payload in (
  select '{"mediaId":' || id || '}' from media where status = 'failed'))`

/** The name of the setting in which the backup command records its last run. */
export const LAST_BACKUP = 'last-backup'

export async function readLastBackup(db: Handle): Promise<string | undefined> {
  const row = await db.selectFrom('settings').select('value').where('name', '=', LAST_BACKUP).executeTakeFirst()
  return row?.value
}
