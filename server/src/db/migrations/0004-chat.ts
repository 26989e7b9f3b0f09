import { type Kysely, sql } from 'kysely'
import type { EngineTools } from '../engine.ts'

export async function up(db: Kysely<unknown>, { withId }: EngineTools): Promise<void> {
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
    .addPrimaryKeyConstraint('a_person_once_per_conversation', ['conversation_id', 'person_id'])
    .execute()
  await db.schema.createIndex('participants_by_person').on('participants').column('person_id').execute()

  await withId(db.schema.createTable('messages'))
    .addColumn('conversation_id', 'bigint', c => c.notNull().references('conversations.id'))
    .addColumn('sender_id', 'bigint', c => c.notNull().references('people.id'))
    .addColumn('content', 'text', c => c.notNull())
    .addColumn('media_id', 'bigint', c => c.references('media.id').onDelete('set null'))
    .addColumn('client_id', 'text')
    .addColumn('created_at', 'bigint', c => c.notNull())
    // Messages without an id of their sender's are all different from each other.
    .addUniqueConstraint('one_message_per_client_id', ['sender_id', 'client_id'])
    .execute()
  // By the id's opposite: asked for the newest by the id itself, Postgres may well go through everybody's messages from
  // the end instead, until it has found enough of this conversation's.
  await db.schema.createIndex('messages_newest_first').on('messages').expression(sql`conversation_id, (-id)`).execute()
  // Else every file that is purged would be looked for in all of them.
  await db.schema.createIndex('messages_by_media').on('messages').column('media_id').execute()
}
