import { expect, test } from 'vitest'
import { emptyDatabase } from '../../../test/empty-database.ts'
import { engines } from '../../../test/library.ts'
import { dateColumns } from '../../media/file-date.ts'
import { connect } from '../database.ts'

const DAY = 86_400_000
const UPLOADED = Date.UTC(2025, 0, 1)

/** As the versions before stored them: what a file is listed under is in the last milliseconds of its sort key. */
const reserved = { month: 3, year: 2, decade: 1 }
const files: [edtf: string | null, heading: keyof typeof reserved | 'day' | 'undated', day: string][] = [
  ['2021-05-06T07:08:09', 'day', '2021-05-06'],
  ['1969-05-06', 'day', '1969-05-06'],
  ['1985-07', 'month', '1985-07-16'],
  ['1931', 'year', '1931-07-02'],
  ['196X', 'decade', '1964-12-31'],
  ['1964/1970', 'decade', '1967-07-02'],
  ['193X', 'decade', '1934-12-31'],
  [null, 'undated', '1970-01-01'],
]

test.each(engines)('on %s, headings that were part of the sort key get a rank beside it', async engine => {
  const { url, dataFolder, open, rows } = await emptyDatabase(engine)
  await (await connect({ url, dataFolder, schemaUpTo: '0030-changes' })).close()
  await rows(`insert into people (issuer, subject, email, username, name, role, status, requested_at)
    values ('i', 's', 'e', 'u', 'n', 'member', 'approved', 0)`)
  const values = [...files, ...files].map(([edtf, heading, dayText], i) => {
    const { date_earliest, date_latest, date_precision, date_source, date_sort } = dateColumns(edtf, 'name', UPLOADED)
    const day = Date.parse(dayText) / DAY
    const place = heading === 'day' || heading === 'undated' ? undefined : reserved[heading]
    const [key, group] =
      place === undefined
        ? [date_sort, heading === 'undated' ? -10_000_000 : day]
        : [day * DAY + DAY - place, day + place * 1_000_000]
    const texts = [edtf, date_precision, date_source].map(text => (text === null ? 'null' : `'${text}'`))
    const numbers = [date_earliest, date_latest, key, group].map(String)
    return `('${i}', 'image', 'jpeg', 'image/jpeg', 1, 'hash ${i}', ${UPLOADED}, (select min(id) from people), 'ready', '', '',
      ${i < files.length ? 'null' : '1'}, ${[...texts, ...numbers].join()})`
  })
  // A photo of the last millisecond of a day, which was reserved.
  const last = Date.parse('2021-05-06T23:59:59.999Z')
  values.push(`('last', 'image', 'jpeg', 'image/jpeg', 1, 'hash last', ${UPLOADED}, (select min(id) from people), 'ready', '', '',
    null, '2021-05-06T23:59:59.999', 'time', 'metadata', ${last}, ${last}, ${last - 3}, ${Date.parse('2021-05-06') / DAY})`)
  await rows(`insert into media (original_name, file_type, format, mime_type, file_size, hash, uploaded_at, uploaded_by,
    status, name_sort, location_sort, deleted_at, date_edtf, date_precision, date_source, date_earliest, date_latest,
    date_sort, day) values ${values.join()}`)

  const db = await open()
  const migrated = await db.query.selectFrom('media').selectAll().orderBy('id').execute()
  const expected = [...files, ...files, ['2021-05-06T23:59:59.999'] as const].map(([edtf]) => {
    const { date_sort, heading_rank, day } = dateColumns(edtf, 'name', UPLOADED)
    return { edtf, date_sort, heading_rank, day }
  })
  expect(
    migrated.map(({ date_edtf: edtf, date_sort, heading_rank, day }) => ({ edtf, date_sort, heading_rank, day })),
  ).toEqual(expected)
  const counts = await rows('select heading_rank, day, files from media_day_counts order by heading_rank, day')
  expect(counts.map(row => Object.values(row).map(Number))).toEqual(
    await rows(`select heading_rank, day, count(*) as files from media where deleted_at is null
      group by heading_rank, day order by heading_rank, day`).then(found =>
      found.map(row => Object.values(row).map(Number)),
    ),
  )
  expect(counts).toHaveLength(8)
})
