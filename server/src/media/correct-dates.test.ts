import { expect, test } from 'vitest'
import { listActivity, retryFailedFile } from '#contract/admin.ts'
import { undoChange } from '#contract/changes.ts'
import { changeDates, type DateChange, previewDates } from '#contract/dates.ts'
import { mediaGrid, readGrid } from '#contract/grid.ts'
import { deleteMedia, getMedia } from '#contract/media.ts'
import { listMedia, mediaIds, mediaSuggestions, timeline } from '#contract/media-list.ts'
import { insertMedia } from '../../test/fixtures/insert-media.ts'
import { memberOf } from '../../test/fixtures/members.ts'
import { makePicture } from '../../test/fixtures/pictures.ts'
import { untilPrepared, uploadFile } from '../../test/fixtures/uploads.ts'
import { onBothEngines } from '../../test/library.ts'
import { planChange } from './correct-dates.ts'

type Member = Awaited<ReturnType<typeof memberOf>>

const correct = (member: Member, fileIds: number[], change: DateChange) =>
  member.call(changeDates, { body: { fileIds, change } })
const undo = (member: Member, { change_id }: { change_id: number | null }) =>
  member.call(undoChange, { params: { id: change_id ?? 0 } })
const edtfOf = async (member: Member, id: number) => (await member.call(getMedia, { params: { id } })).edtf

onBothEngines('corrected dates:', library => {
  const insert = (name: string, ...dates: string[]) =>
    insertMedia(
      library(),
      dates.map((date, i) => ({ name: `${name} ${i}.jpg`, date: Date.parse(date) })),
    )

  test('are shown beside what was found and who says so, and are undone in one step', async () => {
    const [ada, ben] = [await memberOf(library(), 'ada'), await memberOf(library(), 'ben')]
    const [a = 0, b = 0] = await insert('one', '2020-05-06T07:08:09Z', '2021-05-06T07:08:09Z')
    const first = await correct(ada, [a], { kind: 'set', edtf: '1974-22' })
    expect(first).toMatchObject({ changed: 1, skipped: 0 })
    const file = await ben.call(getMedia, { params: { id: a } })
    expect(file).toMatchObject({ edtf: '1974-22', taken_at: null, date_source: 'person', date: '1974-07-16T00:00:00' })
    expect(file.date_correction).toMatchObject({ found: '2020-05-06T07:08:09', found_source: 'file' })
    expect(file.date_correction?.by?.username).toBe('ada')

    const second = await correct(ben, [a, b], { kind: 'set', edtf: '196X' })
    expect(second.changed).toBe(2)
    await expect(undo(ada, second)).rejects.toMatchObject({ status: 404 })
    expect(await undo(ben, second)).toEqual({ restored: 2 })
    const restored = await ada.call(getMedia, { params: { id: a } })
    expect(restored).toMatchObject({ edtf: '1974-22', date_source: 'person' })
    expect(restored.date_correction?.by?.username).toBe('ada')
    expect(await ada.call(getMedia, { params: { id: b } })).toMatchObject({
      edtf: '2021-05-06T07:08:09',
      date_source: 'file',
      date_correction: null,
    })
    await expect(undo(ben, second)).rejects.toMatchObject({ status: 409 })
    const admin = await library().admin()
    const lines = await admin.call(listActivity, { query: { person_id: await library().idOf('ben') } })
    const [undone, changed] = lines
    expect(undone).toMatchObject({ act: 'media.undo', files: 2, before: { undone: 'media.date' } })
    expect(changed).toMatchObject({ act: 'media.date', files: 2, actor: { username: 'ben' } })
  })

  test('of more files than one call takes are one change, which is undone as one', async () => {
    const [ada, ben] = [await memberOf(library(), 'ada'), await memberOf(library(), 'ben')]
    const [a = 0, b = 0] = await insert('parts', '2020-05-06T07:08:09Z', '2021-05-06T07:08:09Z')
    const change = { kind: 'set', edtf: '1974' } as const
    const first = await correct(ada, [a], change)
    library().pass(5_000)
    const next = { fileIds: [b], change, continues: first.change_id }
    await expect(ben.call(changeDates, { body: next })).rejects.toMatchObject({ status: 409 })
    expect(await ada.call(changeDates, { body: next })).toMatchObject({ changed: 1, change_id: first.change_id })
    const undoableBy = async (member: Member) => (await member.call(getMedia, { params: { id: b } })).undoable
    expect(await undoableBy(ada)).toMatchObject([{ id: first.change_id, kind: 'media.date', files: 2 }])
    expect(await undoableBy(ben)).toEqual([])
    library().pass(25 * 3_600_000)
    await expect(ada.call(changeDates, { body: next })).resolves.toMatchObject({ changed: 0 })
    const late = { ...next, change: { kind: 'set', edtf: '1975' } as const }
    await expect(ada.call(changeDates, { body: late })).rejects.toMatchObject({ status: 409 })
    expect(await undo(ada, first)).toEqual({ restored: 2 })
    expect(await edtfOf(ada, b)).toBe('2021-05-06T07:08:09')
  })

  test('can be seen before they are made', async () => {
    const ada = await memberOf(library())
    const [a = 0, b = 0, c = 0] = await insert(
      'seen',
      ...['2020', '2021', '2022'].map(year => `${year}-05-06T07:08:09Z`),
    )
    await correct(ada, [a], { kind: 'set', edtf: '1974' })
    const fileIds = [a, c, b]
    const shift: DateChange = { kind: 'shift', minutes: -60 }
    expect(await ada.call(previewDates, { body: { fileIds, change: shift } })).toEqual({
      changed: 2,
      skipped: 1,
      first: { name: 'seen 2.jpg', before: '2022-05-06T07:08:09', after: '2022-05-06T06:08:09' },
      home_zone: 'UTC',
    })
    const zone: DateChange = { kind: 'zone', zone: 'Asia/Kolkata', keep: 'moment' }
    expect((await ada.call(previewDates, { body: { fileIds: [b], change: zone } })).first).toEqual({
      name: 'seen 1.jpg',
      before: '2021-05-06T07:08:09',
      after: '2021-05-06T12:38:09+05:30',
    })
    const cleared = await ada.call(previewDates, { body: { fileIds, change: { kind: 'clear' } } })
    expect(cleared).toMatchObject({ changed: 1, first: { before: '1974', after: '2020-05-06T07:08:09' } })
    expect(await edtfOf(ada, c)).toBe('2022-05-06T07:08:09')
  })

  test('are undone later for all files of the change that nobody has corrected or deleted since', async () => {
    const [ada, ben] = [await memberOf(library(), 'ada'), await memberOf(library(), 'ben')]
    const ids = await insert('later', ...['2020', '2021', '2022', '2023'].map(year => `${year}-05-06T07:08:09Z`))
    const [a = 0, b = 0, c = 0] = ids
    const changed = await correct(ada, ids, { kind: 'set', edtf: '1974' })
    await correct(ben, [b], { kind: 'set', edtf: '1975' })
    await ada.call(deleteMedia, { params: { id: c } })
    expect((await ada.call(getMedia, { params: { id: a } })).undoable).toMatchObject([{ files: 2 }])
    expect((await ada.call(getMedia, { params: { id: b } })).undoable).toEqual([])
    expect(await undo(ada, changed)).toEqual({ restored: 2 })
    expect(await Promise.all([a, b].map(id => edtfOf(ada, id)))).toEqual(['2020-05-06T07:08:09', '1975'])
  })

  test('go back to what was found, which can be undone, too', async () => {
    const ada = await memberOf(library())
    const [id = 0] = await insert('clear', '2020-05-06T07:08:09Z')
    await correct(ada, [id], { kind: 'set', edtf: '1950~' })
    const cleared = await correct(ada, [id], { kind: 'clear' })
    expect(await edtfOf(ada, id)).toBe('2020-05-06T07:08:09')
    await undo(ada, cleared)
    expect(await edtfOf(ada, id)).toBe('1950~')
    const same = await correct(ada, [id], { kind: 'set', edtf: '1950~' })
    expect(same).toEqual({ changed: 0, skipped: 0, change_id: null })
  })

  test('are undone one change after the other, the last one first', async () => {
    const ada = await memberOf(library())
    const [id = 0] = await insert('twice', '2020-05-06T07:08:09Z')
    await correct(ada, [id], { kind: 'set', edtf: '1950' })
    const [second, third] = [
      await correct(ada, [id], { kind: 'set', edtf: '1960' }),
      await correct(ada, [id], { kind: 'set', edtf: '1970' }),
    ]
    await expect(undo(ada, second)).rejects.toMatchObject({ status: 409 })
    await undo(ada, third)
    expect(await edtfOf(ada, id)).toBe('1960')
    await expect(undo(ada, third)).rejects.toMatchObject({ status: 409 })
    await undo(ada, second)
    expect(await edtfOf(ada, id)).toBe('1950')
    const admin = await library().admin()
    const lines = await admin.call(listActivity, { query: { media_id: id } })
    expect(lines.map(({ act, before }) => [act, before]).toReversed()).toMatchObject([
      ['media.date', { edtf: '2020-05-06T07:08:09', source: 'file' }],
      ['media.date', { edtf: '1950', source: 'person' }],
      ['media.date', { edtf: '1960' }],
      ['media.undo', { undone: 'media.date' }],
      ['media.undo', { undone: 'media.date' }],
    ])
  })

  test('are shifted, each from its own, where they are exact enough', async () => {
    const ada = await memberOf(library())
    const ids = await insert('shift', '2020-01-01T00:30:00Z', '2020-06-01T12:00:00Z', '2020-06-02T12:00:00Z')
    const [a = 0, b = 0, c = 0] = ids
    await correct(ada, [b], { kind: 'set', edtf: '2020-06-01' })
    await correct(ada, [c], { kind: 'set', edtf: '1974' })
    const byAnHour = await correct(ada, ids, { kind: 'shift', minutes: -60 })
    expect(byAnHour).toMatchObject({ changed: 1, skipped: 2 })
    expect(await edtfOf(ada, a)).toBe('2019-12-31T23:30:00')
    const byDays = await correct(ada, ids, { kind: 'shift', minutes: 2 * 24 * 60 })
    expect(byDays).toMatchObject({ changed: 2, skipped: 1 })
    expect([await edtfOf(ada, a), await edtfOf(ada, b)]).toEqual(['2020-01-02T23:30:00', '2020-06-03'])
    await undo(ada, byDays)
    expect([await edtfOf(ada, a), await edtfOf(ada, b)]).toEqual(['2019-12-31T23:30:00', '2020-06-01'])
  })

  test('are copied from another file, unless it has none', async () => {
    const ada = await memberOf(library())
    const [from = 0, to = 0] = await insert('copy', '2020-05-06T07:08:09Z', '2021-05-06T07:08:09Z')
    await correct(ada, [from], { kind: 'set', edtf: '1964/1970' })
    await correct(ada, [to], { kind: 'copy', from })
    expect(await edtfOf(ada, to)).toBe('1964/1970')
    await correct(ada, [from], { kind: 'set', edtf: 'XXXX' })
    expect(await edtfOf(ada, from)).toBeNull()
    await expect(correct(ada, [to], { kind: 'copy', from })).rejects.toMatchObject({ status: 409 })
  })

  test('get a time zone, with the clock or the moment as it was', async () => {
    const ada = await memberOf(library())
    const [id = 0] = await insert('zone', '2020-07-01T10:00:00Z')
    await correct(ada, [id], { kind: 'zone', zone: 'Europe/Berlin', keep: 'clock' })
    expect(await ada.call(getMedia, { params: { id } })).toMatchObject({ taken_at: '2020-07-01T10:00:00+02:00' })
    await correct(ada, [id], { kind: 'zone', zone: 'Asia/Tokyo', keep: 'moment' })
    expect(await edtfOf(ada, id)).toBe('2020-07-01T17:00:00+09:00')
    const nowhere = correct(ada, [id], { kind: 'zone', zone: 'Europe/Nowhere', keep: 'clock' })
    await expect(nowhere).rejects.toMatchObject({ status: 422 })
  })

  test('survive preparing the file again', async () => {
    const ada = await memberOf(library())
    const bytes = await makePicture({ takenAt: '2021-05-06T07:08:09' })
    const { id } = await uploadFile(ada, { name: 'again.jpg', bytes })
    await untilPrepared(ada, id)
    await correct(ada, [id], { kind: 'set', edtf: '1974' })
    await library().rows(`update media set status = 'failed' where id = ${id}`)
    await (await library().admin()).call(retryFailedFile, { params: { id } })
    expect(await untilPrepared(ada, id)).toMatchObject({ edtf: '1974', date_source: 'person', taken_at: null })
    await correct(ada, [id], { kind: 'clear' })
    expect(await ada.call(getMedia, { params: { id } })).toMatchObject({ taken_at: '2021-05-06T07:08:09' })
  })

  test('leave out deleted files', async () => {
    const ada = await memberOf(library())
    const [id = 0] = await insert('gone', '2020-07-01T10:00:00Z')
    await ada.call(deleteMedia, { params: { id } })
    expect(await correct(ada, [id], { kind: 'set', edtf: '1974' })).toMatchObject({ changed: 0, skipped: 0 })
  })

  test('of a thousand files are changed and undone at once', async () => {
    const ada = await memberOf(library())
    const dates = Array.from({ length: 1_200 }, (_, i) => new Date(Date.UTC(2012, 0, 1) + i * 3_600_000).toISOString())
    const ids = await insert('many', ...dates)
    const changed = await correct(ada, ids, { kind: 'shift', minutes: 60 })
    expect(changed.changed).toBe(1_200)
    expect(await ada.call(getMedia, { params: { id: ids[10] ?? 0 } })).toMatchObject({
      edtf: '2012-01-01T11:00:00',
      undoable: [{ files: 1_001 }],
    })
    expect(await undo(ada, changed)).toEqual({ restored: 1_200 })
  })
})

onBothEngines('lists with dates that are not exact:', library => {
  test('have headings of their own in the middle, and undated files last, newest upload first', async () => {
    const ada = await memberOf(library())
    const upload = async (name: string, edtf?: string) => {
      const { id } = await uploadFile(ada, { name })
      if (edtf !== undefined) await correct(ada, [id], { kind: 'set', edtf })
      return id
    }
    const undated = [await upload('first.jpg'), await upload('second.jpg')]
    const summer = await upload('summer.jpg', '1974-22')
    const year = await upload('year.jpg', '1974')
    const day = await upload('day.jpg', '1974-07-02')
    const later = await upload('later.jpg', '1974-07-03T10:00:00')
    const month = await upload('month.jpg', '1974-03')
    const sixties = await upload('sixties.jpg', '196X')
    const inOrder = [summer, later, year, day, month, sixties]

    const { days } = await ada.call(timeline, { query: {} })
    const headings = days.map(([, files, text]) => [text, files])
    expect(headings).toEqual([
      ...[
        ['1974', 1],
        ['1974-07-03', 1],
        ['1974', 1],
        ['1974-07-02', 1],
        ['1974-03', 1],
        ['196X', 1],
        ['XXXX', 2],
      ],
    ])
    const newest = await ada.call(mediaIds, { query: {} })
    expect(newest.ids).toEqual([...inOrder, ...undated.toReversed()])
    const oldest = await ada.call(mediaIds, { query: { order: 'asc' } })
    expect(oldest.ids).toEqual([...inOrder.toReversed(), ...undated.toReversed()])

    // Every page that the timeline names has exactly its files.
    for (const query of [{ order: 'asc' }, { order: 'desc' }, { date: '1974-22' }] as const) {
      for (const [key, files, text] of (await ada.call(timeline, { query })).days) {
        const page = readGrid(await ada.call(mediaGrid, { query: { ...query, from: key, to: key } }))
        expect(page.map(tile => tile.day)).toEqual(Array(files).fill(text))
      }
    }
    const tiles = readGrid(await ada.call(mediaGrid, { query: {} }))
    expect(tiles[0]).toMatchObject({ id: summer, day: '1974', edtf: '1974-22' })

    // Page by page, in both orders.
    for (const [order, expected] of [
      ['desc', newest.ids],
      ['asc', oldest.ids],
    ] as const) {
      const found: number[] = []
      for (let cursor: string | undefined; ; ) {
        const page = await ada.call(listMedia, { query: { order, limit: 3, ...(cursor ? { cursor } : {}) } })
        found.push(...page.files.map(file => file.id))
        if (page.next_cursor === null) break
        cursor = page.next_cursor
      }
      expect(found).toEqual(expected)
    }

    const idsOf = async (query: object) => (await ada.call(mediaIds, { query })).ids
    expect(await idsOf({ undated: 'true' })).toEqual(undated.toReversed())
    expect(await idsOf({ year: 1974 })).toEqual(inOrder.slice(0, -1))
    expect(await idsOf({ undated: 'true', order: 'asc' })).toEqual(undated.toReversed())
    expect(await idsOf({ year: 1974, order: 'asc' })).toEqual(inOrder.slice(0, -1).toReversed())
    expect(await idsOf({ from: '1974-07-02', order: 'asc' })).toEqual([day, later])
    expect(await idsOf({ date: '1974-07' })).toEqual([later, day])
    expect(await idsOf({ date: '1974-07-02' })).toEqual([day])
    expect(await idsOf({ date: '1974-03' })).toEqual([month])
    expect(await idsOf({ date: '1974-22' })).toEqual([summer, later, day])
    expect(await idsOf({ date: '1974-21', order: 'asc' })).toEqual([month])
    expect(await idsOf({ date: '1975-24' })).toEqual([])
    expect(await idsOf({ date: '196X' })).toEqual([sixties])
    expect(await idsOf({ date: '197X' })).toEqual(inOrder.slice(0, -1))
    expect(await idsOf({ date: '1974-05/1974-08' })).toEqual([summer, later, day])
    expect(await idsOf({ date: '1965/1974' })).toEqual(inOrder.slice(0, -1))
    expect(await idsOf({ date: '../1973', order: 'asc' })).toEqual([sixties])
    expect(await idsOf({ date: '1970/..' })).toEqual(inOrder.slice(0, -1))
    const before = await upload('before.jpg', '../1938')
    expect(await idsOf({ date: '../1938' })).toEqual([before])
    expect(await idsOf({ date: '1930/1939' })).toEqual([])
    await ada.call(deleteMedia, { params: { id: before } })
    await expect(idsOf({ date: '1970/1964' })).rejects.toMatchObject({ status: 400 })
    expect(await idsOf({ heading: '1974' })).toEqual([summer, year])
    expect(await idsOf({ heading: 'XXXX' })).toEqual(undated.toReversed())
    expect(await idsOf({ from: '1974-07-01', to: '1974-07-31' })).toEqual([later, day])
    expect((await ada.call(mediaSuggestions)).year).toEqual([{ value: 1974, label: '1974', count: 5 }])
  })
})

test('the dates of many files are worked out in parts, and others are served in between', async () => {
  const row = { id: 1, original_name: 'a.jpg', uploaded_at: 0, taken_local: null, taken_offset: null, found_edtf: null }
  const date = { date_edtf: '2020-05-06', date_source: 'name', found_source: null } as const
  const correction = { file_type: 'image', corrected_by: null, corrected_at: null } as const
  const rows = Array.from({ length: 5_000 }, () => ({ ...row, ...date, ...correction }))
  let turns = 0
  const timer = setInterval(() => turns++, 0)
  const { changed } = await planChange(rows, { kind: 'shift', minutes: 24 * 60 }, 'UTC')
  clearInterval(timer)
  expect(changed).toHaveLength(5_000)
  expect(turns).toBeGreaterThan(1)
})
