import { expect, test, vi } from 'vitest'
import { createAlbum } from '#contract/albums.ts'
import { logOut } from '#contract/auth.ts'
import { acceptGuestUploads, listGuestUploads } from '#contract/guest-uploads.ts'
import { heartFile, unheartFile } from '#contract/hearts.ts'
import { DAY, MINUTE, visits } from '#contract/limits.ts'
import { bulkDelete } from '#contract/media.ts'
import { mediaIds, timeline } from '#contract/media-list.ts'
import { type Card, cardFiles, galleryTop, putCardAway, recordVisit, showCardAgain } from '#contract/memories.ts'
import { start } from '#contract/start.ts'
import { makeUploadLink, senderOf } from '../../../test/fixtures/guests.ts'
import { insertMedia } from '../../../test/fixtures/insert-media.ts'
import { makePicture } from '../../../test/fixtures/pictures.ts'
import { type Library, onBothEngines, type SignedIn } from '../../../test/library.ts'

vi.setConfig({ testTimeout: 60_000 })

const today = '2026-11-17'

async function cardsOf<Kind extends Card['kind']>(person: SignedIn, kind: Kind) {
  const { cards } = await person.call(galleryTop, { query: { today } })
  return cards.filter((card): card is Extract<Card, { kind: Kind }> => card.kind === kind)
}

const at = (date: string) => Date.parse(`${date}Z`)

onBothEngines(
  'what is new',
  library => {
    const added = (person: SignedIn) => cardsOf(person, 'added')
    const count = async (person: SignedIn) => (await added(person)).reduce((sum, card) => sum + card.count, 0)

    async function add(by: SignedIn, type: 'image' | 'video' = 'image', date = 0): Promise<number> {
      const [id = 0] = await insertMedia(library(), [
        { name: `new.${type}`, type, date, by: await library().idOf(by.person) },
      ])
      await library().rows(`update media set uploaded_at = ${library().now()} where id = ${id}`)
      library().pass(1_000)
      return id
    }

    test('is what others have added since the last visit, by person and day', async () => {
      const [rosa, ben, kofi] = [await library().newMember(), await library().newMember(), await library().newMember()]
      nextMorning(library())
      await add(ben)
      expect(await added(rosa)).toEqual([])
      expect(await rosa.call(recordVisit)).toEqual({ began: true })
      library().pass(1_000)
      const file = await add(ben, 'image', at('2020-05-01T10:00:00'))
      const older = await add(ben, 'image', at('2019-05-01T10:00:00'))
      await add(rosa)
      // Still the same visit.
      expect(await added(rosa)).toEqual([])
      expect(await rosa.call(recordVisit)).toEqual({ began: false })

      library().pass(visits.gap)
      const [card, ...others] = await added(rosa)
      expect(others).toEqual([])
      expect(card).toMatchObject({ person: { id: await library().idOf(ben.person) }, count: 2, images: 2 })
      const expected = await added(rosa)
      expect(await rosa.call(recordVisit)).toEqual({ began: true })
      // On another device, after a reload and while the visit goes on.
      expect(await added(rosa)).toEqual(expected)
      library().pass(visits.gap / 2)
      expect(await rosa.call(recordVisit)).toEqual({ began: false })
      expect(await added(rosa)).toEqual(expected)

      // In the order of their dates.
      const story = async (key: string) => (await rosa.call(cardFiles, { params: { card: key } })).files
      expect((await story(card?.key ?? '')).map(({ id }) => id)).toEqual([older, file])
      const query = { new_since: card?.from ?? '', uploader: card?.person.id }
      expect((await rosa.call(timeline, { query })).total).toBe(1)

      library().pass(DAY)
      await add(ben, 'video')
      await add(kofi)
      expect(await added(rosa)).toMatchObject([
        { person: { id: await library().idOf(kofi.person) }, count: 1 },
        { person: card?.person, count: 1, images: 0 },
      ])
      await ben.call(bulkDelete, { body: { fileIds: [file] } })
    })

    test('is listed with all files that its card counts', async () => {
      const [rosa, ben] = [await library().newMember(), await library().newMember()]
      nextMorning(library())
      await rosa.call(recordVisit)
      library().pass(visits.gap)
      const ids = [await add(ben), await add(ben), await add(ben)]
      const [card] = await added(rosa)
      const query = { added: `${card?.from}/${card?.until}`, uploader: card?.person.id, order: 'asc' as const }
      expect((await rosa.call(mediaIds, { query: { ...query, sort: 'added' } })).ids).toEqual(ids)
      library().pass(DAY)
      await add(ben)
      expect((await rosa.call(timeline, { query })).total).toBe(3)
    })

    test('begins when the person signs out, and after an hour away', async () => {
      const [rosa, ben] = [await library().newMember(), await library().newMember()]
      nextMorning(library())
      await rosa.call(recordVisit)
      library().pass(10 * MINUTE)
      await add(ben)
      expect(await count(rosa)).toBe(0)
      await rosa.call(logOut)
      library().pass(30 * MINUTE)
      for (let i = 0; i < 20; i++) await add(ben)
      const back = await library().signInAs(rosa.person)
      expect(await count(back)).toBe(20)
      expect(await back.call(recordVisit)).toEqual({ began: true })
      expect(await count(back)).toBe(20)

      library().pass(5 * MINUTE)
      await back.call(recordVisit)
      await add(ben)
      library().pass(61 * MINUTE)
      expect(await count(back)).toBe(1)
    })

    test('is part of the first screen, and put away until there is something newer', async () => {
      const [rosa, ben] = [await library().newMember(), await library().newMember()]
      nextMorning(library())
      await rosa.call(recordVisit)
      library().pass(visits.gap)
      await add(ben)
      const [card] = await added(rosa)
      const params = { card: card?.key ?? '' }
      const body = { until: card?.until ?? '' }
      const { top } = await rosa.call(start, { query: { today } })
      expect(top?.cards).toContainEqual(card)
      await rosa.call(putCardAway, { params, body })
      expect(await added(rosa)).toEqual([])
      await rosa.call(showCardAgain, { params })
      expect(await added(rosa)).toEqual([card])
      await rosa.call(putCardAway, { params, body })
      await add(ben)
      expect(await added(rosa)).toMatchObject([{ key: params.card, count: 2 }])
      await expect(rosa.call(cardFiles, { params: { card: 'added:1' } })).rejects.toMatchObject({ status: 400 })
    })

    test('says who loves what the person has added', async () => {
      const [rosa, ben] = [await library().newMember(), await library().newMember()]
      nextMorning(library())
      await rosa.call(recordVisit)
      const [one, two, foreign] = [await add(rosa), await add(rosa), await add(ben)]
      library().pass(visits.gap)
      for (const id of [one, two, foreign]) await ben.call(heartFile, { params: { id } })
      await rosa.call(heartFile, { params: { id: one } })
      const [card, ...others] = await cardsOf(rosa, 'hearts')
      expect(others).toEqual([])
      expect(card).toMatchObject({ person: { id: await library().idOf(ben.person) }, count: 2, images: 2 })
      const { files } = await rosa.call(cardFiles, { params: { card: card?.key ?? '' } })
      expect(files.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual([one, two])
      await ben.call(unheartFile, { params: { id: one } })
      await ben.call(unheartFile, { params: { id: two } })
      expect(await cardsOf(rosa, 'hearts')).toEqual([])
    })

    test('tells of guests that wait, and only those who may let them in', async () => {
      const [rosa, viewer] = [await library().newMember(), await library().newViewer()]
      const album = await rosa.call(createAlbum, { body: { title: 'Wedding' } })
      const tom = await senderOf(library(), await makeUploadLink(rosa, album.id), 'Tom')
      await tom.send('cake.jpg', await makePicture({ width: 71, height: 50 }))
      const [card] = await cardsOf(rosa, 'guests')
      expect(card).toMatchObject({ key: 'guests', count: 1 })
      expect(await cardsOf(viewer, 'guests')).toEqual([])
      await rosa.call(putCardAway, { params: { card: 'guests' }, body: { until: card?.until ?? '' } })
      expect(await cardsOf(rosa, 'guests')).toEqual([])
      library().pass(1_000)
      await tom.send('dance.jpg', await makePicture({ width: 72, height: 50 }))
      expect(await cardsOf(rosa, 'guests')).toMatchObject([{ count: 2 }])
      const waiting = await rosa.call(listGuestUploads, { query: {} })
      await rosa.call(acceptGuestUploads, { body: { ids: waiting.map(({ id }) => id) } })
      expect(await cardsOf(rosa, 'guests')).toEqual([])
    })

    test('has this day in earlier years, put away for this year', async () => {
      const rosa = await library().newMember()
      const [first, second] = await insertMedia(library(), [
        { name: 'a.jpg', date: at('2015-11-17T10:00:00') },
        { name: 'b.jpg', date: at('2015-11-17T11:00:00') },
      ])
      const [card] = await cardsOf(rosa, 'memory')
      expect(card).toMatchObject({ key: 'memory:2015-11-17', years: 11, count: 2 })
      const params = { card: 'memory:2015-11-17' }
      expect((await rosa.call(cardFiles, { params })).files.map(({ id }) => id)).toEqual([first, second])
      await rosa.call(putCardAway, { params, body: { until: card?.until ?? '' } })
      expect(await cardsOf(rosa, 'memory')).toEqual([])
    })
  },
  { environment: { HOME_TIMEZONE: 'UTC', PATH: process.env.PATH } },
)

/** So that what is added during a few hours is of one day. */
function nextMorning(library: Library): void {
  const MORNING = 8 * 60 * MINUTE
  library.pass(Math.floor(library.now() / DAY) * DAY + DAY + MORNING - library.now())
}
