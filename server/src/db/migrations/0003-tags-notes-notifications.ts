import { type Kysely, sql } from 'kysely'
import type { EngineTools } from '../engine.ts'

export async function up(db: Kysely<unknown>, tools: EngineTools): Promise<void> {
  await addTags(db, tools)
  await addNotes(db, tools)
  await addNotifications(db, tools)
  await db.schema
    .createTable('zip_orders')
    .addColumn('token_hash', 'text', c => c.primaryKey())
    .addColumn('person_id', 'bigint', c => c.notNull().references('people.id'))
    .addColumn('file_ids', 'text', c => c.notNull())
    .addColumn('ordered_at', 'bigint', c => c.notNull())
    .execute()
  await db.schema.alterTable('media').addColumn('motion_part', 'text').execute()
}

async function addTags(db: Kysely<unknown>, { withId, sorted }: EngineTools): Promise<void> {
  await withId(db.schema.createTable('tags'))
    .addColumn('name', 'text', c => c.notNull())
    .addColumn('name_key', 'text', c => sorted(c).notNull().unique())
    .execute()
  await db.schema
    .createTable('media_tags')
    .addColumn('media_id', 'bigint', c => c.notNull().references('media.id').onDelete('cascade'))
    .addColumn('tag_id', 'bigint', c => c.notNull().references('tags.id'))
    .addColumn('added_at', 'bigint', c => c.notNull())
    .addColumn('added_by', 'bigint', c => c.notNull().references('people.id'))
    .addPrimaryKeyConstraint('a_tag_once_per_file', ['media_id', 'tag_id'])
    .execute()
  await db.schema.createIndex('media_by_tag').on('media_tags').columns(['tag_id', 'media_id']).execute()
}

async function addNotes(db: Kysely<unknown>, { withId }: EngineTools): Promise<void> {
  await withId(db.schema.createTable('notes'))
    .addColumn('media_id', 'bigint', c => c.notNull().references('media.id').onDelete('cascade'))
    .addColumn('author_id', 'bigint', c => c.notNull().references('people.id'))
    .addColumn('content', 'text', c => c.notNull())
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addColumn('edited_at', 'bigint')
    .execute()
  await db.schema.createIndex('notes_of_media').on('notes').columns(['media_id', 'id']).execute()
}

async function addNotifications(db: Kysely<unknown>, { withId }: EngineTools): Promise<void> {
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
  const { ref } = sql
  await db.schema.createIndex('notifications_of_person').on('notifications').columns(['person_id', 'id']).execute()
  await db.schema
    .createIndex('unread_notifications')
    .on('notifications')
    .columns(['person_id', 'conversation_id'])
    .where(ref('read_at'), 'is', null)
    .execute()
  await db.schema
    .createIndex('one_unread_message_per_conversation')
    .unique()
    .on('notifications')
    .columns(['person_id', 'conversation_id'])
    .where(sql<boolean>`type = 'message' and read_at is null`)
    .execute()
  // Else every file or note that is purged would be looked for in all of them.
  for (const column of ['media_id', 'note_id']) {
    await db.schema
      .createIndex(`notifications_by_${column}`)
      .on('notifications')
      .column(column)
      .where(ref(column), 'is not', null)
      .execute()
  }
}
