import { type Kysely, sql } from 'kysely'
import type { EngineTools } from '../engine.ts'
import { createDerivedCounts } from './0001-initial/derived-counts.ts'
import { createFolders, createMedia, createSearchTexts, createUploads } from './0001-initial/media.ts'

/**
 * The schema of 0.1.0, the first release. Never edit a released migration: databases that ran it would keep the old schema.
 * To add a column, write a new file `0002-….ts` next to this one and declare the column in `../schema.ts`.
 */
export async function up(db: Kysely<unknown>, tools: EngineTools): Promise<void> {
  await createPeople(db, tools)
  await createSessions(db)
  await createAuditLog(db, tools)
  await createSettings(db)
  await createJobs(db, tools)
  await createRateLimits(db)
  await createFolders(db, tools)
  await createMedia(db, tools)
  await createUploads(db)
  await createTags(db, tools)
  await createNotes(db, tools)
  await createSearchTexts(db, tools)
  await createDerivedCounts(db, tools)
  await createConversations(db, tools)
  await createNotifications(db, tools)
}

async function createPeople(db: Kysely<unknown>, { withId, binaryCollation }: EngineTools): Promise<void> {
  await withId(db.schema.createTable('people'))
    .addColumn('issuer', 'text', c => c.notNull())
    .addColumn('subject', 'text', c => c.notNull())
    .addColumn('email', 'text', c => c.notNull())
    .addColumn('username', 'text', c => binaryCollation(c).notNull().unique())
    .addColumn('name', 'text', c => c.notNull())
    .addColumn('avatar_key', 'text')
    .addColumn('avatar_source', 'text')
    .addColumn('role', 'text', c => c.notNull())
    .addColumn('status', 'text', c => c.notNull())
    .addColumn('active_status', 'text')
    .addColumn('requested_at', 'bigint', c => c.notNull())
    .addColumn('reviewed_at', 'bigint')
    .addColumn('reviewed_by', 'bigint', c => c.references('people.id'))
    .addUniqueConstraint('people_issuer_subject_key', ['issuer', 'subject'])
    .execute()
  await db.schema.createIndex('people_status_idx').on('people').columns(['status', 'requested_at']).execute()

  await db.schema
    .createTable('email_claims')
    .addColumn('email', 'text', c => c.primaryKey())
    .addColumn('person_id', 'bigint', c => c.notNull().references('people.id'))
    .execute()
}

async function createSessions(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('sessions')
    .addColumn('token_hash', 'text', c => c.primaryKey())
    .addColumn('person_id', 'bigint', c => c.notNull().references('people.id'))
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addColumn('last_used_at', 'bigint', c => c.notNull())
    .addColumn('browser_hash', 'text')
    .addColumn('confirm_until', 'bigint')
    .execute()
  await db.schema.createIndex('sessions_person_id_idx').on('sessions').column('person_id').execute()

  await db.schema
    .createTable('sign_in_attempts')
    .addColumn('state_hash', 'text', c => c.primaryKey())
    .addColumn('browser_hash', 'text', c => c.notNull())
    .addColumn('nonce', 'text', c => c.notNull())
    .addColumn('code_verifier', 'text', c => c.notNull())
    .addColumn('created_at', 'bigint', c => c.notNull())
    .execute()
}

async function createAuditLog(db: Kysely<unknown>, { withId }: EngineTools): Promise<void> {
  await withId(db.schema.createTable('audit_log'))
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addColumn('actor_id', 'bigint', c => c.references('people.id'))
    .addColumn('action', 'text', c => c.notNull())
    .addColumn('subject_type', 'text', c => c.notNull())
    .addColumn('subject_id', 'bigint', c => c.notNull())
    .addColumn('before', 'text')
    .execute()
  await db.schema
    .createIndex('audit_log_subject_idx')
    .on('audit_log')
    .columns(['subject_type', 'subject_id', 'id'])
    .execute()
  await db.schema.createIndex('audit_log_actor_id_idx').on('audit_log').columns(['actor_id', 'id']).execute()
}

async function createSettings(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('settings')
    .addColumn('name', 'text', c => c.primaryKey())
    .addColumn('value', 'text', c => c.notNull())
    .execute()
}

async function createJobs(db: Kysely<unknown>, { withId }: EngineTools): Promise<void> {
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

async function createRateLimits(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('rate_limits')
    .addColumn('key', 'text', c => c.primaryKey())
    .addColumn('time_window', 'bigint', c => c.notNull())
    .addColumn('hits', 'integer', c => c.notNull())
    .execute()
}

async function createTags(db: Kysely<unknown>, { withId, binaryCollation }: EngineTools): Promise<void> {
  await withId(db.schema.createTable('tags'))
    .addColumn('name', 'text', c => c.notNull())
    .addColumn('name_key', 'text', c => binaryCollation(c).notNull().unique())
    .addColumn('search_text', 'text', c => c.notNull().defaultTo(''))
    .execute()
  await db.schema
    .createTable('media_tags')
    .addColumn('media_id', 'bigint', c => c.notNull().references('media.id').onDelete('cascade'))
    .addColumn('tag_id', 'bigint', c => c.notNull().references('tags.id'))
    .addColumn('added_at', 'bigint', c => c.notNull())
    .addColumn('added_by', 'bigint', c => c.notNull().references('people.id'))
    .addPrimaryKeyConstraint('media_tags_pkey', ['media_id', 'tag_id'])
    .execute()
  await db.schema.createIndex('media_tags_tag_id_idx').on('media_tags').columns(['tag_id', 'media_id']).execute()
}

async function createNotes(db: Kysely<unknown>, { withId }: EngineTools): Promise<void> {
  await withId(db.schema.createTable('notes'))
    .addColumn('media_id', 'bigint', c => c.notNull().references('media.id').onDelete('cascade'))
    .addColumn('author_id', 'bigint', c => c.notNull().references('people.id'))
    .addColumn('content', 'text', c => c.notNull())
    .addColumn('search_text', 'text', c => c.notNull().defaultTo(''))
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addColumn('edited_at', 'bigint')
    .execute()
  await db.schema.createIndex('notes_media_id_idx').on('notes').columns(['media_id', 'id']).execute()
}

async function createConversations(db: Kysely<unknown>, { withId }: EngineTools): Promise<void> {
  await withId(db.schema.createTable('conversations'))
    .addColumn('type', 'text', c => c.notNull())
    .addColumn('title', 'text')
    .addColumn('pair', 'text', c => c.unique())
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addColumn('created_by', 'bigint', c => c.notNull().references('people.id'))
    .addColumn('last_message_id', 'bigint')
    .addColumn('active_at', 'bigint', c => c.notNull())
    .execute()

  await db.schema
    .createTable('participants')
    .addColumn('conversation_id', 'bigint', c => c.notNull().references('conversations.id'))
    .addColumn('person_id', 'bigint', c => c.notNull().references('people.id'))
    .addColumn('joined_at', 'bigint', c => c.notNull())
    .addColumn('unread', 'integer', c => c.notNull().defaultTo(0))
    .addColumn('last_read_id', 'bigint', c => c.notNull().defaultTo(0))
    .addColumn('last_read_at', 'bigint')
    .addPrimaryKeyConstraint('participants_pkey', ['conversation_id', 'person_id'])
    .execute()
  await db.schema.createIndex('participants_person_id_idx').on('participants').column('person_id').execute()

  await withId(db.schema.createTable('messages'))
    .addColumn('conversation_id', 'bigint', c => c.notNull().references('conversations.id'))
    .addColumn('sender_id', 'bigint', c => c.notNull().references('people.id'))
    .addColumn('content', 'text', c => c.notNull())
    .addColumn('media_id', 'bigint', c => c.references('media.id').onDelete('set null'))
    .addColumn('client_id', 'text')
    .addColumn('created_at', 'bigint', c => c.notNull())
    // Makes sending idempotent. Messages without a client id (null) never conflict.
    .addUniqueConstraint('messages_sender_id_client_id_key', ['sender_id', 'client_id'])
    .execute()
  // On -id, because for "newest of one conversation" by id Postgres may scan the primary key backwards through the
  // messages of all conversations.
  await db.schema
    .createIndex('messages_conversation_id_newest_idx')
    .on('messages')
    .expression(sql`conversation_id, (-id)`)
    .execute()
  // Without it, purging a file would scan all messages for references to it.
  await db.schema.createIndex('messages_media_id_idx').on('messages').column('media_id').execute()
}

async function createNotifications(db: Kysely<unknown>, { withId }: EngineTools): Promise<void> {
  await withId(db.schema.createTable('notifications'))
    .addColumn('person_id', 'bigint', c => c.notNull().references('people.id'))
    .addColumn('type', 'text', c => c.notNull())
    .addColumn('subject', 'text', c => c.notNull())
    .addColumn('actor_id', 'bigint', c => c.references('people.id'))
    .addColumn('media_id', 'bigint', c => c.references('media.id').onDelete('set null'))
    .addColumn('more_files', 'integer', c => c.notNull().defaultTo(0))
    .addColumn('note_id', 'bigint', c => c.references('notes.id').onDelete('set null'))
    .addColumn('tag_id', 'bigint', c => c.references('tags.id'))
    .addColumn('conversation_id', 'bigint')
    .addColumn('message_id', 'bigint')
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addColumn('read_at', 'bigint')
    .execute()
  await db.schema.createIndex('notifications_person_id_idx').on('notifications').columns(['person_id', 'id']).execute()
  await db.schema
    .createIndex('notifications_unread_idx')
    .on('notifications')
    .columns(['person_id', 'conversation_id'])
    .where(sql.ref('read_at'), 'is', null)
    .execute()
  await db.schema
    .createIndex('notifications_unread_message_key')
    .unique()
    .on('notifications')
    .columns(['person_id', 'conversation_id'])
    .where(sql<boolean>`type = 'message' and read_at is null`)
    .execute()
  // Without them, purging a file or deleting a note would scan all notifications for references to it.
  for (const column of ['media_id', 'note_id']) {
    await db.schema
      .createIndex(`notifications_${column}_idx`)
      .on('notifications')
      .column(column)
      .where(sql.ref(column), 'is not', null)
      .execute()
  }
}
