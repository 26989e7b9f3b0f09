import { expect, test, vi } from 'vitest'
import { logOut } from '#contract/auth.ts'
import { changeDates } from '#contract/dates.ts'
import { mediaGrid, readGrid } from '#contract/grid.ts'
import { heartFile } from '#contract/hearts.ts'
import { DAY, MINUTE, visits } from '#contract/limits.ts'
import { bulkDelete } from '#contract/media.ts'
import { listMedia, mediaIds, mediaPosition, timeline } from '#contract/media-list.ts'
import {
  closeMemories,
  galleryTop,
  hiddenMemories,
  hideMemory,
  hideMemoryDay,
  memories,
  recordVisit,
  setNewSince,
  showMemory,
  showMemoryDay,
} from '#contract/memories.ts'
import { addNote } from '#contract/notes.ts'
import { listNotifications } from '#contract/notifications.ts'
import { changeMySettings, mySettings } from '#contract/settings.ts'
import { start } from '#contract/start.ts'
import { insertMedia } from '../../../test/fixtures/insert-media.ts'
import { memberOf } from '../../../test/fixtures/members.ts'
import { type Library, onBothEngines, type SignedIn } from '../../../test/library.ts'

const at = (date: string) => Date.parse(`${date}Z`)

async function groupsOf(person: SignedIn, today: string, day?: string) {
  const { groups } = await person.call(memories, { query: { today, ...(day === undefined ? {} : { day }) } })
  return groups.map(({ files, ...group }) => ({ ...group, files: files.map(file => file.id) }))
}

onBothEngines(
  'memories',
  library => {
    test('are the photos of a day in earlier years, loved ones first, one of each minute and no screenshots', async () => {
      const ben = await memberOf(library())
      const [first, , loved, , kept, older] = (await insertMedia(library(), [
        { name: 'a.jpg', date: at('2019-11-17T10:00:05'), location: 'Lisbon, Portugal' },
        { name: 'b.jpg', date: at('2019-11-17T10:00:40'), location: 'Lisbon, Portugal' },
        { name: 'c.jpg', date: at('2019-11-17T15:00:00'), location: 'Sintra, Portugal' },
        { name: 'Screenshot_1.jpg', date: at('2019-11-17T16:00:00') },
        { name: 'Screenshot_2.jpg', date: at('2019-11-17T17:00:00') },
        { name: 'd.jpg', date: at('2016-11-17T17:00:00'), location: 'Ribeira, Porto, Portugal' },
        { name: 'today.jpg', date: at('2026-11-17T08:00:00') },
        { name: 'next-day.jpg', date: at('2019-11-18T00:00:00') },
      ])) as [number, number, number, number, number, number]
      const [deleted = 0, imprecise = 0] = await insertMedia(library(), [
        { name: 'e.jpg', date: at('2018-11-17T10:00:00') },
        { name: 'f.jpg', date: at('2017-11-17T10:00:00') },
      ])
      await ben.call(bulkDelete, { body: { fileIds: [deleted] } })
      await ben.call(changeDates, { body: { fileIds: [imprecise], change: { kind: 'set', edtf: '2017-11' } } })
      await ben.call(heartFile, { params: { id: loved } })
      await ben.call(addNote, { params: { id: kept }, body: { content: 'The tickets' } })
      expect(await groupsOf(ben, '2026-11-17')).toEqual([
        {
          date: '2019-11-17',
          years: 7,
          place: expect.stringMatching(/Portugal/),
          count: 3,
          files: [loved, kept, first],
        },
        { date: '2016-11-17', years: 10, place: 'Porto, Portugal', count: 1, files: [older] },
      ])

      // The list that the viewer opens has the same files.
      const query = { memory: '2019-11-17' }
      const newestFirst = [kept, loved, first]
      expect((await ben.call(mediaIds, { query })).ids).toEqual(newestFirst)
      expect((await ben.call(timeline, { query })).total).toBe(3)
      expect(readGrid(await ben.call(mediaGrid, { query })).map(file => file.id)).toEqual(newestFirst)
      expect(await ben.call(listMedia, { query: { ...query, limit: 1 } })).toMatchObject({ count: 3 })
      expect(await ben.call(mediaPosition, { params: { id: first }, query })).toEqual({ index: 2 })

      expect(await ben.call(start, { query: { today: '2026-11-17' } })).toMatchObject({
        top: { memories: [{ date: '2019-11-17', count: 3, cover: { id: loved } }, { cover: { id: older } }] },
      })
      expect(await ben.call(start, { query: {} })).toMatchObject({ top: null })
      await expect(groupsOf(ben, '2026-11-17', '02-30')).rejects.toMatchObject({ status: 422 })
    })

    test('are hidden from one person alone, a photo or a day, until they show them again', async () => {
      const [ben, rose] = [await memberOf(library()), await memberOf(library(), 'rose')]
      const [one = 0, two = 0, other = 0] = await insertMedia(library(), [
        { name: 'a.jpg', date: at('2015-05-03T10:00:00') },
        { name: 'b.jpg', date: at('2015-05-03T11:00:00') },
        { name: 'c.jpg', date: at('2014-05-03T11:00:00') },
      ])
      const shown = async (person: SignedIn) => (await groupsOf(person, '2026-05-03')).flatMap(group => group.files)
      await ben.call(hideMemory, { params: { id: one } })
      await ben.call(hideMemory, { params: { id: one } })
      await ben.call(hideMemoryDay, { params: { date: '2014-05-03' } })
      expect(await shown(ben)).toEqual([two])
      expect((await ben.call(mediaIds, { query: { memory: '2015-05-03' } })).ids).toEqual([two])
      expect(await shown(rose)).toEqual([one, two, other])
      expect(await ben.call(hiddenMemories)).toMatchObject({ days: ['2014-05-03'], files: [{ id: one }] })
      expect(await rose.call(hiddenMemories)).toEqual({ days: [], files: [] })
      await ben.call(showMemory, { params: { id: one } })
      await ben.call(showMemoryDay, { params: { date: '2014-05-03' } })
      expect(await shown(ben)).toEqual([one, two, other])
      expect(await ben.call(hiddenMemories)).toEqual({ days: [], files: [] })
      await expect(ben.call(hideMemory, { params: { id: 999_999_999 } })).rejects.toMatchObject({ status: 404 })
    })

    test('are closed for a day and a person', async () => {
      const [ben, rose] = [await memberOf(library()), await memberOf(library(), 'rose')]
      await insertMedia(library(), [{ name: 'a.jpg', date: at('2015-06-04T10:00:00') }])
      const shown = async (person: SignedIn, today: string) =>
        (await person.call(galleryTop, { query: { today } })).memories.length
      await ben.call(closeMemories, { body: { day: '2026-06-04' } })
      expect(await shown(ben, '2026-06-04')).toBe(0)
      expect(await shown(ben, '2027-06-04')).toBe(1)
      expect(await shown(rose, '2026-06-04')).toBe(1)
      await ben.call(closeMemories, { body: { day: null } })
      expect(await shown(ben, '2026-06-04')).toBe(1)
    })

    test('are sent as one notification a day to those who want it, and only if there are some', async () => {
      const [rosa, ben] = [await library().newMember(), await library().newMember()]
      expect(await rosa.call(mySettings)).toMatchObject({ wanted: [] })
      await rosa.call(changeMySettings, { body: { wanted: ['memories'] } })
      expect(await rosa.call(mySettings)).toMatchObject({ wanted: ['memories'], muted: [] })
      const notified = async (person: SignedIn) =>
        (await person.call(listNotifications, { query: {} })).filter(({ title }) => title.startsWith('On this day'))
      // The other tests may have photos of that day.
      await library().rows('update media set deleted_at = 1')
      // Noon of the next day, by the clocks of home.
      const noon = Math.floor(library().now() / DAY) * DAY + 1.5 * DAY
      library().pass(noon - library().now())
      await runJob(library())
      expect(await notified(rosa)).toEqual([])

      const date = new Date(noon + DAY)
      date.setUTCFullYear(2004)
      await insertMedia(library(), [
        { name: 'a.jpg', date: date.getTime() },
        { name: 'b.jpg', date: date.getTime() + 3_600_000 },
      ])
      // Last: the job is due at once then.
      library().pass(DAY)
      await runJob(library())
      await runJob(library())
      const target = { kind: 'memories', day: date.toISOString().slice(5, 10) }
      expect(await notified(rosa)).toMatchObject([{ title: 'On this day: 2 photos', type: 'other', target }])
      expect(await notified(ben)).toEqual([])
    })
  },
  { environment: { HOME_TIMEZONE: 'UTC', PATH: process.env.PATH } },
)

async function runJob(library: Library): Promise<void> {
  await library.rows(`update jobs set run_at = 1 where name = 'memories.notify' and lease_token is null`)
  const ran = async () => {
    const [job] = await library.rows(`select run_at, last_error from jobs where name = 'memories.notify'`)
    expect(Number(job?.run_at)).toBeGreaterThan(1)
    expect(job?.last_error).toBeNull()
  }
  await vi.waitFor(ran, { timeout: 20_000, interval: 50 })
}

onBothEngines('what is new', library => {
  const top = async (person: SignedIn) => (await person.call(galleryTop, { query: { today: '2026-11-17' } })).new_files
  async function add(by: SignedIn): Promise<number> {
    const [id = 0] = await insertMedia(library(), [{ name: 'new.jpg', by: await library().idOf(by.person) }])
    await library().rows(`update media set uploaded_at = ${library().now()} where id = ${id}`)
    library().pass(1_000)
    return id
  }

  test('is what others have added since the last visit, until the person has seen it', async () => {
    const [rosa, ben] = [await library().newMember(), await library().newMember()]
    await add(ben)
    expect(await top(rosa)).toBeNull()
    expect(await rosa.call(recordVisit)).toEqual({ began: true })
    library().pass(1_000)
    const file = await add(ben)
    await add(rosa)
    // Still the same visit.
    expect(await top(rosa)).toBeNull()
    expect(await rosa.call(recordVisit)).toEqual({ began: false })

    library().pass(visits.gap)
    const expected = await top(rosa)
    expect(expected).toMatchObject({ count: 1 })
    const since = expected?.since ?? ''
    expect(await rosa.call(recordVisit)).toEqual({ began: true })
    // On another device, after a reload and while the visit goes on.
    expect(await top(rosa)).toEqual(expected)
    library().pass(visits.gap / 2)
    expect(await rosa.call(recordVisit)).toEqual({ began: false })
    expect(await top(rosa)).toEqual(expected)

    const query = { new_since: since }
    expect((await rosa.call(mediaIds, { query })).ids).toEqual([file])
    expect((await rosa.call(timeline, { query })).total).toBe(1)
    await rosa.call(setNewSince, { body: { since: null } })
    expect(await top(rosa)).toBeNull()
    await rosa.call(setNewSince, { body: { since } })
    expect(await top(rosa)).toEqual(expected)
    await ben.call(bulkDelete, { body: { fileIds: [file] } })
    expect(await top(rosa)).toBeNull()
  })

  test('begins when the person signs out, and after an hour away', async () => {
    const [rosa, ben] = [await library().newMember(), await library().newMember()]
    await rosa.call(recordVisit)
    library().pass(10 * MINUTE)
    await add(ben)
    expect(await top(rosa)).toBeNull()
    await rosa.call(logOut)
    library().pass(30 * MINUTE)
    for (let i = 0; i < 20; i++) await add(ben)
    const back = await library().signInAs(rosa.person)
    expect(await top(back)).toMatchObject({ count: 20 })
    expect(await back.call(recordVisit)).toEqual({ began: true })
    expect(await top(back)).toMatchObject({ count: 20 })

    library().pass(5 * MINUTE)
    await back.call(recordVisit)
    await add(ben)
    library().pass(61 * MINUTE)
    expect(await top(back)).toMatchObject({ count: 1 })
  })

  test('does not come back when it was seen before the page has recorded the visit', async () => {
    const [rosa, ben] = [await library().newMember(), await library().newMember()]
    await rosa.call(recordVisit)
    library().pass(1_000)
    await add(ben)
    library().pass(visits.gap)
    await rosa.call(setNewSince, { body: { since: null } })
    await rosa.call(recordVisit)
    expect(await top(rosa)).toBeNull()
  })

  test('does not come back when it is seen while the page records the visit', async () => {
    const [rosa, ben] = [await library().newMember(), await library().newMember()]
    await rosa.call(recordVisit)
    // Several times, because the two requests rarely overlap.
    for (let round = 0; round < 5; round++) {
      library().pass(1_000)
      await add(ben)
      library().pass(visits.gap)
      expect(await top(rosa)).toMatchObject({ count: 1 })
      await Promise.all([rosa.call(recordVisit), rosa.call(setNewSince, { body: { since: null } })])
      expect(await top(rosa)).toBeNull()
    }
  })
})
