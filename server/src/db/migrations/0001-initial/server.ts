import { type Kysely, sql } from 'kysely'
import type { EngineTools } from '../../engine.ts'
import { indexOfSet } from './add-index.ts'

/** What people did: changes that can be undone, with what each file was before, and the audit log. */
export async function createActivity(db: Kysely<unknown>, { withId }: EngineTools): Promise<void> {
  await withId(db.schema.createTable('changes'))
    .addColumn('kind', 'text', c => c.notNull())
    .addColumn('field', 'text')
    .addColumn('value', 'text')
    .addColumn('person_id', 'bigint', c => c.references('people.id'))
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addColumn('files', 'integer', c => c.notNull())
    .addColumn('videos', 'integer', c => c.notNull())
    .addColumn('undone', 'integer', c => c.notNull().defaultTo(0))
    .execute()
  await db.schema.createIndex('changes_created_at_idx').on('changes').column('created_at').execute()
  // Without a reference to `media`: what is listed of a change stays when its files are removed for good.
  await withId(db.schema.createTable('change_files'))
    .addColumn('change_id', 'bigint', c => c.notNull().references('changes.id'))
    .addColumn('media_id', 'bigint', c => c.notNull())
    .addColumn('before', 'text')
    .addColumn('undone_at', 'bigint')
    .execute()
  await db.schema
    .createIndex('change_files_change_id_idx')
    .unique()
    .on('change_files')
    .columns(['change_id', 'media_id'])
    .execute()
  await db.schema.createIndex('change_files_media_id_idx').on('change_files').columns(['media_id', 'id']).execute()

  await withId(db.schema.createTable('audit_log'))
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addColumn('actor_id', 'bigint', c => c.references('people.id'))
    .addColumn('action', 'text', c => c.notNull())
    .addColumn('subject_type', 'text', c => c.notNull())
    .addColumn('subject_id', 'bigint', c => c.notNull())
    .addColumn('before', 'text')
    .addColumn('change_id', 'bigint', c => c.references('changes.id'))
    .execute()
  await db.schema
    .createIndex('audit_log_subject_idx')
    .on('audit_log')
    .columns(['subject_type', 'subject_id', 'id'])
    .execute()
  await db.schema.createIndex('audit_log_actor_id_idx').on('audit_log').columns(['actor_id', 'id']).execute()
  await indexOfSet(db, 'audit_log', 'change_id')
  // Finds what is too old. Lines of files that were removed for good stay, because an import asks for them.
  await db.schema
    .createIndex('audit_log_created_at_idx')
    .on('audit_log')
    .column('created_at')
    .where(sql<boolean>`action <> 'media.purge'`)
    .execute()
}

export async function createSettings(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('settings')
    .addColumn('name', 'text', c => c.primaryKey())
    .addColumn('value', 'text', c => c.notNull())
    .execute()
}

export async function createJobs(db: Kysely<unknown>, { withId }: EngineTools): Promise<void> {
  await withId(db.schema.createTable('jobs'))
    .addColumn('name', 'text', c => c.notNull())
    .addColumn('payload', 'text', c => c.notNull())
    .addColumn('priority', 'integer', c => c.notNull())
    // 0 is the server itself, so this is no foreign key.
    .addColumn('owner_id', 'bigint', c => c.notNull().defaultTo(0))
    .addColumn('run_at', 'bigint', c => c.notNull())
    .addColumn('attempts', 'integer', c => c.notNull().defaultTo(0))
    .addColumn('lease_token', 'text')
    .addColumn('lease_expires_at', 'bigint')
    .addColumn('failed_at', 'bigint')
    .addColumn('last_error', 'text')
    .addColumn('unique_key', 'text', c => c.unique())
    .execute()
  // Finds the next job of one owner with a single seek, however many jobs wait.
  await db.schema
    .createIndex('jobs_due_idx')
    .on('jobs')
    .columns(['name', 'owner_id', 'run_at', 'id'])
    .where(sql.ref('failed_at'), 'is', null)
    .execute()
  await db.schema
    .createIndex('jobs_leased_idx')
    .on('jobs')
    .columns(['lease_expires_at', 'owner_id'])
    .where(sql.ref('lease_expires_at'), 'is not', null)
    .execute()
}

export async function createRateLimits(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('rate_limits')
    .addColumn('key', 'text', c => c.primaryKey())
    .addColumn('time_window', 'bigint', c => c.notNull())
    .addColumn('hits', 'integer', c => c.notNull())
    .execute()
}
