import { type Kysely, sql } from 'kysely'
import { z } from 'zod'
import { searchable } from '../../kit/searchable.ts'
import type { EngineTools } from '../engine.ts'

/**
 * One table for notes on files and comments on albums. Notes keep their ids; comments get new ones after them. Deleted
 * notes, which were only in the audit log, become deleted rows.
 */
export async function up(db: Kysely<unknown>, tools: EngineTools): Promise<void> {
  await createComments(db, tools)
  await sql`insert into comments (id, media_id, author_id, content, search_text, created_at, edited_at)
    select id, media_id, author_id, content, search_text, created_at, edited_at from notes`.execute(db)
  const deleted = await insertDeletedNotes(db)
  // Ids are never used again, also those of notes that are gone.
  const offset = Math.max(deleted, await highestId(db), await lastIdOf(db, tools, 'notes'))
  await insertAlbumComments(db, offset)
  const last = offset + (await lastIdOf(db, tools, 'album_comments'))
  await setLastId(db, tools, Math.max(last, await highestId(db)))
  await tools.addTrigramIndex(db, 'comments', 'search_text')
  await moveNotifications(db, offset)
  if (tools.engine === 'sqlite') await sql`drop table notes_search_text_trigrams`.execute(db)
  for (const table of ['notes', 'album_comments']) await db.schema.dropTable(table).execute()
}

async function createComments(db: Kysely<unknown>, { withId }: EngineTools): Promise<void> {
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
  await db.schema
    .createIndex('comments_deleted_at_idx')
    .on('comments')
    .column('deleted_at')
    .where(sql.ref('deleted_at'), 'is not', null)
    .execute()
}

const DeletedNote = z.object({
  note_id: z.number(),
  author_id: z.number(),
  content: z.string(),
  created_at: z.number(),
  edited_at: z.number().nullable(),
})

/** Returns the highest id of all notes that were ever deleted: audit lines refer to them, so it is not used again. */
async function insertDeletedNotes(db: Kysely<unknown>): Promise<number> {
  const { rows } = await sql<{ actor_id: number | null; media_id: number; before: string; deleted_at: number }>`
    select audit_log.actor_id, media.id as media_id, audit_log.before, audit_log.created_at as deleted_at from audit_log
    left join media on media.id = audit_log.subject_id
    where audit_log.action = 'note.delete' order by audit_log.id desc`.execute(db)
  let highest = 0
  for (const { actor_id, media_id, before, deleted_at } of rows) {
    const note = DeletedNote.safeParse(JSON.parse(before)).data
    if (!note) continue
    highest = Math.max(highest, note.note_id)
    if (media_id === null) continue
    // Only its last deletion, unless it has been restored.
    const { note_id, author_id, content, created_at, edited_at } = note
    await sql`insert into comments (id, media_id, author_id, content, search_text, created_at, edited_at, deleted_at, deleted_by)
      values (${note_id}, ${media_id}, ${author_id}, ${content}, ${searchable(content)}, ${created_at}, ${edited_at}, ${deleted_at}, ${actor_id})
      on conflict (id) do nothing`.execute(db)
  }
  return highest
}

async function lastIdOf(db: Kysely<unknown>, { engine }: EngineTools, table: string): Promise<number> {
  const query =
    engine === 'sqlite'
      ? sql<{ last: number | null }>`select max(seq) as last from sqlite_sequence where name = ${table}`
      : sql<{ last: number | null }>`select max(last_value) as last from pg_sequences
          where schemaname = current_schema() and sequencename = ${`${table}_id_seq`}`
  const { rows } = await query.execute(db)
  return Number(rows[0]?.last ?? 0)
}

async function setLastId(db: Kysely<unknown>, { engine }: EngineTools, last: number): Promise<void> {
  if (last === 0) return
  if (engine === 'postgres') {
    await sql`select setval(pg_get_serial_sequence('comments', 'id'), ${last})`.execute(db)
    return
  }
  await sql`delete from sqlite_sequence where name = 'comments'`.execute(db)
  await sql`insert into sqlite_sequence (name, seq) values ('comments', ${last})`.execute(db)
}

async function highestId(db: Kysely<unknown>): Promise<number> {
  const { rows } = await sql<{ highest: number | null }>`select max(id) as highest from comments`.execute(db)
  return Number(rows[0]?.highest ?? 0)
}

const ROWS_AT_ONCE = 500

async function insertAlbumComments(db: Kysely<unknown>, offset: number): Promise<void> {
  interface AlbumComment {
    id: number
    content: string
  }
  for (let after = 0; ; ) {
    const { rows } = await sql<AlbumComment>`select id, content from album_comments where id > ${after}
      order by id limit ${sql.lit(ROWS_AT_ONCE)}`.execute(db)
    for (const { id, content } of rows) {
      await sql`insert into comments
        (id, album_id, author_id, content, search_text, created_at, edited_at, deleted_at, deleted_by)
        select id + ${offset}, album_id, author_id, content, ${searchable(content)}, created_at, edited_at, deleted_at, deleted_by
        from album_comments where id = ${id}`.execute(db)
    }
    const last = rows.at(-1)
    if (!last) return
    after = last.id
  }
}

async function moveNotifications(db: Kysely<unknown>, offset: number): Promise<void> {
  await db.schema
    .alterTable('notifications')
    .addColumn('comment_id', 'bigint', c => c.references('comments.id').onDelete('set null'))
    .execute()
  await sql`update notifications set comment_id = coalesce(note_id, album_comment_id + ${offset})
    where note_id is not null or album_comment_id is not null`.execute(db)
  for (const column of ['note_id', 'album_comment_id']) {
    await db.schema.dropIndex(`notifications_${column}_idx`).execute()
    await db.schema.alterTable('notifications').dropColumn(column).execute()
  }
  await db.schema
    .createIndex('notifications_comment_id_idx')
    .on('notifications')
    .column('comment_id')
    .where(sql.ref('comment_id'), 'is not', null)
    .execute()
}
