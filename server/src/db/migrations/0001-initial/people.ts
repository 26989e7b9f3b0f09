import type { Kysely } from 'kysely'
import type { EngineTools } from '../../engine.ts'

export async function createPeople(db: Kysely<unknown>, { withId, binaryCollation }: EngineTools): Promise<void> {
  await withId(db.schema.createTable('people'))
    .addColumn('issuer', 'text', c => c.notNull())
    .addColumn('subject', 'text', c => c.notNull())
    .addColumn('email', 'text', c => c.notNull())
    .addColumn('username', 'text', c => binaryCollation(c).notNull().unique())
    .addColumn('name', 'text', c => c.notNull())
    .addColumn('avatar_key', 'text')
    .addColumn('avatar_source', 'text')
    .addColumn('provider_name', 'text')
    .addColumn('provider_picture', 'text')
    .addColumn('role', 'text', c => c.notNull())
    .addColumn('role_given_by', 'bigint', c => c.references('people.id'))
    .addColumn('status', 'text', c => c.notNull())
    .addColumn('active_status', 'text')
    .addColumn('requested_at', 'bigint', c => c.notNull())
    .addColumn('reviewed_at', 'bigint')
    .addColumn('reviewed_by', 'bigint', c => c.references('people.id'))
    .addColumn('start_view', 'text')
    .addColumn('start_sort', 'text')
    .addColumn('language', 'text')
    .addUniqueConstraint('people_issuer_subject_key', ['issuer', 'subject'])
    .execute()
  await db.schema.createIndex('people_status_idx').on('people').columns(['status', 'requested_at']).execute()

  await db.schema
    .createTable('email_claims')
    .addColumn('email', 'text', c => c.primaryKey())
    .addColumn('person_id', 'bigint', c => c.notNull().references('people.id'))
    .execute()

  await withId(db.schema.createTable('invitations'))
    .addColumn('token_hash', 'text', c => c.notNull().unique())
    .addColumn('email', 'text')
    .addColumn('role', 'text', c => c.notNull())
    .addColumn('auto_approve', 'integer', c => c.notNull())
    .addColumn('uses', 'integer', c => c.notNull().defaultTo(0))
    .addColumn('created_by', 'bigint', c => c.notNull().references('people.id'))
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addColumn('expires_at', 'bigint', c => c.notNull())
    .addColumn('ended_at', 'bigint')
    .execute()
  await db.schema.createIndex('invitations_created_by_idx').on('invitations').column('created_by').execute()
  // Afterwards, because the two tables refer to each other.
  await db.schema
    .alterTable('people')
    .addColumn('invitation_id', 'bigint', c => c.references('invitations.id'))
    .execute()
}

export async function createSessions(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('sessions')
    .addColumn('token_hash', 'text', c => c.primaryKey())
    .addColumn('person_id', 'bigint', c => c.notNull().references('people.id'))
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addColumn('last_used_at', 'bigint', c => c.notNull())
    .addColumn('browser_hash', 'text')
    .addColumn('confirm_until', 'bigint')
    .addColumn('device', 'text')
    .execute()
  await db.schema.createIndex('sessions_person_id_idx').on('sessions').column('person_id').execute()

  await db.schema
    .createTable('sign_in_attempts')
    .addColumn('state_hash', 'text', c => c.primaryKey())
    .addColumn('browser_hash', 'text', c => c.notNull())
    .addColumn('nonce', 'text', c => c.notNull())
    .addColumn('code_verifier', 'text', c => c.notNull())
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addColumn('invitation_id', 'bigint', c => c.references('invitations.id'))
    .execute()
}

/** The notifications that a person has switched off or on. */
export async function createChoices(db: Kysely<unknown>): Promise<void> {
  for (const table of ['muted_notifications', 'wanted_notifications']) {
    await db.schema
      .createTable(table)
      .addColumn('person_id', 'bigint', c => c.notNull().references('people.id'))
      .addColumn('kind', 'text', c => c.notNull())
      .addPrimaryKeyConstraint(`${table}_pkey`, ['person_id', 'kind'])
      .execute()
  }
}

/** Memories ("On this day"): what people have hidden; and their visits, for what is new since the last one. */
export async function createMemories(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('visits')
    .addColumn('person_id', 'bigint', c => c.primaryKey().references('people.id'))
    .addColumn('seen_at', 'bigint')
    .addColumn('new_since', 'bigint')
    .addColumn('memories_closed_day', 'bigint')
    .addColumn('memories_notified_day', 'bigint')
    .execute()
  await db.schema
    .createTable('hidden_memory_days')
    .addColumn('person_id', 'bigint', c => c.notNull().references('people.id'))
    .addColumn('day', 'bigint', c => c.notNull())
    .addColumn('hidden_at', 'bigint', c => c.notNull())
    .addPrimaryKeyConstraint('hidden_memory_days_pkey', ['person_id', 'day'])
    .execute()
  await db.schema
    .createTable('hidden_memories')
    .addColumn('person_id', 'bigint', c => c.notNull().references('people.id'))
    .addColumn('media_id', 'bigint', c => c.notNull().references('media.id').onDelete('cascade'))
    .addColumn('hidden_at', 'bigint', c => c.notNull())
    .addPrimaryKeyConstraint('hidden_memories_pkey', ['person_id', 'media_id'])
    .execute()
  // For the foreign key: purging a file.
  await db.schema.createIndex('hidden_memories_media_id_idx').on('hidden_memories').column('media_id').execute()
}
