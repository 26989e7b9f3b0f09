import { type Kysely, sql } from 'kysely'
import type { EngineTools } from '../engine.ts'

export async function up(db: Kysely<unknown>, { withId, sorted }: EngineTools): Promise<void> {
  await withId(db.schema.createTable('people'))
    .addColumn('issuer', 'text', c => c.notNull())
    .addColumn('subject', 'text', c => c.notNull())
    .addColumn('email', 'text', c => c.notNull())
    .addColumn('username', 'text', c => sorted(c).notNull().unique())
    .addColumn('name', 'text', c => c.notNull())
    .addColumn('avatar_key', 'text')
    .addColumn('avatar_source', 'text')
    .addColumn('role', 'text', c => c.notNull())
    .addColumn('status', 'text', c => c.notNull())
    .addColumn('requested_at', 'bigint', c => c.notNull())
    .addColumn('reviewed_at', 'bigint')
    .addColumn('reviewed_by', 'bigint', c => c.references('people.id'))
    .addUniqueConstraint('one_person_per_account', ['issuer', 'subject'])
    .execute()
  await db.schema.createIndex('people_by_status').on('people').columns(['status', 'requested_at']).execute()

  await db.schema
    .createTable('email_claims')
    .addColumn('email', 'text', c => c.primaryKey())
    .addColumn('person_id', 'bigint', c => c.notNull().references('people.id'))
    .execute()

  await db.schema
    .createTable('sessions')
    .addColumn('token_hash', 'text', c => c.primaryKey())
    .addColumn('person_id', 'bigint', c => c.notNull().references('people.id'))
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addColumn('last_used_at', 'bigint', c => c.notNull())
    .execute()
  await db.schema.createIndex('sessions_by_person').on('sessions').column('person_id').execute()

  await db.schema
    .createTable('sign_in_attempts')
    .addColumn('state_hash', 'text', c => c.primaryKey())
    .addColumn('browser_hash', 'text', c => c.notNull())
    .addColumn('nonce', 'text', c => c.notNull())
    .addColumn('code_verifier', 'text', c => c.notNull())
    .addColumn('created_at', 'bigint', c => c.notNull())
    .execute()

  await withId(db.schema.createTable('audit'))
    .addColumn('at', 'bigint', c => c.notNull())
    .addColumn('actor_id', 'bigint', c => c.references('people.id'))
    .addColumn('act', 'text', c => c.notNull())
    .addColumn('subject_type', 'text', c => c.notNull())
    .addColumn('subject_id', 'bigint', c => c.notNull())
    .addColumn('before', 'text')
    .execute()
  await db.schema.createIndex('audit_by_subject').on('audit').columns(['subject_type', 'subject_id', 'id']).execute()
  await db.schema.createIndex('audit_by_actor').on('audit').columns(['actor_id', 'id']).execute()

  await db.schema
    .createTable('settings')
    .addColumn('name', 'text', c => c.primaryKey())
    .addColumn('value', 'text', c => c.notNull())
    .execute()

  await withId(db.schema.createTable('jobs'))
    .addColumn('name', 'text', c => c.notNull())
    .addColumn('payload', 'text', c => c.notNull())
    .addColumn('priority', 'integer', c => c.notNull())
    .addColumn('run_at', 'bigint', c => c.notNull())
    .addColumn('attempts', 'integer', c => c.notNull().defaultTo(0))
    .addColumn('claim', 'text')
    .addColumn('claimed_until', 'bigint')
    .addColumn('failed_at', 'bigint')
    .addColumn('failure', 'text')
    .addColumn('unique_key', 'text', c => c.unique())
    .execute()
  await db.schema
    .createIndex('jobs_due')
    .on('jobs')
    .columns(['priority', 'run_at', 'id'])
    .where(sql.ref('failed_at'), 'is', null)
    .execute()
}
