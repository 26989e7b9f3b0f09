import { describe, expect, onTestFinished, test } from 'vitest'
import { listActivity } from '#contract/admin.ts'
import {
  type Album,
  addToAlbum,
  albumsOfFile,
  createAlbum,
  deleteAlbum,
  getAlbum,
  listAlbums,
  removeFromAlbum,
  reorderAlbum,
  restoreAlbum,
  restoreToAlbum,
  updateAlbum,
} from '#contract/albums.ts'
import { whoAmI } from '#contract/auth.ts'
import { changeDates } from '#contract/dates.ts'
import { UNKNOWN_DATE } from '#contract/edtf.ts'
import { mediaGrid, readGrid } from '#contract/grid.ts'
import { heartFile } from '#contract/hearts.ts'
import { DAY } from '#contract/limits.ts'
import { bulkDelete, getMedia } from '#contract/media.ts'
import { listMedia, mediaIds, mediaPosition, timeline } from '#contract/media-list.ts'
import { addTag } from '#contract/tags.ts'
import { restoreFiles } from '#contract/trash.ts'
import { insertMedia } from '../../test/fixtures/insert-media.ts'
import { memberOf } from '../../test/fixtures/members.ts'
import { type Engine, type Library, onBothEngines, onOneEngine, type SignedIn } from '../../test/library.ts'

/** Files taken on days after each other, in another order than their ids. */
async function photos(library: Library, count: number, name = 'photo'): Promise<number[]> {
  const days = Array.from({ length: count }, (_, i) => i)
  const ids = await insertMedia(
    library,
    days.map(i => ({ name: `${name} ${i}.jpg`, date: Date.UTC(2024, 5, 1 + count - i) })),
  )
  return ids.toReversed()
}

function make(person: SignedIn, title: string, fileIds?: number[]): Promise<Album> {
  return person.call(createAlbum, { body: { title, ...(fileIds ? { fileIds } : {}) } })
}

async function manuallyOrdered(person: SignedIn, title: string, fileIds: number[]): Promise<Album> {
  const { id } = await make(person, title, fileIds)
  return person.call(updateAlbum, { params: { id }, body: { order: 'manual' } })
}

async function order(person: SignedIn, id: number): Promise<number[]> {
  return (await person.call(mediaIds, { query: { album: id, sort: 'manual' } })).ids
}

const refused = (status: number) => expect.objectContaining({ status })

/** Until the test is over, the database stores no count of a smart album. */
async function refuseCounts(library: Library, engine: Engine): Promise<void> {
  const [refuse, accept] =
    engine === 'postgres'
      ? [
          'alter table smart_album_counts add constraint refused check (files < 0) not valid',
          'alter table smart_album_counts drop constraint refused',
        ]
      : [
          "create trigger refused before insert on smart_album_counts begin select raise(abort, 'refused'); end",
          'drop trigger refused',
        ]
  await library.rows(refuse)
  onTestFinished(async () => void (await library.rows(accept)))
}

onBothEngines('an album', (library, engine) => {
  test('has files that stay in their folders, and is changed by who made it and by admins', async () => {
    const [ben, rose, ada] = await Promise.all((['ben', 'rose', 'ada'] as const).map(name => memberOf(library(), name)))
    const ids = await photos(library(), 3)
    const album = await make(ben as SignedIn, '  Lisbon ', ids)
    expect(album).toMatchObject({
      title: 'Lisbon',
      description: '',
      order: 'oldest',
      search: null,
      file_count: 3,
      first_date: '2024-06-02',
      last_date: '2024-06-04',
      created_by: { username: 'ben' },
    })
    const params = { id: album.id }
    const text = { title: 'Lisbon 2024', description: 'A week by the sea' }
    await expect(rose?.call(updateAlbum, { params, body: text })).rejects.toEqual(refused(403))
    await expect(rose?.call(deleteAlbum, { params })).rejects.toEqual(refused(403))
    expect(await ada?.call(updateAlbum, { params, body: text })).toMatchObject(text)
    const undo = { title: 'Lisbon', expected: { title: 'Lisbon 2024' } }
    expect(await ben?.call(updateAlbum, { params, body: undo })).toMatchObject({ title: 'Lisbon' })
    await expect(ben?.call(updateAlbum, { params, body: undo })).rejects.toEqual(refused(409))

    const found = await rose?.call(listAlbums, { query: { search: 'LISB' } })
    expect(found).toHaveLength(1)
    expect(await rose?.call(getAlbum, { params })).toEqual({ ...found?.[0], video_count: 0, has_captions: false })
    expect(await rose?.call(listAlbums, { query: { search: 'porto' } })).toEqual([])

    await ben?.call(deleteAlbum, { params })
    await expect(rose?.call(getAlbum, { params })).rejects.toEqual(refused(404))
    await expect(rose?.call(listMedia, { query: { album: album.id } })).rejects.toEqual(refused(404))
    await expect(rose?.call(restoreAlbum, { params })).rejects.toEqual(refused(404))
    expect((await ben?.call(listMedia, { query: {} }))?.files.map(file => file.id)).toEqual(expect.arrayContaining(ids))
    expect(await ben?.call(restoreAlbum, { params })).toMatchObject({ title: 'Lisbon', file_count: 3 })
    await ben?.call(updateAlbum, { params, body: { title: 'Lisbon', order: 'oldest' } })
    const lines = await ada?.call(listActivity, { query: {} })
    expect(lines?.slice(0, 5).map(line => [line.act, line.subject_name, Object(line.before).name])).toEqual([
      ['album.restore', 'Lisbon', undefined],
      ['album.delete', 'Lisbon', 'Lisbon'],
      ['album.update', 'Lisbon', 'Lisbon 2024'],
      ['album.update', 'Lisbon', 'Lisbon'],
      ['album.create', 'Lisbon', undefined],
    ])
    await ada?.call(deleteAlbum, { params })
    await expect(ben?.call(restoreAlbum, { params })).rejects.toEqual(refused(404))
    expect(await ada?.call(restoreAlbum, { params })).toMatchObject({ title: 'Lisbon' })
  })

  test('is filled by everyone, and a file is taken out by who added it, who made the album, or an admin', async () => {
    const [ben, rose, ada] = [
      await memberOf(library()),
      await memberOf(library(), 'rose'),
      await memberOf(library(), 'ada'),
    ]
    const [first = 0, second = 0, third = 0] = await photos(library(), 3)
    const { id } = await make(ben, 'Shared', [first])
    const add = (person: SignedIn, ...fileIds: number[]) =>
      person.call(addToAlbum, { params: { id }, body: { fileIds } })
    const remove = (person: SignedIn, ...fileIds: number[]) =>
      person.call(removeFromAlbum, { params: { id }, body: { fileIds } })
    const putBack = (person: SignedIn, ...fileIds: number[]) =>
      person.call(restoreToAlbum, { params: { id }, body: { fileIds } })

    expect(await add(rose, first, second, 999_999_999)).toEqual({ added: 1, fileIds: [second] })
    expect(await add(ada, third)).toEqual({ added: 1, fileIds: [third] })
    expect(await rose.call(albumsOfFile, { params: { id: second } })).toMatchObject([
      { id, title: 'Shared', added_by: { username: 'rose' }, removable: true },
    ])
    expect(await rose.call(albumsOfFile, { params: { id: third } })).toMatchObject([{ removable: false }])

    await expect(remove(rose, first, third)).rejects.toEqual(refused(403))
    expect(await remove(rose, first, second)).toEqual({ removed: 1, fileIds: [second], kept: 1 })
    await expect(putBack(ben, second)).rejects.toEqual(refused(404))
    expect(await putBack(rose, second)).toEqual({ restored: 1 })
    const which = { name: 'Shared', files: 1, ids: [second] }
    expect(await ada.call(listActivity, { query: { limit: 2 } })).toMatchObject([
      { act: 'album.restore-files', before: which },
      { act: 'album.remove', before: which },
    ])
    expect(await rose.call(albumsOfFile, { params: { id: second } })).toMatchObject([
      { added_by: { username: 'rose' } },
    ])
    expect(await remove(ben, first, second, third)).toMatchObject({ removed: 3, kept: 0 })
    expect(await remove(ada, first)).toEqual({ removed: 0, fileIds: [], kept: 0 })
    // Who adds it again is who added it.
    expect(await add(ada, second)).toEqual({ added: 1, fileIds: [second] })
    expect(await ada.call(albumsOfFile, { params: { id: second } })).toMatchObject([{ added_by: { username: 'ada' } }])
  })

  test('lists its files like the gallery, by date or in manual order, and never one that is deleted', async () => {
    const ben = await memberOf(library())
    const ids = await photos(library(), 5)
    const [a = 0, b = 0, c = 0, d = 0, e = 0] = ids
    const { id, order: ordered } = await manuallyOrdered(ben, 'By hand', ids)
    expect(ordered).toBe('manual')
    expect(await order(ben, id)).toEqual(ids)
    const reorder = (fileIds: number[], before: number | null) =>
      ben.call(reorderAlbum, { params: { id }, body: { fileIds, before } })
    const { from } = await reorder([d, a], c)
    expect(await order(ben, id)).toEqual([b, a, d, c, e])
    await reorder([b], null)
    expect(await order(ben, id)).toEqual([a, d, c, e, b])

    const query = { album: id, sort: 'manual' } as const
    const pages = [
      await ben.call(listMedia, { query: { ...query, limit: 2 } }),
      await ben.call(listMedia, { query: { ...query, limit: 9, offset: 2 } }),
    ]
    expect(pages.flatMap(page => page.files.map(file => file.id))).toEqual([a, d, c, e, b])
    const cursor = pages[0]?.next_cursor ?? ''
    const next = await ben.call(listMedia, { query: { ...query, limit: 2, cursor } })
    expect(next.files.map(file => file.id)).toEqual([c, e])
    expect(readGrid(await ben.call(mediaGrid, { query: { ...query, offset: 3 } })).map(file => file.id)).toEqual([e, b])
    expect(await ben.call(mediaPosition, { params: { id: e }, query })).toEqual({ index: 3 })
    expect((await ben.call(mediaIds, { query: { ...query, first: d, last: e } })).ids).toEqual([d, c, e])
    expect(await ben.call(timeline, { query: { ...query, proportions: 'true' } })).toMatchObject({
      total: 5,
      days: [],
    })
    const byDate = await ben.call(timeline, { query: { album: id, order: 'asc' } })
    expect(byDate.days.map(([, , day]) => day)).toEqual(['02', '03', '04', '05', '06'].map(day => `2024-06-${day}`))

    await ben.call(bulkDelete, { body: { fileIds: [a, e] } })
    expect(await order(ben, id)).toEqual([d, c, b])
    expect(await ben.call(getAlbum, { params: { id } })).toMatchObject({ file_count: 3, first_date: '2024-06-03' })
    await ben.call(restoreFiles, { body: { fileIds: [a, e] } })
    // Undo of both: each run of neighbours goes back to where it was.
    await reorder([b], a)
    for (const run of from) await reorder(run.fileIds, run.before)
    expect(await order(ben, id)).toEqual(ids)
    // By date and back: the manual order is kept.
    await reorder([e], a)
    await ben.call(updateAlbum, { params: { id }, body: { order: 'newest' } })
    await expect(reorder([a], null)).rejects.toEqual(refused(409))
    await ben.call(updateAlbum, { params: { id }, body: { order: 'manual' } })
    expect(await order(ben, id)).toEqual([e, a, b, c, d])
    await expect(ben.call(mediaIds, { query: { sort: 'manual' } })).rejects.toEqual(refused(422))
  })

  test('has its undated files last, also once its order is manual', async () => {
    const ben = await memberOf(library())
    const [a = 0, b = 0, c = 0, d = 0] = await photos(library(), 4)
    await ben.call(changeDates, { body: { fileIds: [a, c], change: { kind: 'set', edtf: UNKNOWN_DATE } } })
    const { id } = await manuallyOrdered(ben, 'Undated', [a, b])
    expect(await order(ben, id)).toEqual([b, a])
    await ben.call(addToAlbum, { params: { id }, body: { fileIds: [c, d] } })
    expect(await order(ben, id)).toEqual([b, a, d, c])
  })

  test('says its first and last date as exactly as they are known', async () => {
    const ben = await memberOf(library())
    const [a = 0, b = 0, c = 0] = await photos(library(), 3)
    const { id } = await manuallyOrdered(ben, 'Imprecise', [a, b, c])
    const set = (fileId: number, edtf: string) =>
      ben.call(changeDates, { body: { fileIds: [fileId], change: { kind: 'set', edtf } } })
    await set(a, '196X')
    await set(b, '1974-22')
    await set(c, UNKNOWN_DATE)
    expect(await ben.call(getAlbum, { params: { id } })).toMatchObject({ first_date: '196X', last_date: '1974' })
  })

  test('is reordered between the same two files until there is no room, and by two people at once', async () => {
    const [ben, rose] = [await memberOf(library()), await memberOf(library(), 'rose')]
    const ids = await photos(library(), 40)
    const [first = 0, ...others] = ids
    const last = others.pop() ?? 0
    const { id } = await manuallyOrdered(ben, 'Crowded', ids)
    const move = (person: SignedIn, fileId: number, before: number | null) =>
      person.call(reorderAlbum, { params: { id }, body: { fileIds: [fileId], before } })
    // Each goes right behind the first one, so that the gap is halved every time.
    let next: number = others[0] ?? 0
    for (const fileId of others.slice(1)) {
      await move(ben, fileId, next)
      next = fileId
    }
    expect(await order(ben, id)).toEqual([first, ...others.toReversed(), last])
    await Promise.all(others.map((fileId, i) => move(i % 2 ? ben : rose, fileId, null)))
    const after = await order(ben, id)
    expect(after.slice(0, 2)).toEqual([first, last])
    expect(after.toSorted((a, b) => a - b)).toEqual(ids.toSorted((a, b) => a - b))
    await expect(move(ben, first, 999_999_999)).rejects.toEqual(refused(409))
  })

  test('that is smart fills itself by the filter of the gallery, and shows no more than its search finds', async () => {
    const ben = await memberOf(library())
    const [first = 0, second = 0, third = 0] = await photos(library(), 3, 'smart')
    const { id: tag } = await ben.call(addTag, { params: { id: first }, body: { tagName: 'Garden party' } })
    const body = { title: 'Garden', search: { tag, search: 'smart', year: 2024 } }
    const album = await ben.call(createAlbum, { body })
    expect(album).toMatchObject({ search: body.search, file_count: 1, order: 'newest' })
    await ben.call(addTag, { params: { id: second }, body: { tagName: 'garden party' } })
    const files = async (more: object = {}) =>
      (await ben.call(listMedia, { query: { album: album.id, ...more } })).files.map(file => file.id)
    expect(await files()).toEqual([second, first])
    expect(await files({ search: 'smart 2', limit: 5 })).toEqual([first])
    expect(await files({ search: 'smart', type: 'video' })).toEqual([])
    const params = { id: album.id }
    // Counted in the background.
    await expect.poll(async () => (await ben.call(getAlbum, { params })).file_count, { timeout: 20_000 }).toBe(2)
    await expect(ben.call(addToAlbum, { params, body: { fileIds: [third] } })).rejects.toEqual(refused(409))
    await expect(ben.call(updateAlbum, { params, body: { order: 'manual' } })).rejects.toEqual(refused(409))
    await expect(ben.call(listMedia, { query: { album: album.id, sort: 'manual' } })).rejects.toEqual(refused(422))
    expect(await ben.call(updateAlbum, { params, body: { search: { search: 'smart' } } })).toMatchObject({
      file_count: 3,
    })
    const undo = { search: body.search, expected: { search: { search: 'smart' } } }
    expect(await ben.call(updateAlbum, { params, body: undo })).toMatchObject({ search: body.search })
    await expect(ben.call(updateAlbum, { params, body: undo })).rejects.toEqual(refused(409))
    const lines = await (await library().admin()).call(listActivity, { query: { limit: 2 } })
    expect(lines).toContainEqual(
      expect.objectContaining({
        act: 'album.update',
        before: expect.objectContaining({ search: JSON.stringify({ search: 'smart' }) }),
      }),
    )
    await expect(ben.call(createAlbum, { body: { title: 'All', search: {} } })).rejects.toEqual(refused(422))
  })

  test('that is smart keeps working as earlier versions stored it', async () => {
    const ben = await memberOf(library())
    const [id = 0] = await photos(library(), 2, 'stored')
    const { id: tag } = await ben.call(addTag, { params: { id }, body: { tagName: 'Stored' } })
    await ben.call(heartFile, { params: { id } })
    const me = await ben.call(whoAmI)
    const bounds = '-9.2,38.6,-9.1,38.8'
    await library().rows(
      `update media set camera = 'Leica', location = 'Alfama, Lisbon, Portugal', latitude = 38.7, longitude = -9.15 where id = ${id}`,
    )
    const file = await ben.call(getMedia, { params: { id } })
    const uploader = file.uploaded_by?.id ?? 0
    const searches = [
      { search: file.original_name, type: 'image', folder_id: 'root' },
      { place: 'Alfama, Lisbon, Portugal', area: 'Portugal', bounds },
      { camera: 'Leica', tag, uploader, hearted_by: me.id },
      { year: 2024, date: '2024-06', tag },
      { date: '202X', tag },
      { date: '2024-01/2024-12', tag, search: '' },
      { search: 'stored', undated: 'true' },
    ]
    const album = await ben.call(createAlbum, { body: { title: 'Stored', search: { search: 'other' } } })
    const params = { id: album.id }
    for (const search of searches) {
      await library().rows(`update albums set search = '${JSON.stringify(search)}' where id = ${album.id}`)
      const { files } = await ben.call(listMedia, { query: { album: album.id } })
      expect(files.map(file => file.id)).toEqual('undated' in search ? [] : [id])
      expect((await ben.call(getAlbum, { params })).search).toEqual(search)
    }
    // Whatever the order in which its filters are stored, an undo recognises it.
    await library().rows(
      `update albums set search = '${JSON.stringify({ tag, search: 'stored', folder_id: 'root' })}' where id = ${album.id}`,
    )
    const expected = { search: { folder_id: 'root', search: 'stored', tag } } as const
    expect(await ben.call(updateAlbum, { params, body: { search: { search: 'x' }, expected } })).toMatchObject({
      search: { search: 'x' },
    })
  })

  test('that is smart is counted after a change, and not whenever somebody looks', async () => {
    const ben = await memberOf(library())
    const [first = 0] = await photos(library(), 2, 'counted once')
    const album = await ben.call(createAlbum, { body: { title: 'Counted', search: { search: 'counted once' } } })
    const shown = async () => {
      const { file_count, video_count, cover } = await ben.call(getAlbum, { params: { id: album.id } })
      const [listed] = await ben.call(listAlbums, { query: { search: 'counted' } })
      expect(listed?.file_count).toBe(file_count)
      return { file_count, video_count, cover: cover?.media_id }
    }
    // As long as nothing has changed, the stored count is shown. Changes of other tests may still be counted.
    const showStored = async () => {
      await library().rows(`update smart_album_counts set files = 77, videos = 7 where album_id = ${album.id}`)
      return shown()
    }
    await expect.poll(showStored, { timeout: 20_000 }).toMatchObject({ file_count: 77, video_count: 7 })
    await ben.call(addTag, { params: { id: first }, body: { tagName: 'A change' } })
    await expect.poll(shown, { timeout: 20_000 }).toMatchObject({ file_count: 2, video_count: 0 })
  })

  test('that is smart says that it was changed even if it cannot be counted, and shows its last count', async () => {
    const ben = await memberOf(library())
    await photos(library(), 2, 'uncountable')
    const search = { search: 'uncountable' }
    const counted = await ben.call(createAlbum, { body: { title: 'Counted before', search } })
    await refuseCounts(library(), engine)
    const params = { id: counted.id }
    const changed = await ben.call(updateAlbum, {
      params,
      body: { title: 'Renamed', search: { ...search, year: 1999 } },
    })
    expect(changed).toMatchObject({ title: 'Renamed', file_count: 2 })
    const created = await ben.call(createAlbum, { body: { title: 'Never counted', search } })
    expect(created).toMatchObject({ search, file_count: 0, cover: null })
    expect(await ben.call(getAlbum, { params: { id: created.id } })).toMatchObject({ file_count: 2 })
  })

  test('removed for good leaves nothing of it, and a file removed for good leaves it', async () => {
    const ben = await memberOf(library())
    const ids = await photos(library(), 2)
    const [first = 0] = ids
    const gone = await make(ben, 'Gone', ids)
    const stays = await make(ben, 'Stays', ids)
    await ben.call(updateAlbum, { params: { id: stays.id }, body: { cover_id: first } })
    await ben.call(deleteAlbum, { params: { id: gone.id } })
    library().pass((library().config.trashDays - 1) * DAY)
    expect(await ben.call(restoreAlbum, { params: { id: gone.id } })).toMatchObject({ file_count: 2 })
    await ben.call(deleteAlbum, { params: { id: gone.id } })
    await ben.call(bulkDelete, { body: { fileIds: [first] } })
    library().pass(library().config.trashDays * DAY + 1)
    // By the hourly cleanup.
    const rows = (where: string) => library().rows(`select * from album_files where ${where}`)
    await expect.poll(() => rows(`album_id = ${gone.id}`), { timeout: 15_000 }).toEqual([])
    await expect.poll(() => rows(`media_id = ${first}`), { timeout: 15_000 }).toEqual([])
    expect(await ben.call(getAlbum, { params: { id: stays.id } })).toMatchObject({ file_count: 1 })
  })
})

onOneEngine('the cover of an album', library => {
  test('is the first file until somebody chooses another one of its files', async () => {
    const ben = await memberOf(library())
    const ids = await photos(library(), 3)
    const [a = 0, b = 0, c = 0] = ids
    const parts = ids.map(id => `(${id}, 'thumbnail', 'variants/cover-${id}.jpg', 1, 'image/jpeg')`)
    await library().rows(`insert into media_parts (media_id, kind, key, size, mime_type) values ${parts.join()}`)
    const { id, cover } = await make(ben, 'Covered', [a, b])
    expect(cover).toMatchObject({ media_id: a, chosen: false, thumbnail_url: expect.any(String) })
    const choose = (cover_id: number | null) => ben.call(updateAlbum, { params: { id }, body: { cover_id } })
    expect(await choose(b)).toMatchObject({ cover: { media_id: b, chosen: true } })
    await expect(choose(c)).rejects.toEqual(refused(404))
    await ben.call(removeFromAlbum, { params: { id }, body: { fileIds: [b] } })
    expect(await ben.call(getAlbum, { params: { id } })).toMatchObject({ cover: { media_id: a } })
    await ben.call(restoreToAlbum, { params: { id }, body: { fileIds: [b] } })
    expect(await ben.call(getAlbum, { params: { id } })).toMatchObject({ cover: { media_id: b } })
    // An undo takes back only one's own choice.
    const undo = { cover_id: null, expected: { cover_id: a } }
    await expect(ben.call(updateAlbum, { params: { id }, body: undo })).rejects.toEqual(refused(409))
    expect(await choose(null)).toMatchObject({ cover: { media_id: a } })
  })

  describe('and a list of albums', () => {
    test('is paged, the newest first', async () => {
      const ben = await memberOf(library())
      const made = [await make(ben, 'Page 1'), await make(ben, 'Page 2'), await make(ben, 'Page 3')].map(({ id }) => id)
      const page = async (query: object) => (await ben.call(listAlbums, { query })).map(album => album.id)
      expect(await page({ limit: 2 })).toEqual([made[2], made[1]])
      expect(await page({ limit: 1, before: made[1] })).toEqual([made[0]])
    })
  })
})
