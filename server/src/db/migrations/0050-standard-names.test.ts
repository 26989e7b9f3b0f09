import { expect, test } from 'vitest'
import { emptyDatabase } from '../../../test/empty-database.ts'
import { engines } from '../../../test/library.ts'
import { connect } from '../database.ts'

test.each(engines)('on %s, upload links and audit lines keep what they say under the new names', async engine => {
  const { url, dataFolder, open, rows } = await emptyDatabase(engine)
  await (await connect({ url, dataFolder, schemaUpTo: '0023-comments' })).close()
  await rows(`insert into people (issuer, subject, email, username, name, role, status, requested_at)
    values ('i', 's', 'e', 'u', 'n', 'member', 'approved', 0)`)
  const person = '(select min(id) from people)'
  await rows(`insert into albums (title, search_text, description, file_order, created_by, created_at)
    values ('Wedding', '', '', 'added', ${person}, 0)`)
  await rows(`insert into links (token_hash, created_by, created_at, inbox_album_id, most_files, most_bytes)
    select 'h', ${person}, 0, min(id), 7, 8 from albums`)
  await rows(`insert into guests (name, created_at) values ('Tom', 0)`)
  await rows(`insert into guest_uploads (upload_id, guest_id, state, size, begun_at)
    select 'u', min(id), 'refused', 9, 10 from guests`)
  await rows(`insert into audit_log (created_at, action, subject_type, subject_id) values
    (0, 'guests.refuse', 'album', 1), (0, 'album.put-back', 'album', 1), (0, 'person.invite-to-ask', 'person', 1)`)

  const db = await open()
  expect(await db.query.selectFrom('links').selectAll().executeTakeFirst()).toMatchObject({
    upload_album_id: expect.any(Number),
    max_files: 7,
    max_bytes: 8,
  })
  expect(await db.query.selectFrom('guest_uploads').selectAll().executeTakeFirst()).toMatchObject({
    state: 'rejected',
    started_at: 10,
    duplicate_id: null,
  })
  const audit = await db.query.selectFrom('audit_log').select('action').orderBy('id').execute()
  expect(audit.map(line => line.action)).toEqual(['guests.reject', 'album.restore-files', 'person.invite-for-approval'])
})
