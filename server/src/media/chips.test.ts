import { expect, test } from 'vitest'
import { createFolder, deleteFolder, updateFolder } from '#contract/folders.ts'
import { mediaGrid } from '#contract/grid.ts'
import { deleteMedia, moveFiles } from '#contract/media.ts'
import { listMedia, mediaIds, mediaPosition, mediaSuggestions, timeline } from '#contract/media-list.ts'
import { tagFiles } from '#contract/tags.ts'
import { insertMedia } from '../../test/fixtures/insert-media.ts'
import { memberOf } from '../../test/fixtures/members.ts'
import { onBothEngines, type SignedIn } from '../../test/library.ts'

/** The ids that match, after checking that every kind of list agrees about them. */
async function found(person: SignedIn, query: object): Promise<number[]> {
  const { ids } = await person.call(mediaIds, { query })
  const list = await person.call(listMedia, { query: { ...query, limit: 100 } })
  expect(list.files.map(file => file.id)).toEqual(ids)
  expect(list.count).toBe(ids.length)
  expect((await person.call(listMedia, { query })).files.map(file => file.id)).toEqual(ids)
  expect((await person.call(mediaGrid, { query })).files.map(({ id }) => id)).toEqual(ids)
  const { total, days, proportions } = await person.call(timeline, { query: { ...query, proportions: 'true' } })
  expect([total, proportions?.length]).toEqual([ids.length, ids.length])
  expect(days.reduce((sum, [, count]) => sum + count, 0)).toBe(ids.length)
  for (const [index, id] of ids.entries()) {
    expect(await person.call(mediaPosition, { params: { id }, query })).toEqual({ index })
  }
  return ids
}

onBothEngines('a chip', library => {
  test('filters exactly, and is suggested with its number of files', async () => {
    const ben = await memberOf(library())
    const rose = await library().newMember({ name: 'Rose of Chips' })
    const by = await library().idOf(rose.person)
    const [a = 0, b = 0, c = 0, d = 0] = await insertMedia(library(), [
      { name: 'a.jpg', location: 'Oslo, Norway', camera: 'Leica M6', date: Date.UTC(1999, 11, 31, 23, 59, 59) },
      { name: 'b.jpg', location: 'Oslo, Norway', camera: 'Leica M6 TTL', date: Date.UTC(2000, 0, 1), by },
      { name: 'c.jpg', location: 'Oslo, Minnesota', camera: 'Leica M6', date: Date.UTC(2000, 11, 31, 23, 59), by },
      { name: 'd.jpg', date: Date.UTC(2001, 0, 1) },
    ])
    await ben.call(tagFiles, { body: { fileIds: [a, c], tagName: 'Chips' } })
    await ben.call(tagFiles, { body: { fileIds: [d], tagName: 'Chips and more' } })

    const { place, tag, camera, year, uploader } = await ben.call(mediaSuggestions)
    expect(place).toEqual([
      { value: 'Oslo, Norway', label: 'Oslo, Norway', count: 2 },
      { value: 'Oslo, Minnesota', label: 'Oslo, Minnesota', count: 1 },
    ])
    expect(camera.map(({ label, count }) => [label, count])).toEqual([
      ['Leica M6', 2],
      ['Leica M6 TTL', 1],
    ])
    expect(tag.map(({ label, count }) => [label, count])).toEqual([
      ['Chips', 2],
      ['Chips and more', 1],
    ])
    expect(year).toEqual([2001, 2000, 1999].map(value => ({ value, label: `${value}`, count: value === 2000 ? 2 : 1 })))
    expect(uploader).toContainEqual({ value: by, label: 'Rose of Chips', count: 2 })

    expect(await found(ben, { place: 'Oslo, Norway' })).toEqual([b, a])
    expect(await found(ben, { place: 'oslo, norway' })).toEqual([])
    expect(await found(ben, { camera: 'Leica M6' })).toEqual([c, a])
    expect(await found(ben, { year: 2000 })).toEqual([c, b])
    expect(await found(ben, { date: '2000-12' })).toEqual([c])
    expect(await found(ben, { date: '2000-01-01' })).toEqual([b])
    expect(await found(ben, { date: '2000-01-02' })).toEqual([])
    expect(await found(ben, { date: '1999-12', year: 2000 })).toEqual([])
    expect(await found(ben, { uploader: by })).toEqual([c, b])
    expect(await found(ben, { tag: Number(tag[0]?.value) })).toEqual([c, a])
    expect(await found(ben, { tag: Number(tag[0]?.value), place: 'Oslo, Norway' })).toEqual([a])
    expect(await found(ben, { year: 2000, camera: 'Leica M6', search: 'oslo', type: 'image' })).toEqual([c])
    expect(await found(ben, { year: 2000, type: 'video' })).toEqual([])
    expect(await found(ben, { tag: 999_999 })).toEqual([])
    const bothYears = { year: 2000, from: '1999-12-31', to: '2000-01-01' }
    expect((await ben.call(mediaIds, { query: bothYears })).ids).toEqual([b])

    for (const id of [a, c, d]) await ben.call(deleteMedia, { params: { id } })
    const after = await ben.call(mediaSuggestions)
    expect(after.place).toEqual([{ value: 'Oslo, Norway', label: 'Oslo, Norway', count: 1 }])
    expect([after.tag, after.year.map(({ value }) => value)]).toEqual([[], [2000]])
    expect(after.uploader).toEqual([{ value: by, label: 'Rose of Chips', count: 1 }])
  })

  test('must be a year, an id or a text', async () => {
    const ben = await memberOf(library())
    for (const query of [
      'year=0',
      'year=19e2',
      'year=x',
      'date=2019',
      'date=2019-13',
      'date=2019-02-30',
      'date=May+2019',
      'tag=x',
      'uploader=-1',
      'place=',
      `camera=${'x'.repeat(501)}`,
    ]) {
      const { status } = await ben.fetch(`/api/media/grid?${query}`)
      expect([query, status === 400 || status === 422]).toEqual([query, true])
    }
  })
})

onBothEngines('a search', library => {
  test('finds files by the names of their folders, whatever happens to files and folders', async () => {
    const ben = await memberOf(library())
    const norway = await ben.call(createFolder, { body: { name: 'Nórway Trip' } })
    const fjords = await ben.call(createFolder, { body: { name: 'Fjords', parent_id: norway.id } })
    const elsewhere = await ben.call(createFolder, { body: { name: 'Elsewhere' } })
    const [inside = 0, deeper = 0, outside = 0] = await insertMedia(library(), [
      { name: 'inside.jpg', folder: norway.id, date: Date.UTC(2020, 0, 3) },
      { name: 'deeper.jpg', folder: fjords.id, date: Date.UTC(2020, 0, 2) },
      { name: 'outside trip.jpg', folder: elsewhere.id, date: Date.UTC(2020, 0, 1) },
    ])
    expect(await found(ben, { search: 'norway' })).toEqual([inside, deeper])
    expect(await found(ben, { search: 'NORWAY jpg' })).toEqual([inside, deeper])
    expect(await found(ben, { search: 'trip' })).toEqual([inside, deeper, outside])
    expect(await found(ben, { search: 'fjords norway' })).toEqual([deeper])
    expect(await found(ben, { search: 'nó' })).toEqual([inside, deeper])
    expect(await found(ben, { search: 'norway', folder_id: fjords.id })).toEqual([deeper])

    await ben.call(moveFiles, { body: { fileIds: [outside], folderId: norway.id } })
    expect(await found(ben, { search: 'norway' })).toEqual([inside, deeper, outside])
    await ben.call(updateFolder, { params: { id: norway.id }, body: { name: 'Sweden' } })
    expect(await found(ben, { search: 'norway' })).toEqual([])
    expect(await found(ben, { search: 'sweden' })).toEqual([inside, deeper, outside])
    await ben.call(updateFolder, { params: { id: fjords.id }, body: { parent_id: elsewhere.id } })
    expect(await found(ben, { search: 'sweden' })).toEqual([inside, outside])
    expect(await found(ben, { search: 'elsewhere' })).toEqual([deeper])
    await ben.call(deleteMedia, { params: { id: inside } })
    expect(await found(ben, { search: 'sweden' })).toEqual([outside])
    await ben.call(deleteFolder, { params: { id: norway.id } })
    expect(await found(ben, { search: 'sweden' })).toEqual([])
  })
})
