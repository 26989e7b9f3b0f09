import { type Kysely, sql } from 'kysely'
import type { EngineTools } from '../../engine.ts'
import { indexOfSet } from './add-index.ts'

/** Notes on files and comments on albums. */
export async function createComments(db: Kysely<unknown>, { withId }: EngineTools): Promise<void> {
  await withId(db.schema.createTable('comments'))
    .addColumn('media_id', 'bigint', c => c.references('media.id').onDelete('cascade'))
    .addColumn('album_id', 'bigint', c => c.references('albums.id').onDelete('cascade'))
    .addColumn('author_id', 'bigint', c => c.notNull().references('people.id'))
    .addColumn('content', 'text', c => c.notNull())
    .addColumn('search_text', 'text', c => c.notNull())
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addColumn('edited_at', 'bigint')
    .addColumn('deleted_at', 'bigint')
    .addColumn('deleted_by', 'bigint', c => c.references('people.id'))
    .addCheckConstraint('comments_subject', sql`(media_id is null) <> (album_id is null)`)
    .execute()
  for (const column of ['media_id', 'album_id', 'author_id']) {
    await db.schema.createIndex(`comments_${column}_idx`).on('comments').columns([column, 'id']).execute()
  }
  // For the cleanup, which looks for what was removed a while ago.
  await indexOfSet(db, 'comments', 'deleted_at')
}

export async function createConversations(db: Kysely<unknown>, { withId }: EngineTools): Promise<void> {
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

export async function createNotifications(db: Kysely<unknown>, { withId }: EngineTools): Promise<void> {
  await withId(db.schema.createTable('notifications'))
    .addColumn('person_id', 'bigint', c => c.notNull().references('people.id'))
    .addColumn('type', 'text', c => c.notNull())
    .addColumn('subject', 'text', c => c.notNull())
    .addColumn('actor_id', 'bigint', c => c.references('people.id'))
    .addColumn('media_id', 'bigint', c => c.references('media.id').onDelete('set null'))
    .addColumn('more_files', 'integer', c => c.notNull().defaultTo(0))
    .addColumn('comment_id', 'bigint', c => c.references('comments.id').onDelete('set null'))
    .addColumn('tag_id', 'bigint', c => c.references('tags.id'))
    .addColumn('conversation_id', 'bigint')
    .addColumn('message_id', 'bigint')
    .addColumn('album_id', 'bigint', c => c.references('albums.id').onDelete('set null'))
    .addColumn('guests_since', 'bigint')
    .addColumn('memory_day', 'bigint')
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
  // Without them, purging a file or a comment would scan all notifications for references to it.
  for (const column of ['media_id', 'comment_id', 'album_id']) await indexOfSet(db, 'notifications', column)
}

/** Each person's favourites. */
export async function createHearts(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('hearts')
    .addColumn('media_id', 'bigint', c => c.notNull().references('media.id').onDelete('cascade'))
    .addColumn('person_id', 'bigint', c => c.notNull().references('people.id'))
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addColumn('notification_id', 'bigint', c => c.references('notifications.id').onDelete('set null'))
    .addPrimaryKeyConstraint('hearts_pkey', ['media_id', 'person_id'])
    .execute()
  await db.schema.createIndex('hearts_person_id_idx').on('hearts').columns(['person_id', 'media_id']).execute()
  // For the text of a notification, and for deleting one.
  await db.schema
    .createIndex('hearts_notification_id_idx')
    .on('hearts')
    .columns(['notification_id', 'media_id', 'person_id'])
    .where(sql.ref('notification_id'), 'is not', null)
    .execute()
}
