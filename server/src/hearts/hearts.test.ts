import { beforeAll, expect, test } from 'vitest'
import { listActivity } from '#contract/admin.ts'
import { mediaGrid, readGrid } from '#contract/grid.ts'
import { heartFile, heartFiles, listHearts, unheartFile, unheartFiles } from '#contract/hearts.ts'
import { DAY } from '#contract/limits.ts'
import { deleteMedia } from '#contract/media.ts'
import { listMedia, mediaIds, mediaPosition, timeline } from '#contract/media-list.ts'
import { deleteNotification, listNotifications, readAllNotifications, unreadCount } from '#contract/notifications.ts'
import { revokePerson } from '#contract/people.ts'
import { addTag } from '#contract/tags.ts'
import { restoreFiles } from '#contract/trash.ts'
import { insertMedia } from '../../test/fixtures/insert-media.ts'
import { memberOf } from '../../test/fixtures/members.ts'
import { bensFile, type Family, family, newest } from '../../test/fixtures/notifications.ts'
import { type Library, onBothEngines, type SignedIn } from '../../test/library.ts'

const gone = 999_999_999

async function newFile(library: Library, name = 'photo.jpg'): Promise<number> {
  const [id = 0] = await insertMedia(library, [{ name }])
  return id
}

const heart = (person: SignedIn, id: number) => person.call(heartFile, { params: { id } })
const unheart = (person: SignedIn, id: number) => person.call(unheartFile, { params: { id } })

async function lovers(person: SignedIn, id: number): Promise<string[]> {
  const [hearts] = await person.call(listHearts, { query: { ids: String(id) } })
  return hearts?.people.map(({ username }) => username) ?? []
}

async function favourites(viewer: SignedIn, hearted_by: number): Promise<number[]> {
  return (await viewer.call(mediaIds, { query: { hearted_by } })).ids
}

async function tileOf(person: SignedIn, id: number) {
  return readGrid(await person.call(mediaGrid, { query: {} })).find(file => file.id === id)
}

onBothEngines('hearts', library => {
  test('are given and taken back once, whatever the number of calls, and everyone sees whose they are', async () => {
    const [ben, rose] = [await memberOf(library()), await memberOf(library(), 'rose')]
    const id = await newFile(library())
    expect(await lovers(ben, id)).toEqual([])
    expect(await tileOf(ben, id)).toMatchObject({ hearts: 0, hearted: false })
    await heart(rose, id)
    await heart(rose, id)
    await heart(ben, id)
    expect(await lovers(ben, id)).toEqual(['rose', 'ben'])
    expect(await tileOf(ben, id)).toMatchObject({ hearts: 2, hearted: true })
    await unheart(ben, id)
    await unheart(ben, id)
    expect(await lovers(rose, id)).toEqual(['rose'])
    expect(await tileOf(ben, id)).toMatchObject({ hearts: 1, hearted: false })
    await expect(heart(ben, gone)).rejects.toMatchObject({ status: 404 })
    await expect(unheart(ben, gone)).rejects.toMatchObject({ status: 404 })
  })

  test('of one person filter every list', async () => {
    const [ben, rose] = [await memberOf(library()), await memberOf(library(), 'rose')]
    const [one = 0, two = 0] = await insertMedia(library(), [
      { name: 'loved alps.jpg', date: Date.UTC(2024, 5, 1) },
      { name: 'loved sea.jpg', date: Date.UTC(2024, 5, 2) },
    ])
    const other = await newFile(library(), 'loved by rose.jpg')
    const hearted_by = await library().idOf('ben')
    const before = await favourites(ben, hearted_by)
    await ben.call(heartFiles, { body: { fileIds: [one, two] } })
    await heart(rose, other)
    expect((await favourites(rose, hearted_by)).toSorted()).toEqual([...before, one, two].toSorted())
    const search = 'loved'
    const { count } = await ben.call(listMedia, { query: { hearted_by, limit: 1 } })
    expect(count).toBe(before.length + 2)
    expect((await ben.call(listMedia, { query: { hearted_by, search } })).files.map(file => file.id)).toEqual([
      two,
      one,
    ])
    expect((await ben.call(timeline, { query: { hearted_by, search } })).total).toBe(2)
    expect(readGrid(await ben.call(mediaGrid, { query: { hearted_by, search } })).map(file => file.id)).toEqual([
      two,
      one,
    ])
    expect((await ben.call(mediaIds, { query: { hearted_by, search } })).ids).toEqual([two, one])
    const position = await ben.call(mediaPosition, { params: { id: one }, query: { hearted_by, search } })
    expect(position.index).toBe(1)
    await ben.call(unheartFiles, { body: { fileIds: [one, two] } })
    expect(await favourites(ben, hearted_by)).toEqual(before)
  })

  test('are given to many files at once, and an undo takes back only those', async () => {
    const [ada, ben] = [await library().admin(), await memberOf(library())]
    const ids = await insertMedia(
      library(),
      Array.from({ length: 450 }, (_, i) => ({ name: `many ${i}.jpg` })),
    )
    const [first = 0, second = 0] = ids
    await heart(ben, first)
    await ben.call(deleteMedia, { params: { id: second } })
    const fileIds = [...ids, first, gone]
    const hearted = await ben.call(heartFiles, { body: { fileIds } })
    expect(hearted.fileIds).toEqual(ids.slice(2))
    expect(await ben.call(unheartFiles, { body: hearted })).toEqual({ fileIds: ids.slice(2) })
    expect(await ben.call(unheartFiles, { body: hearted })).toEqual({ fileIds: [] })
    expect(await lovers(ben, first)).toEqual(['ben'])
    const lines = await ada.call(listActivity, { query: { limit: 2 } })
    expect(lines).toMatchObject([
      { act: 'media.unheart', before: { files: ids.length - 2 } },
      { act: 'media.heart', before: { files: ids.length - 2 } },
    ])
  })

  test('of a deleted file are hidden, come back with it, and go when it is purged', async () => {
    const ben = await memberOf(library())
    const id = await newFile(library())
    await heart(ben, id)
    await ben.call(deleteMedia, { params: { id } })
    expect(await lovers(ben, id)).toEqual([])
    expect(await favourites(ben, await library().idOf('ben'))).not.toContain(id)
    await expect(heart(ben, id)).rejects.toMatchObject({ status: 404 })
    await ben.call(restoreFiles, { body: { fileIds: [id] } })
    expect(await lovers(ben, id)).toEqual(['ben'])
    await ben.call(deleteMedia, { params: { id } })
    library().pass(library().config.trashDays * DAY + 1)
    // By the hourly cleanup.
    const hearts = () => library().rows(`select * from hearts where media_id = ${id}`)
    await expect.poll(hearts, { timeout: 15_000 }).toEqual([])
  })

  test('of one person given twice at the same time count once', async () => {
    const [ben, rose] = [await memberOf(library()), await memberOf(library(), 'rose')]
    const id = await newFile(library())
    await Promise.all([heart(ben, id), heart(ben, id), heart(rose, id), heart(rose, id)])
    expect((await lovers(ben, id)).toSorted()).toEqual(['ben', 'rose'])
  })
})

onBothEngines('the notification of hearts', library => {
  let everybody: Family
  beforeAll(async () => {
    everybody = await family(library())
  })
  const heartsReceived = async (person: SignedIn) =>
    (await person.call(listNotifications, { query: {} })).filter(({ title }) => / loves? /.test(title))

  test('aggregates all hearts while it is unread, at the top of the list', async () => {
    const { ada, ben, rose } = everybody
    await ben.call(readAllNotifications)
    const ids = [await bensFile(library(), 'one.jpg'), await bensFile(library(), 'two.jpg')] as const
    await heart(rose, ids[0])
    await heart(ben, ids[0])
    expect(await heartsReceived(ben)).toMatchObject([
      {
        type: 'other',
        title: `${rose.person.name} loves your photo`,
        message: 'It is one of their favourites now.',
        target: { kind: 'media', media_id: ids[0] },
      },
    ])
    await rose.call(addTag, { params: { id: ids[0] }, body: { tagName: 'Sea' } })
    await heart(ada, ids[1])
    await heart(ada, ids[0])
    expect(await heartsReceived(ben)).toHaveLength(1)
    expect(await newest(ben)).toMatchObject({
      title: `${ada.person.name} and ${rose.person.name} love 2 of your photos`,
      message: 'They are among their favourites now.',
    })
    expect(await ben.call(unreadCount)).toEqual({ count: 2 })

    await ben.call(readAllNotifications)
    const third = await bensFile(library(), 'three.jpg')
    await heart(rose, third)
    expect((await heartsReceived(ben)).map(({ title }) => title)).toEqual([
      `${rose.person.name} loves your photo`,
      `${ada.person.name} and ${rose.person.name} love 2 of your photos`,
    ])
    await unheart(rose, third)
    expect((await heartsReceived(ben)).map(({ read }) => read)).toEqual([true])
    for (const person of [ada, rose]) await person.call(unheartFiles, { body: { fileIds: [...ids] } })
    expect(await heartsReceived(ben)).toEqual([])
  })

  test('of many files is one for each uploader', async () => {
    const { ben, rose, ada } = everybody
    const by = await library().idOf('ben')
    const ids = await insertMedia(
      library(),
      Array.from({ length: 12 }, (_, i) => ({ name: `photo ${i}.jpg`, by })),
    )
    const [hers = 0] = await insertMedia(library(), [{ name: 'hers.jpg', by: await library().idOf('rose') }])
    await ada.call(heartFiles, { body: { fileIds: [...ids, hers] } })
    await rose.call(heartFiles, { body: { fileIds: [...ids, hers] } })
    expect((await heartsReceived(ben)).map(({ title }) => title)).toEqual([
      `${rose.person.name} and ${ada.person.name} love 12 of your photos`,
    ])
    expect((await heartsReceived(rose)).map(({ title }) => title)).toEqual([`${ada.person.name} loves your photo`])
    // Deleted files do not count, and the notification of nothing else has no target.
    await ben.call(deleteMedia, { params: { id: ids[0] ?? 0 } })
    expect((await newest(ben))?.title).toBe(`${rose.person.name} and ${ada.person.name} love 11 of your photos`)
    await rose.call(deleteMedia, { params: { id: hers } })
    expect(await newest(rose)).toMatchObject({ message: 'The photos have been deleted since.', target: null })
    // A deleted notification is not brought back by the next heart: a new one begins.
    await ben.call(deleteNotification, { params: { id: (await newest(ben))?.id ?? 0 } })
    await heart(rose, await bensFile(library()))
    expect((await newest(ben))?.title).toBe(`${rose.person.name} loves your photo`)
  })

  test('is one when many people love photos at the same time, and nobody without access gets one', async () => {
    const { ada, ben, rose } = everybody
    await ben.call(readAllNotifications)
    const ids = await Promise.all([1, 2, 3, 4, 5, 6].map(() => bensFile(library())))
    await Promise.all(ids.map((id, i) => heart(i % 2 === 0 ? ada : rose, id)))
    expect(await ben.call(unreadCount)).toEqual({ count: 1 })
    expect((await newest(ben))?.title).toMatch(/ and .* love 6 of your photos$/)

    const kofi = await library().newMember()
    const by = await library().idOf(kofi.person)
    const [his = 0] = await insertMedia(library(), [{ name: 'his.jpg', by }])
    await ada.call(revokePerson, { params: { id: by } })
    await heart(rose, his)
    expect(await library().rows(`select id from notifications where subject = 'hearts' and person_id = ${by}`)).toEqual(
      [],
    )
  })
})
