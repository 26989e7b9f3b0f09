import { expect, test } from 'vitest'
import { emptyDatabase } from '../../../test/empty-database.ts'
import { engines } from '../../../test/library.ts'
import { connect } from '../database.ts'

test.each(engines)('on %s, positions that the map could not show are at zero', async engine => {
  const { url, dataFolder, open, rows } = await emptyDatabase(engine)
  await (await connect({ url, dataFolder, schemaUpTo: '0017-corrections-by-time' })).close()
  await rows(`insert into people (issuer, subject, email, username, name, role, status, requested_at)
    values ('i', 's', 'e', 'u', 'n', 'member', 'approved', 0)`)
  const positions = ['5e-324, 12', '-1e-320, 5e-324', '0.0000001, -3', '51.4778944444444, -0.0014']
  const values = positions.map(
    (position, i) =>
      `('a', 'image', 'jpeg', 'image/jpeg', 1, 'hash ${i}', 0, (select min(id) from people), 'ready', '', '', 0, 0, ${position})`,
  )
  await rows(`insert into media (original_name, file_type, format, mime_type, file_size, hash, uploaded_at, uploaded_by,
    status, name_sort, location_sort, date_sort, day, latitude, longitude) values ${values.join()}`)
  await rows(`insert into place_corrections (media_id, kind, latitude, longitude, corrected_by, corrected_at, change_id,
    camera_latitude, camera_longitude, previous_latitude, previous_longitude)
    select min(id), 'set', 5e-324, 1, min(uploaded_by), 0, 'c', -5e-324, 2, 3, 1e-310 from media`)

  const db = await open({ schemaUpTo: '0020-tiny-coordinates' })
  const media = await db.query.selectFrom('media').select(['latitude', 'longitude']).orderBy('id').execute()
  expect(media.map(row => [row.latitude, row.longitude])).toEqual([
    [0, 12],
    [0, 0],
    [0.0000001, -3],
    [51.4778944444444, -0.0014],
  ])
  expect(await db.query.selectFrom('place_corrections').selectAll().executeTakeFirst()).toMatchObject({
    latitude: 0,
    longitude: 1,
    camera_latitude: 0,
    camera_longitude: 2,
    previous_latitude: 3,
    previous_longitude: 0,
  })
})
