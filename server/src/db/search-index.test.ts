import { describe, expect, test } from 'vitest'
import { emptyDatabase } from '../../test/empty-database.ts'
import { engines } from '../../test/library.ts'
import { countMatching } from '../media/list.sql.ts'

/** Tables whose rows can be deleted: the engine then checks all foreign keys that refer to them. */
const DELETABLE = 'media comments folders albums links guests notifications'.split(' ')

describe.each(engines)('the schema (%s)', engine => {
  test('has an index on every column that refers to a row which can be deleted', async () => {
    const { open, rows } = await emptyDatabase(engine)
    await open()
    const references = await rows(engine === 'sqlite' ? sqliteReferences : postgresReferences)
    expect(references.length).toBeGreaterThan(8)
    const lacking = references.filter(({ parent, indexed }) => DELETABLE.includes(String(parent)) && !Number(indexed))
    expect(lacking).toEqual([])
  })

  test('indexes files, notes and tags for searches, and forgets what is deleted', async () => {
    const { open, rows } = await emptyDatabase(engine)
    const db = await open()
    await rows(
      `insert into people (id, issuer, subject, email, username, name, role, status, requested_at) values (1, 'i', 's', 'e', 'u', 'n', 'member', 'approved', 0)`,
    )
    const values = Array.from(
      { length: 2_500 },
      (_, i) =>
        `(${i + 1}, 'Ünï ${i + 1}.jpg', 'image', 'jpeg', 'image/jpeg', 1, 'hash ${i}', 0, 1, 'ready', 0, 0, '', '')`,
    )
    await rows(
      `insert into media (id, original_name, file_type, format, mime_type, file_size, hash, uploaded_at, uploaded_by, status, date_sort, day, name_sort, location_sort) values ${values.join()}`,
    )
    await rows(
      `insert into media_search_texts (media_id, search_text) select id, 'uni ' || id || '.jpg zurich' from media`,
    )
    await rows(
      `insert into comments (id, media_id, author_id, content, search_text, created_at) select id, id, 1, 'Nöte ' || id || '.', 'note ' || id || '.', 0 from media`,
    )
    await rows(`insert into tags (id, name, name_key, search_text) values (1, 'Täg', 'tag', 'tag')`)
    await rows(`insert into media_tags (media_id, tag_id, added_at, added_by) values (7, 1, 0, 1), (8, 1, 0, 1)`)
    const found = (...words: string[]) => countMatching(db, { words, given: {} })
    expect(await found('uni')).toBe(2_500)
    expect(await found('zurich', 'note')).toBe(2_500)
    expect(await found('note', '1234.')).toBe(1)
    expect(await found('tag')).toBe(2)
    expect(await found('tag', 'uni', 'note', '7.')).toBe(1)
    await rows('delete from comments where id = 1234')
    expect(await found('note', '1234.')).toBe(0)
    await rows('update comments set deleted_at = 1 where id = 1233')
    expect(await found('note', '1233.')).toBe(0)
    await db.query.deleteFrom('media').where('id', '=', 7).execute()
    expect(await found('tag')).toBe(1)
    expect(await found('uni')).toBe(2_499)
    expect(await rows('select * from media_search_texts where media_id = 7')).toEqual([])
  })
})

const sqliteReferences = `
  select tables.name as "table", keys."from" as "column", keys."table" as parent, exists (
    select 1 from pragma_index_list(tables.name) as indexes, pragma_index_info(indexes.name) as columns
    where columns.seqno = 0 and columns.name = keys."from"
  ) or exists (
    select 1 from pragma_table_info(tables.name) as own where own.name = keys."from" and own.pk = 1
  ) as indexed
  from sqlite_master as tables, pragma_foreign_key_list(tables.name) as keys where tables.type = 'table'`

const postgresReferences = `
  select keys.conrelid::regclass::text as "table", attname as "column", keys.confrelid::regclass::text as parent,
    (exists (select from pg_index where indrelid = keys.conrelid and indkey[0] = keys.conkey[1]))::int as indexed
  from pg_constraint as keys join pg_attribute on attrelid = keys.conrelid and attnum = keys.conkey[1]
  where keys.contype = 'f'`
