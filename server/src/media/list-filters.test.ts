import { expect, test } from 'vitest'
import { createFolder } from '#contract/folders.ts'
import { getMedia, moveFiles } from '#contract/media.ts'
import { listMedia, mediaIds, mediaPosition, timeline } from '#contract/media-list.ts'
import { insertMedia, learnOf } from '../../test/fixtures/insert-media.ts'
import { memberOf } from '../../test/fixtures/members.ts'
import { uploadFile } from '../../test/fixtures/uploads.ts'
import { onBothEngines } from '../../test/library.ts'

onBothEngines('a filter', library => {
  test('by type, by folder or by both leaves what fits, and counts it', async () => {
    const ben = await memberOf(library())
    const folder = await ben.call(createFolder, { body: { name: 'Filtered' } })
    const video = { type: 'video', mime: 'video/mp4' } as const
    await insertMedia(library(), [
      { name: 'root photo', size: 10 },
      { name: 'root film', size: 20, ...video },
      { name: 'inner photo', size: 40, folder: folder.id },
      { name: 'inner film', size: 80, folder: folder.id, ...video },
      { name: 'inner film 2', size: 160, folder: folder.id, ...video },
    ])
    const found = async (query: object) => {
      const { files, count, stats } = await ben.call(listMedia, { query: { sort: 'size', ...query } })
      expect(count).toBe(files.length)
      // Statistics cover the whole library, whatever the filter.
      expect(stats).toEqual({ total: 5, images: 2, videos: 3, totalSize: 310 })
      return files.map(file => file.file_size)
    }
    expect(await found({})).toEqual([10, 20, 40, 80, 160])
    expect(await found({ type: 'image' })).toEqual([10, 40])
    expect(await found({ type: 'video' })).toEqual([20, 80, 160])
    expect(await found({ folder_id: 'root' })).toEqual([10, 20])
    expect(await found({ folder_id: folder.id })).toEqual([40, 80, 160])
    expect(await found({ folder_id: folder.id, type: 'image' })).toEqual([40])
    expect(await found({ folder_id: 'root', type: 'video', search: 'film' })).toEqual([20])
    expect(await found({ folder_id: folder.id, search: 'film 2' })).toEqual([160])
    expect(await found({ folder_id: 999_999 })).toEqual([])
    const [page] = [await ben.call(listMedia, { query: { limit: 2, sort: 'size', folder_id: folder.id } })]
    expect(page).toMatchObject({ count: 3, next_cursor: expect.any(String) })
    const last = await ben.call(listMedia, { query: { limit: 2, sort: 'size', folder_id: folder.id, offset: 2 } })
    expect(last.files.map(file => file.file_size)).toEqual([160])
    expect(last.next_cursor).toBeNull()
  })

  test('for no folder holds in every kind of list, and follows files that are moved', async () => {
    const ben = await memberOf(library())
    const folder = await ben.call(createFolder, { body: { name: 'Elsewhere' } })
    const [outside = 0, inside = 0, second = 0] = await insertMedia(library(), [
      { name: 'outside', camera: 'homeless', location: 'Zagreb' },
      { name: 'inside', camera: 'homeless', folder: folder.id },
      { name: 'second', camera: 'homeless' },
    ])
    const query = { folder_id: 'root', search: 'homeless', sort: 'location' } as const
    const wanted = async (...ids: number[]) => {
      expect((await ben.call(listMedia, { query })).files.map(file => file.id)).toEqual(ids)
      expect((await ben.call(mediaIds, { query })).ids).toEqual(ids)
      const among = { ...query, ids: [second, inside, 999_999].join(',') }
      expect((await ben.call(mediaIds, { query: among })).ids).toEqual(ids.filter(id => id !== outside))
      const { days, total } = await ben.call(timeline, { query: { folder_id: 'root', search: 'homeless' } })
      expect(days.reduce((sum, [, files]) => sum + files, 0)).toBe(ids.length)
      expect(total).toBe(ids.length)
    }
    await wanted(outside, second)
    expect(await ben.call(mediaPosition, { params: { id: second }, query })).toEqual({ index: 1 })
    await expect(ben.call(mediaPosition, { params: { id: inside }, query })).rejects.toMatchObject({ status: 404 })
    const before = await ben.call(listMedia, { query: { folder_id: 'root' } })
    await ben.call(moveFiles, { body: { fileIds: [inside], folderId: null } })
    await ben.call(moveFiles, { body: { fileIds: [outside], folderId: folder.id } })
    await wanted(inside, second)
    const after = await ben.call(listMedia, { query: { folder_id: 'root' } })
    expect(after.count).toBe(before.count)
    expect(after.count).toBe(after.files.length)
  })

  test('by days goes by the wall clock, and so does the timeline', async () => {
    const ben = await memberOf(library())
    const late = Date.UTC(1999, 11, 31, 23, 59, 59)
    await insertMedia(library(), [
      { name: 'late', date: late, camera: 'millennium' },
      { name: 'early', date: late + 1_000, camera: 'millennium' },
      { name: 'before all time', date: Date.UTC(1931, 4, 4), camera: 'millennium' },
    ])
    const names = async (query: object) => {
      const { files, count } = await ben.call(listMedia, { query: { search: 'millennium', ...query } })
      expect(count).toBe(files.length)
      return files.map(file => file.original_name)
    }
    expect(await names({ from: '2000-01-01' })).toEqual(['early'])
    expect(await names({ to: '1999-12-31' })).toEqual(['late', 'before all time'])
    expect(await names({ from: '1999-12-31', to: '1999-12-31' })).toEqual(['late'])
    expect(await names({ from: '1931-05-04', to: '1931-05-04' })).toEqual(['before all time'])
    expect(await names({ from: '1931-05-05', to: '1931-05-03' })).toEqual([])
    expect((await ben.call(timeline, { query: { search: 'millennium' } })).days).toEqual([
      [10_957, 1, '2000-01-01'],
      [10_956, 1, '1999-12-31'],
      [-14_122, 1, '1931-05-04'],
    ])
  })

  test('by days is not upset by a file that claims to be of the far future', async () => {
    const ben = await memberOf(library())
    await uploadFile(ben, { name: 'future.jpg', lastModified: Number.MAX_SAFE_INTEGER })
    const past = await uploadFile(ben, { name: 'past.jpg', lastModified: -Number.MAX_SAFE_INTEGER })
    const { days } = await ben.call(timeline, { query: { search: '.jpg' } })
    expect(days).toEqual([[expect.any(Number), 2, 'XXXX']])
    await expect(ben.call(getMedia, { params: { id: past.id } })).resolves.toMatchObject({ taken_at: null })
  })
})

onBothEngines('a search', library => {
  const films = [
    'Große Ferien.mp4',
    'ΟΔΟΣ.jpg',
    'Crème brûlée.png',
    '100% sure_thing.jpg',
    `it's "quoted" \\ slash.jpg`,
    '東京タワー.jpg',
    'Ａｂｃ full width.jpg',
    'İstanbul.jpg',
    'plain NEAR file AND more.jpg',
    'naïve – café.jpg',
  ]
  const cases: [search: string, found: string[]][] = [
    ['große', ['Große Ferien.mp4']],
    ['GROSSE', ['Große Ferien.mp4']],
    ['οδός', ['ΟΔΟΣ.jpg']],
    ['ΟΔΟΣ', ['ΟΔΟΣ.jpg']],
    ['creme BRULEE', ['Crème brûlée.png']],
    ['brûlée crème', ['Crème brûlée.png']],
    ['crème ferien', []],
    ['%', ['100% sure_thing.jpg']],
    ['0%', ['100% sure_thing.jpg']],
    ['100% sure', ['100% sure_thing.jpg']],
    ['1%e', []],
    ['_', ['100% sure_thing.jpg']],
    ['e_t', ['100% sure_thing.jpg']],
    ['sure_', ['100% sure_thing.jpg']],
    ['sur__thing', []],
    ['"', [`it's "quoted" \\ slash.jpg`]],
    ['"quoted"', [`it's "quoted" \\ slash.jpg`]],
    ["it's", [`it's "quoted" \\ slash.jpg`]],
    ['\\', [`it's "quoted" \\ slash.jpg`]],
    ['東', ['東京タワー.jpg']],
    ['東京', ['東京タワー.jpg']],
    ['京タワ', ['東京タワー.jpg']],
    ['abc', ['Ａｂｃ full width.jpg']],
    ['istanbul', ['İstanbul.jpg']],
    ['İSTANBUL', ['İstanbul.jpg']],
    ['and', ['plain NEAR file AND more.jpg']],
    ['near', ['plain NEAR file AND more.jpg']],
    ['"and" or not', []],
    ['cafe', ['naïve – café.jpg']],
    ['–', ['naïve – café.jpg']],
    ['*', []],
    ['(', []],
    ['a* OR b', []],
    ['^plain', []],
    ['search_text:plain', []],
    ['mp4', ['Große Ferien.mp4']],
    ['f', ['Große Ferien.mp4', 'plain NEAR file AND more.jpg', 'naïve – café.jpg', 'Ａｂｃ full width.jpg']],
  ]

  test.each(cases)('for %s', async (search, found) => {
    const ben = await memberOf(library())
    if ((await ben.call(listMedia, { query: {} })).count === 0)
      await insertMedia(
        library(),
        films.map(name => ({ name })),
      )
    const { files, count } = await ben.call(listMedia, { query: { search } })
    expect(files.map(file => file.original_name).toSorted()).toEqual(found.toSorted())
    expect(count).toBe(found.length)
  })

  test('of nothing but blanks finds everything', async () => {
    const ben = await memberOf(library())
    expect((await ben.call(listMedia, { query: { search: '   ' } })).count).toBe(films.length)
  })

  test('looks at the place and the camera too, but never across two of them', async () => {
    const ben = await memberOf(library())
    const { files } = await ben.call(listMedia, { query: { search: 'İstanbul' } })
    const id = files[0]?.id ?? 0
    const finds = async (search: string) => {
      const found = (await ben.call(listMedia, { query: { search } })).files
      return found.some(file => file.id === id)
    }
    expect(await finds('Üsküdar')).toBe(false)
    await learnOf(library(), id, { location: 'Üsküdar, Türkiye', camera: 'Leica M6' })
    expect(await finds('uskudar')).toBe(true)
    expect(await finds('m6')).toBe(true)
    expect(await finds('istanbul leica turkiye')).toBe(true)
    expect(await finds('jpguskudar')).toBe(false)
    await learnOf(library(), id, { location: null, camera: null })
    expect(await finds('uskudar')).toBe(false)
  })
})
