import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { type Grid, mediaGrid, readGrid } from '#contract/grid.ts'
import { heartFiles } from '#contract/hearts.ts'
import { getMedia, renameMedia } from '#contract/media.ts'
import { listMedia, type SortField, type SortOrder, timeline } from '#contract/media-list.ts'
import { proportionOf } from '#contract/proportions.ts'
import { start } from '#contract/start.ts'
import { type FileToInsert, insertMedia, withDatabase } from '../../test/fixtures/insert-media.ts'
import { memberOf } from '../../test/fixtures/members.ts'
import { makeClientPictures, makePicture } from '../../test/fixtures/pictures.ts'
import { photoForm, send } from '../../test/fixtures/uploads.ts'
import { type Library, onBothEngines } from '../../test/library.ts'
import { timeline as readTimeline } from './grid.ts'
import { insertParts, updateMedia } from './media.sql.ts'
import { newKeyStem, newPartSet, partKey } from './object-keys.ts'

const sizes = [
  [4032, 3024],
  [3024, 4032],
  [1920, 1080],
  [12_000, 3_000],
] as const

/** Files with sizes, thumbhashes and pictures as they have them once they are prepared. */
async function insertPrepared(library: Library, files: readonly FileToInsert[]): Promise<number[]> {
  const ids = await insertMedia(library, files)
  await withDatabase(library, db =>
    db.transaction(async tx => {
      for (const [i, id] of ids.entries()) {
        const [width, height] = sizes[i % sizes.length] ?? [1, 1]
        await updateMedia(tx, id, { width, height, thumbhash: '1QcSHQRnh493V4dIh4eXh1h4kJUI' })
        const set = newPartSet(newKeyStem(files[i]?.name ?? '', new Date(files[i]?.date ?? 0)), 1)
        const facts = { media_id: id, size: 1, mime_type: 'image/jpeg', width: 300, height: 225 }
        await insertParts(
          tx,
          (['thumbnail', 'mobile'] as const).map(kind => ({ ...facts, kind, key: partKey(set, kind, 'jpg') })),
        )
      }
    }),
  )
  return ids
}

onBothEngines('the grid', library => {
  test('shows of an uploaded photo what the list shows, with pictures that load', async () => {
    const ben = await memberOf(library())
    const bytes = await makePicture({ width: 1_200, height: 900 })
    const pictures = await makeClientPictures(bytes)
    const { files } = await send(ben, photoForm('Größe (1).jpg', bytes, pictures))
    const file = await ben.call(getMedia, { params: { id: files[0]?.id ?? 0 } })
    const grid = await ben.call(mediaGrid, { query: {} })
    const [tile] = readGrid(grid)
    const { original_name, file_type, file_size, thumbhash, duration, location, status } = file
    expect({ ...leftOut, ...tile }).toMatchObject({
      id: file.id,
      original_name,
      file_type,
      file_size,
      thumbhash,
      duration,
      location,
      status,
    })
    expect(tile?.day).toBe(file.date?.slice(0, 10) ?? 'XXXX')
    expect(tile?.ratio).toBeCloseTo((file.width ?? 1) / (file.height ?? 1), 1)
    const load = async (url: string | null | undefined) => {
      const response = await fetch(new URL(url ?? '', library().url))
      expect(response.status).toBe(200)
      return Buffer.from(await response.arrayBuffer())
    }
    expect(await load(tile?.thumbnail_url)).toEqual(await load(file.thumbnail_url))
    expect(await load(tile?.mobile_url)).toEqual(await load(file.variant_urls?.mobile))
  })

  test('keeps its addresses within a window, and after a file was renamed', async () => {
    const ben = await memberOf(library())
    const [id = 0] = await insertPrepared(library(), [{ name: 'IMG_0815.jpg', camera: 'renamed-camera' }])
    const look = async () => readGrid(await ben.call(mediaGrid, { query: { search: 'renamed-camera' } }))[0]
    const before = await look()
    expect(before?.thumbnail_url).toMatch(/IMG_0815~[a-z0-9]{8}\/thumbnail-v1-[a-z0-9]{8}\.jpg\?/)
    await ben.call(renameMedia, { params: { id }, body: { newName: 'Grandma (80) *.jpg' } })
    const after = await look()
    expect(after?.original_name).toBe('Grandma (80) *.jpg')
    expect(after?.thumbnail_url).toBe(before?.thumbnail_url)
    expect(after?.mobile_url).toBe(before?.mobile_url)
  })

  test('is laid out while somebody writes', async () => {
    await memberOf(library())
    await withDatabase(library(), db =>
      db.transaction(async () => {
        const layout = readTimeline(db, 0, { sort: 'date', proportions: 'true', search: 'jpg' })
        const patience = new Promise(resolve => setTimeout(resolve, 10_000, 'waits'))
        expect(await Promise.race([layout, patience])).toMatchObject({ proportions: expect.any(String) })
      }),
    )
  })

  test.each([
    ['date', 'desc'],
    ['date', 'asc'],
    ['name', 'asc'],
    ['added', 'desc'],
    ['location', 'asc'],
    ['type', 'asc'],
    ['size', 'desc'],
  ] as [SortField, SortOrder][])(
    'by %s, %s, has the files of the list, and so has the timeline',
    async (sort, order) => {
      const ben = await memberOf(library())
      const names = Array.from({ length: 23 }, (_, i) => `even ${(i * 7) % 23}.jpg`)
      const places = ['Oslo, Norway', 'Bergen, Norway', null]
      if ((await ben.call(listMedia, { query: { search: 'even-camera', limit: 1 } })).count === 0) {
        const files = names.map((name, i) => {
          const date = Date.UTC(2021, 5, 1 + (i % 5)) + i * 1_000
          return { name, date, camera: 'even-camera', location: places[i % 3] ?? null }
        })
        await insertPrepared(library(), files)
      }
      const query = { search: 'even-camera', sort, order }
      const list = (await ben.call(listMedia, { query })).files
      const tiles = readGrid(await ben.call(mediaGrid, { query }))
      expect(tiles.map(tile => tile.id)).toEqual(list.map(file => file.id))
      expect(tiles.map(tile => tile.location ?? null)).toEqual(list.map(file => file.location))
      const { total, days, proportions } = await ben.call(timeline, { query: { ...query, proportions: 'true' } })
      expect(total).toBe(23)
      expect(proportions).toBe(list.map(file => proportionOf(file.width, file.height)).join(''))
      if (sort !== 'date') return expect(days).toEqual([])
      expect(days.flatMap(([, count, day]) => Array(count).fill(day))).toEqual(tiles.map(tile => tile.day))

      // Every page by the keys of its days, and by an offset within them.
      for (let i = 0; i < days.length; i += 2) {
        const [one, two = one] = days.slice(i, i + 2).map(([key]) => key)
        const [from = 0, to = 0] = [one, two].sort((a = 0, b = 0) => a - b)
        const before = days.slice(0, i).reduce((sum, [, count]) => sum + count, 0)
        const within = days.slice(i, i + 2).reduce((sum, [, count]) => sum + count, 0)
        const page = await ben.call(mediaGrid, { query: { ...query, from, to } })
        expect(readGrid(page)).toEqual(tiles.slice(before, before + within))
        const part = await ben.call(mediaGrid, { query: { ...query, from, to, offset: 2, limit: 3 } })
        expect(readGrid(part)).toEqual(tiles.slice(before + 2, before + Math.min(within, 5)))
      }
    },
  )

  test('marks what is special about a file', async () => {
    const ben = await memberOf(library())
    const [one = 0, two = 0, three = 0] = await insertPrepared(library(), [
      { name: 'a live.jpg', camera: 'marked-camera' },
      { name: 'b video.mp4', camera: 'marked-camera', type: 'video' },
      { name: 'c failed.jpg', camera: 'marked-camera' },
    ])
    await withDatabase(library(), db =>
      db.transaction(async tx => {
        await updateMedia(tx, one, { motion_part: 'motion', animated: 1, partly_damaged: 1 })
        await updateMedia(tx, two, { duration: 62.5, status: 'processing', progress: 40 })
        await updateMedia(tx, three, { status: 'failed', failure_reason: 'It cannot be read.' })
      }),
    )
    const tiles = readGrid(await ben.call(mediaGrid, { query: { search: 'marked-camera', sort: 'name' } }))
    const plain = { live: false, animated: false, partly_damaged: false, duration: null, progress: null }
    expect(tiles.map(tile => ({ ...leftOut, ...tile }))).toMatchObject([
      { ...plain, file_type: 'image', live: true, animated: true, partly_damaged: true, status: 'ready' },
      { ...plain, file_type: 'video', duration: 62.5, status: 'processing', progress: 40 },
      { ...plain, status: 'failed', failure_reason: 'It cannot be read.' },
    ])
  })

  test('takes at most 85 bytes a file as a proxy compresses it, also when all are loved', async () => {
    const ben = await memberOf(library())
    const files = Array.from({ length: 400 }, (_, i) => ({
      ...realistic(i),
      size: 2_000_000 + ((i * 7919) % 6_000_000),
      location: i % 5 < 2 ? (['Santa Monica, California, United States', 'Lisbon, Portugal'][i % 2] ?? null) : null,
      date: Date.UTC(2023, 6, 1) + Math.floor(i / 9) * 86_400_000 + i * 1_000,
    }))
    const fileIds = await insertPrepared(library(), files)
    await ben.call(heartFiles, { body: { fileIds } })
    for (const sort of ['date', 'name'] as const) {
      const grid = await ben.call(mediaGrid, { query: { year: 2023, sort, limit: 200 } })
      expect(grid.files).toHaveLength(200)
      expect(compressedWithoutSignatures(grid) / 200).toBeLessThan(85)
    }
  })

  test('is the beginning of a page, with who asks and what the library holds', async () => {
    const ben = await memberOf(library())
    await insertPrepared(library(), [{ name: 'newest.jpg', date: library().now() + 60_000 }])
    const answer = await ben.call(start, { query: { proportions: 'true', limit: 5 } })
    expect(answer.user).toMatchObject({ name: ben.person.name, role: 'member' })
    expect(answer.live_position).toEqual(expect.any(String))
    const { stats } = await ben.call(listMedia, { query: { limit: 1 } })
    expect(answer.stats).toEqual(stats)
    expect(answer.timeline.total).toBe(stats.total)
    expect(answer.timeline).toEqual(await ben.call(timeline, { query: { proportions: 'true' } }))
    expect(answer.grid).toEqual(await ben.call(mediaGrid, { query: { limit: 5 } }))
    expect((await ben.call(start, { query: {} })).timeline.proportions).toBeNull()
  })
})

/** What the rows of a grid leave out where it is false or not known. */
const leftOut = { live: false, animated: false, partly_damaged: false, duration: null, progress: null, location: null }

/** Names as phones, cameras, messengers and people give them. */
function realistic(i: number): { name: string } {
  const stamp = `202307${String(1 + (i % 28)).padStart(2, '0')}_${String(100_000 + i * 37).slice(0, 6)}`
  const names = [
    `IMG_${stamp}.jpg`,
    `IMG_${1_000 + i}.HEIC`,
    `PXL_${stamp}${i % 1_000}.jpg`,
    `IMG-20230714-WA${String(i).padStart(4, '0')}.jpg`,
    `DSC0${1_000 + i}.JPG`,
    `${crypto.randomUUID().toUpperCase()}.JPG`,
    `Großmutters Geburtstag ${i}.jpg`,
    `Screenshot_${stamp}.png`,
  ]
  return { name: names[i % names.length] ?? '' }
}

/** Stores that sign each object send their signatures, too. */
function compressedWithoutSignatures(grid: Grid): number {
  const files = grid.files.map(({ signatures, ...file }) => file)
  return gzipSync(JSON.stringify({ ...grid, files }), { level: 5 }).length
}
