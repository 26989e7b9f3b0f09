import { expect, test } from 'vitest'
import { emptyDatabase } from '../../../test/empty-database.ts'
import { engines } from '../../../test/library.ts'
import { connect } from '../database.ts'

test.each(engines)('on %s, what could be undone of corrected dates and places becomes changes', async engine => {
  const { url, dataFolder, open, rows } = await emptyDatabase(engine)
  await (await connect({ url, dataFolder, schemaUpTo: '0023-comments' })).close()
  await rows(`insert into people (id, issuer, subject, email, username, name, role, status, requested_at)
    values (1, 'i', 's', 'e', 'u', 'n', 'member', 'approved', 0), (2, 'i', 't', 'f', 'v', 'n', 'member', 'approved', 0)`)
  const before = JSON.stringify({ edtf: '1974', by: 2, at: 90 })
  const media = (id: number, type: string, by: number | null, at: number | null, date: string | null) =>
    `(${id}, 'a', '${type}', 'jpeg', 'image/jpeg', 1, 'hash ${id}', 0, 1, 'ready', '', '', 0, 0, ${by}, ${at}, ${date === null ? 'null' : `'${date}'`})`
  await rows(`insert into media (id, original_name, file_type, format, mime_type, file_size, hash, uploaded_at, uploaded_by,
    status, name_sort, location_sort, date_sort, day, corrected_by, corrected_at, date_before) values
    ${[media(5, 'image', 1, 100, 'null'), media(6, 'video', 1, 100, before), media(7, 'image', 2, 100, 'null'), media(8, 'image', 2, 90, null)].join()}`)
  const place = (id: number, change: string, at: number, previous: string) =>
    `(${id}, 'set', 1.5, 2.5, 'There', 1, ${at}, '${change}', ${previous})`
  await rows(`insert into place_corrections (media_id, kind, latitude, longitude, location, corrected_by, corrected_at, change_id,
    previous_kind, previous_latitude, previous_longitude, previous_location, previous_by, previous_at) values
    ${[place(5, 'x', 50, 'null, null, null, null, null, null'), place(6, 'x', 60, `'set', 38.7169, -9.1399, 'L”is"bon', 2, 40`), place(7, '', 60, 'null, null, null, null, null, null')].join()}`)

  const db = await open()
  const changes = await db.query.selectFrom('changes').selectAll().orderBy('kind').orderBy('person_id').execute()
  const row = { id: expect.any(Number), value: null, undone: 0 }
  const dates = { ...row, kind: 'media.date', field: 'date', created_at: 100 }
  expect(changes).toEqual([
    { ...dates, person_id: 1, files: 2, videos: 1 },
    { ...dates, person_id: 2, files: 1, videos: 0 },
    { ...row, kind: 'media.place', field: 'place', created_at: 50, person_id: 1, files: 2, videos: 1 },
  ])
  const files = await db.query.selectFrom('change_files').selectAll().execute()
  const [mine, theirs, places] = changes.map(change => change.id)
  const own = (change: number | undefined) =>
    files
      .filter(file => file.change_id === change)
      .map(file => [file.media_id, file.undone_at, JSON.parse(file.before ?? '')])
  const found = { edtf: null, source: null, by: null, at: null }
  expect(own(mine)).toEqual([
    [5, null, found],
    [6, null, { edtf: '1974', source: 'person', by: 2, at: 90 }],
  ])
  expect(own(theirs)).toEqual([[7, null, found]])
  const lisbon = { kind: 'set', latitude: 38.7169, longitude: -9.1399, location: 'L”is"bon', by: 2, at: 40 }
  expect(own(places)).toEqual([
    [5, null, { correction: null }],
    [6, null, { correction: lisbon }],
  ])
  expect(await rows('select * from place_corrections where media_id = 6')).toEqual([
    expect.not.objectContaining({ change_id: expect.anything() }),
  ])
})
