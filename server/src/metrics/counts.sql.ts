import type { Handle } from '../db/schema.ts'

export interface JobCounts {
  name: string
  waiting: number
  failed: number
  /** Since when the oldest due job has been waiting; null if none is due. */
  dueSince: number | null
}

export async function countJobs(db: Handle, now: number): Promise<JobCounts[]> {
  const rows = await db
    .selectFrom('jobs')
    .select(({ fn, eb }) => [
      'name',
      fn.countAll<number>().as('all'),
      fn.count<number>('failed_at').as('failed'),
      fn
        .min<number | null>(
          eb
            .case()
            .when(eb.and([eb('failed_at', 'is', null), eb('lease_token', 'is', null), eb('run_at', '<=', now)]))
            .then(eb.ref('run_at'))
            .end(),
        )
        .as('dueSince'),
    ])
    .groupBy('name')
    .execute()
  return rows.map(({ name, all, failed, dueSince }) => ({ name, failed, waiting: all - failed, dueSince }))
}

/** From the stored counts, so the cost does not grow with the library. */
export async function countFiles(db: Handle): Promise<{ type: string; files: number; bytes: number }[]> {
  return db
    .selectFrom('media_counts')
    .select(({ fn }) => ['file_type as type', fn.sum<number>('files').as('files'), fn.sum<number>('bytes').as('bytes')])
    .groupBy('file_type')
    .execute()
}
