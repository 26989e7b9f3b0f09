import { expect, test } from 'vitest'
import { emptyDatabase } from '../../../test/empty-database.ts'
import { engines } from '../../../test/library.ts'
import { dateColumns } from '../../media/file-date.ts'
import { connect } from '../database.ts'

const DAY = 86_400_000
const UPLOADED = Date.UTC(2025, 0, 1)

interface Old {
  date: string
  source: string | null
  precision: string | null
  taken?: string
  fileDate?: string
}

/** Files as the versions before stored them, and the date that they have now. */
const files: [string, Old, edtf: string | null, source: string | null][] = [
  [
    'camera',
    { date: '2021-05-06T07:08:09.120', source: 'metadata', precision: 'time', taken: '2021-05-06T07:08:09.120' },
    '2021-05-06T07:08:09',
    'metadata',
  ],
  [
    'before sources were stored',
    { date: '1965-05-06T07:08:09', source: null, precision: null, taken: '1965-05-06T07:08:09' },
    '1965-05-06T07:08:09',
    'metadata',
  ],
  [
    'the last moment',
    { date: '2021-05-06T23:59:59.999', source: 'metadata', precision: 'time', taken: '2021-05-06T23:59:59.999' },
    '2021-05-06T23:59:59',
    'metadata',
  ],
  ['day', { date: '2019-01-01', source: 'name', precision: 'day' }, '2019-01-01', 'name'],
  ['month', { date: '1985-07-01', source: 'name', precision: 'month' }, '1985-07', 'name'],
  ['year', { date: '1931-01-01', source: 'sidecar', precision: 'year' }, '1931', 'sidecar'],
  [
    'file',
    { date: '2023-07-01T21:34:56', source: 'file', precision: 'time', fileDate: '2023-07-02T01:34:56' },
    '2023-07-01T21:34:56',
    'file',
  ],
  [
    'copy',
    { date: '2024-12-31T20:00:00', source: 'file', precision: 'time', fileDate: '2024-12-31T20:00:00' },
    null,
    null,
  ],
  ['upload', { date: '2025-01-01', source: 'upload', precision: 'time' }, null, null],
  [
    'unset clock',
    { date: '1980-01-01T00:10:00', source: 'metadata', precision: 'time', taken: '1980-01-01T00:10:00' },
    null,
    null,
  ],
  [
    'future',
    { date: '2026-01-01T00:10:00', source: 'metadata', precision: 'time', taken: '2026-01-01T00:10:00' },
    null,
    null,
  ],
]

const timeOf = (text: string | undefined) =>
  text === undefined ? 'null' : String(Date.parse(text.includes('T') ? `${text}Z` : text))
const textOf = (value: string | null) => (value === null ? 'null' : `'${value}'`)

test.each(engines)('on %s, the files of an older version get the columns that new files have', async engine => {
  const { url, dataFolder, open, rows } = await emptyDatabase(engine)
  await (await connect({ url, dataFolder, schemaUpTo: '0011-memories' })).close()
  await rows(`insert into people (issuer, subject, email, username, name, role, status, requested_at)
    values ('i', 's', 'e', 'u', 'n', 'member', 'approved', 0)`)
  const values = files.map(([name, { date, source, precision, taken, fileDate }], i) => {
    const day = Math.floor(Number(timeOf(date)) / DAY)
    const dates = [timeOf(taken), timeOf(fileDate), textOf(source), textOf(precision), timeOf(date), day].join()
    return `('${name}', 'image', 'jpeg', 'image/jpeg', 1, 'hash ${i}', ${UPLOADED}, (select min(id) from people), 'ready', '', '', ${dates})`
  })
  await rows(`insert into media (original_name, file_type, format, mime_type, file_size, hash, uploaded_at, uploaded_by,
    status, name_sort, location_sort, taken_local, file_date, date_source, date_precision, date_sort, day)
    values ${values.join()}`)

  const db = await open()
  const migrated = await db.query.selectFrom('media').selectAll().orderBy('id').execute()
  for (const [i, [name, old, edtf, source]] of files.entries()) {
    const row = migrated[i]
    const expected = dateColumns(edtf, source as 'name' | null, UPLOADED)
    const { date_edtf, date_sort, heading_rank, day, date_source, date_precision, found_edtf, found_source } = row ?? {}
    expect({ date_edtf, heading_rank, day, date_source, date_precision }, name).toEqual({
      date_edtf: expected.date_edtf,
      heading_rank: expected.heading_rank,
      day: expected.day,
      date_source: expected.date_source,
      date_precision: expected.date_precision,
    })
    expect([found_edtf, found_source], name).toEqual([edtf, source])
    // Milliseconds still order the photos of a second.
    const exact = old.date.includes('.')
    expect(exact ? Math.floor((date_sort ?? 0) / 1_000) : date_sort, name).toBe(
      exact ? Math.floor(expected.date_sort / 1_000) : expected.date_sort,
    )
    expect(row?.date_sort_asc, name).toBe(edtf === null ? -(date_sort ?? 0) : date_sort)
  }
  const counts = await db.query
    .selectFrom('media_day_counts')
    .select(({ fn }) => fn.sum<number>('files').as('files'))
    .execute()
  expect(counts).toEqual([{ files: files.length }])
})
