import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { emptyDatabase } from '../../test/empty-database.ts'
import { matching } from './filter.sql.ts'
import { readQuery, searchWords } from './filter.ts'
import { inOrder } from './list.sql.ts'

test('a search contains each word once, longest first', () => {
  expect(searchWords('boat Norway boat')).toEqual(['norway', 'boat'])
})

test('a word that is part of another is left out', () => {
  expect(searchWords('img img_2024 2024 g')).toEqual(['img_2024'])
  expect(searchWords('a '.repeat(100))).toEqual(['a'])
})

test('very many words are limited to the longest', () => {
  const words = Array.from({ length: 26 }, (_, i) => String.fromCharCode(97 + i).repeat(1 + (i % 5)))
  expect(searchWords(words.join(' '))).toHaveLength(10)
  expect(
    searchWords(words.join(' '))
      .slice(0, 5)
      .map(word => word.length),
  ).toEqual([5, 5, 5, 5, 5])
})

test('nothing is no word', () => {
  expect(searchWords('  ')).toEqual([])
})

test('SQLite sorts the files of a small album, and reads those of a large one in the order of an index', async () => {
  const { open, rows } = await emptyDatabase('sqlite')
  const db = await open()
  await rows(
    `insert into people (id, issuer, subject, email, username, name, role, status, requested_at) values (1, 'i', 's', 'e', 'u', 'n', 'member', 'approved', 0)`,
  )
  const files = Array.from({ length: 9 }, (_, i) => `('image', 'jpeg', 'image/jpeg', 1, '${i}', 0, 1, 'ready', 0, 0)`)
  await rows(
    `insert into media (file_type, format, mime_type, file_size, hash, uploaded_at, uploaded_by, status, date_sort, day, original_name, name_sort, location_sort) select *, '', '', '' from (values ${files.join()})`,
  )
  await rows(`insert into media_counts (folder_id, file_type, files, bytes) values (0, 'image', 9, 9)`)
  await rows(
    `insert into albums (id, title, search_text, description, file_order, created_at, created_by) values (1, 'Small', '', '', 'newest', 0, 1), (2, 'Large', '', '', 'newest', 0, 1)`,
  )
  await rows(
    `insert into album_files (album_id, media_id, position, added_at, added_by) select 1, id, id, 0, 1 from media where id <= 2 union all select 2, id, id, 0, 1 from media where id <= 3`,
  )
  const planOf = async (album: number) => {
    const { filter, order } = await readQuery(db, { sort: 'date', album }, 1)
    const query = inOrder(matching(db, filter, undefined, order).select('id'), order).limit(2)
    const { rows: steps } = await sql<{ detail: string }>`explain query plan select * from ${query}`.execute(db.query)
    return steps.map(({ detail }) => detail).join('; ')
  }
  expect(await planOf(1)).toContain('ORDER BY')
  expect(await planOf(2)).not.toContain('ORDER BY')
})
