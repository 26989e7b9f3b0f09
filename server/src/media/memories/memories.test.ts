import { expect, test, vi } from 'vitest'
import { changeDates } from '#contract/dates.ts'
import { mediaGrid, readGrid } from '#contract/grid.ts'
import { heartFile } from '#contract/hearts.ts'
import { DAY } from '#contract/limits.ts'
import { bulkDelete } from '#contract/media.ts'
import { listMedia, mediaIds, mediaPosition, timeline } from '#contract/media-list.ts'
import { hiddenMemories, hideMemory, hideMemoryDay, memories, showMemory, showMemoryDay } from '#contract/memories.ts'
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
    test('are the photos of a day in earlier years, loved ones first, one of each second and no screenshots', async () => {
      const ben = await memberOf(library())
      const [first, second, loved, , kept, older] = (await insertMedia(library(), [
        { name: 'a.jpg', date: at('2019-11-17T10:00:05'), location: 'Lisbon, Portugal' },
        { name: 'b.jpg', date: at('2019-11-17T10:00:40'), location: 'Lisbon, Portugal' },
        { name: 'c.jpg', date: at('2019-11-17T15:00:00'), location: 'Sintra, Portugal' },
        { name: 'Screenshot_1.jpg', date: at('2019-11-17T16:00:00') },
        { name: 'Screenshot_2.jpg', date: at('2019-11-17T17:00:00') },
        { name: 'd.jpg', date: at('2016-11-17T17:00:00'), location: 'Ribeira, Porto, Portugal' },
        { name: 'today.jpg', date: at('2026-11-17T08:00:00') },
        { name: 'next-day.jpg', date: at('2019-11-18T00:00:00') },
        { name: 'a-copy.jpg', date: at('2019-11-17T10:00:05') },
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
          count: 4,
          files: [loved, kept, first, second],
        },
        { date: '2016-11-17', years: 10, place: 'Porto, Portugal', count: 1, files: [older] },
      ])

      // The list that the viewer opens has the same files.
      const query = { memory: '2019-11-17' }
      const newestFirst = [kept, loved, second, first]
      expect((await ben.call(mediaIds, { query })).ids).toEqual(newestFirst)
      expect((await ben.call(timeline, { query })).total).toBe(4)
      expect(readGrid(await ben.call(mediaGrid, { query })).map(file => file.id)).toEqual(newestFirst)
      expect(await ben.call(listMedia, { query: { ...query, limit: 1 } })).toMatchObject({ count: 4 })
      expect(await ben.call(mediaPosition, { params: { id: first }, query })).toEqual({ index: 3 })

      expect(await ben.call(start, { query: { today: '2026-11-17' } })).toMatchObject({
        top: {
          cards: [
            { kind: 'memory', date: '2019-11-17', years: 7, count: 4 },
            { kind: 'memory', date: '2016-11-17', years: 10, count: 1 },
          ],
        },
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

    test('of a day without any lead to the nearest day that has some', async () => {
      const ben = await memberOf(library())
      const [hidden = 0, one = 0] = await insertMedia(library(), [
        { name: 'hidden.jpg', date: at('2013-08-19T10:00:00') },
        { name: 'a.jpg', date: at('2011-08-22T10:00:00') },
        { name: 'b.jpg', date: at('2012-08-22T11:00:00') },
      ])
      await ben.call(hideMemory, { params: { id: hidden } })
      const nearest = async (day: string) => (await ben.call(memories, { query: { today: '2026-11-17', day } })).nearest
      expect(await nearest('08-20')).toEqual({ day: '08-22', count: 2 })
      expect(await nearest('08-22')).toBeNull()
      await ben.call(showMemory, { params: { id: hidden } })
      expect(await nearest('08-20')).toEqual({ day: '08-19', count: 1 })
      await ben.call(bulkDelete, { body: { fileIds: [hidden, one] } })
      expect(await nearest('08-20')).toEqual({ day: '08-22', count: 1 })
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
