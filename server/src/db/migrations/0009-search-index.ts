import { type Kysely, sql } from 'kysely'
import { searchable } from '../../kit/searchable.ts'
import type { EngineTools } from '../engine.ts'

const ROWS_AT_ONCE = 1_000

/**
 * A file, a note and a tag each get a search text of their own. Until now a file's text held those of all its notes and
 * tags, and was indexed again as a whole for every one that was added.
 */
export async function up(db: Kysely<unknown>, tools: EngineTools): Promise<void> {
  await addFileTexts(db as Kysely<Tables>, tools)
  await addTextColumn(db as Kysely<Tables>, tools, 'notes', 'content')
  await addTextColumn(db as Kysely<Tables>, tools, 'tags', 'name')
  await tools.dropTrigramIndex(db, 'media', 'search_text')
  await db.schema.alterTable('media').dropColumn('search_text').execute()
  await addForeignKeyIndexes(db)
}

interface Tables {
  media: { id: number; original_name: string; location: string | null; camera: string | null }
  file_texts: { media_id: number; search_text: string }
  notes: { id: number; content: string; search_text: string }
  tags: { id: number; name: string; search_text: string }
}

async function addFileTexts(db: Kysely<Tables>, tools: EngineTools): Promise<void> {
  // On SQLite only an `integer` key is the row's own number, which the index refers to.
  await db.schema
    .createTable('file_texts')
    .addColumn('media_id', tools.engine === 'sqlite' ? 'integer' : 'bigint', c =>
      c.primaryKey().references('media.id').onDelete('cascade'),
    )
    .addColumn('search_text', 'text', c => c.notNull())
    .execute()
  for (let after = 0; ; ) {
    const files = await db
      .selectFrom('media')
      .select(['id', 'original_name', 'location', 'camera'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(ROWS_AT_ONCE)
      .execute()
    const last = files.at(-1)
    if (!last) break
    after = last.id
    const values = files.map(({ id, original_name, location, camera }) => ({
      media_id: id,
      search_text: [original_name, location, camera].flatMap(text => (text ? searchable(text) : [])).join('\n'),
    }))
    await db.insertInto('file_texts').values(values).execute()
  }
  await tools.addTrigramIndex(db, 'file_texts', 'search_text', 'media_id')
}

async function addTextColumn<Table extends 'notes' | 'tags'>(
  db: Kysely<Tables>,
  tools: EngineTools,
  table: Table,
  source: 'content' | 'name',
): Promise<void> {
  await db.schema
    .alterTable(table)
    .addColumn('search_text', 'text', c => c.notNull().defaultTo(''))
    .execute()
  for (let after = 0; ; ) {
    const { rows } = await sql<{ id: number; text: string }>`
      select id, ${sql.ref(source)} as text from ${sql.table(table)} where id > ${after} order by id limit ${ROWS_AT_ONCE}
    `.execute(db)
    const last = rows.at(-1)
    if (!last) break
    after = Number(last.id)
    const values = rows.map(({ id, text }) => sql`(cast(${id} as bigint), cast(${searchable(text)} as text))`)
    await sql`
      update ${sql.table(table)} set search_text = texts.column2
      from (values ${sql.join(values)}) as texts where ${sql.ref(`${table}.id`)} = texts.column1
    `.execute(db)
  }
  await tools.addTrigramIndex(db, table, 'search_text')
}

/** Without these a row that is deleted is looked for in the whole of each table that may refer to it. */
async function addForeignKeyIndexes(db: Kysely<unknown>): Promise<void> {
  await db.schema.createIndex('finished_uploads_by_media').on('finished_uploads').column('media_id').execute()
  await db.schema.createIndex('finished_uploads_by_age').on('finished_uploads').column('finished_at').execute()
  for (const [index, table, column] of [
    ['media_by_folder', 'media', 'folder_id'],
    ['folders_by_parent', 'folders', 'parent_id'],
  ] as const) {
    await db.schema.createIndex(index).on(table).column(column).where(sql.ref(column), 'is not', null).execute()
  }
}
