import { type Kysely, sql } from 'kysely'

/** Jobs know whose they are, so that the queue can serve people in turn instead of in the order of arrival. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // 0 is the server itself. Not a foreign key: a job outlives nothing, and the server is not a person.
  await db.schema
    .alterTable('jobs')
    .addColumn('owner_id', 'bigint', c => c.notNull().defaultTo(0))
    .execute()
  for (const name of ['media.prepare', 'media.convert', 'media.motion']) {
    await sql`
      update jobs set owner_id = media.uploaded_by from media
      where jobs.unique_key = ${sql.lit(`${name}:`)} || cast(media.id as text)
    `.execute(db)
  }
  await db.schema.dropIndex('jobs_due').execute()
  // The next job of one owner is one seek, however many jobs wait.
  await db.schema
    .createIndex('jobs_due')
    .on('jobs')
    .columns(['name', 'owner_id', 'run_at', 'id'])
    .where(sql.ref('failed_at'), 'is', null)
    .execute()
  await db.schema
    .createIndex('jobs_claimed')
    .on('jobs')
    .columns(['claimed_until', 'owner_id'])
    .where(sql.ref('claimed_until'), 'is not', null)
    .execute()
}
