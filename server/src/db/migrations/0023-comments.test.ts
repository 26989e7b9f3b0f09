import { expect, test } from 'vitest'
import { emptyDatabase } from '../../../test/empty-database.ts'
import { engines } from '../../../test/library.ts'
import { connect } from '../database.ts'

test.each(engines)('on %s, notes, deleted notes and comments on albums become comments', async engine => {
  const { url, dataFolder, open, rows } = await emptyDatabase(engine)
  await (await connect({ url, dataFolder, schemaUpTo: '0021-incomplete-files' })).close()
  await rows(`insert into people (id, issuer, subject, email, username, name, role, status, requested_at)
    values (1, 'i', 's', 'e', 'u', 'n', 'member', 'approved', 0)`)
  await rows(`insert into media (id, original_name, file_type, format, mime_type, file_size, hash, uploaded_at, uploaded_by,
    status, name_sort, location_sort, date_sort, day)
    values (7, 'a', 'image', 'jpeg', 'image/jpeg', 1, 'hash', 0, 1, 'ready', '', '', 0, 0)`)
  await rows(`insert into albums (id, title, search_text, description, file_order, created_at, created_by)
    values (5, 'Sea', 'sea', '', 'newest', 0, 1)`)
  await rows(`insert into notes (id, media_id, author_id, content, search_text, created_at, edited_at)
    values (2, 7, 1, 'Kept', 'kept', 10, 11)`)
  await rows(`insert into album_comments (id, album_id, author_id, content, created_at, deleted_at, deleted_by)
    values (1, 5, 1, 'Lovely Sea', 20, null, null), (3, 5, 1, 'Oops', 21, 22, 1)`)
  await rows(`insert into notifications (id, person_id, type, subject, media_id, note_id, album_id, album_comment_id, created_at)
    values (1, 1, 'comment', 'note', 7, 2, null, null, 0), (2, 1, 'comment', 'album', null, null, 5, 3, 0)`)
  const deletion = (note_id: number, content: string) =>
    JSON.stringify({ note_id, author_id: 1, content, created_at: 1, edited_at: null })
  // Note 2 has been restored since, 4 was deleted twice, and the file of 9 is gone.
  await rows(`insert into audit_log (created_at, actor_id, action, subject_type, subject_id, before) values
    (30, 1, 'note.delete', 'media', 7, '${deletion(2, 'Kept')}'), (31, 1, 'note.delete', 'media', 7, '${deletion(4, 'First')}'),
    (32, 1, 'note.delete', 'media', 7, '${deletion(4, 'Last')}'), (33, 1, 'note.delete', 'media', 8, '${deletion(9, 'Gone')}')`)

  const db = await open()
  const comments = await db.query.selectFrom('comments').selectAll().orderBy('id').execute()
  const row = { author_id: 1, media_id: null, album_id: null, edited_at: null, deleted_at: null, deleted_by: null }
  const deleted = { deleted_at: 32, deleted_by: 1 }
  expect(comments).toEqual([
    { ...row, id: 2, media_id: 7, content: 'Kept', search_text: 'kept', created_at: 10, edited_at: 11 },
    { ...row, id: 4, media_id: 7, content: 'Last', search_text: 'last', created_at: 1, ...deleted },
    { ...row, id: 10, album_id: 5, content: 'Lovely Sea', search_text: 'lovely sea', created_at: 20 },
    {
      ...row,
      id: 12,
      album_id: 5,
      content: 'Oops',
      search_text: 'oops',
      created_at: 21,
      deleted_at: 22,
      deleted_by: 1,
    },
  ])
  const notifications = await db.query.selectFrom('notifications').select(['id', 'comment_id']).orderBy('id').execute()
  expect(notifications).toEqual([
    { id: 1, comment_id: 2 },
    { id: 2, comment_id: 12 },
  ])
  const next = { media_id: 7, author_id: 1, content: 'New', search_text: 'new', created_at: 0 }
  const { id } = await db.query.insertInto('comments').values(next).returning('id').executeTakeFirstOrThrow()
  expect(id).toBe(13)
})
