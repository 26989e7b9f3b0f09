import { describe, expect, test } from 'vitest'
import { createFolder, deleteFolder, listFolders } from '#contract/folders.ts'
import { bulkDelete, deleteMedia, moveFiles, renameMedia } from '#contract/media.ts'
import { listMedia, mediaStats, timeline } from '#contract/media-list.ts'
import { listDeleted, restoreFiles } from '#contract/trash.ts'
import { emptyDatabase } from '../../test/empty-database.ts'
import { insertMedia, withDatabase } from '../../test/fixtures/insert-media.ts'
import { memberOf } from '../../test/fixtures/members.ts'
import { makePicture } from '../../test/fixtures/pictures.ts'
import { plainForm, send } from '../../test/fixtures/uploads.ts'
import { engines, type Library, onBothEngines, type SignedIn } from '../../test/library.ts'
import { CallRefused } from '../../test/visitor.ts'
import { recount, updateCounts } from './counts.sql.ts'

/** A seeded random generator, so that a failing run can be reproduced. */
function chance(seed: number) {
  let state = seed
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return { below, pick: <T>(things: readonly T[]): T | undefined => things[below(things.length)] }
}

type Chance = ReturnType<typeof chance>

/** Random user actions, each on whatever exists at that moment. */
function acts(people: SignedIn[], admin: SignedIn, photos: Buffer[], { below, pick }: Chance) {
  const someone = () => pick(people) ?? admin
  const someFiles = async () => {
    const { files } = await admin.call(listMedia, { query: {} })
    return Array.from({ length: 1 + below(8) }, () => pick(files)?.id ?? 1)
  }
  const someFolder = async () => pick(await admin.call(listFolders))?.id ?? null
  return [
    async () => {
      const folderId = await someFolder()
      await send(someone(), plainForm('storm.jpg', pick(photos) ?? Buffer.alloc(0), { folderId }))
    },
    async () => someone().call(deleteMedia, { params: { id: (await someFiles())[0] ?? 1 } }),
    async () => {
      const newName = `renamed ${below(3)} as ${below(1_000)}.jpg`
      await someone().call(renameMedia, { params: { id: (await someFiles())[0] ?? 1 }, body: { newName } })
    },
    async () => someone().call(bulkDelete, { body: { fileIds: await someFiles() } }),
    async () => someone().call(moveFiles, { body: { fileIds: await someFiles(), folderId: await someFolder() } }),
    async () => someone().call(moveFiles, { body: { fileIds: await someFiles(), folderId: null } }),
    async () => someone().call(createFolder, { body: { name: `Storm ${below(6)}`, parent_id: await someFolder() } }),
    async () => someone().call(deleteFolder, { params: { id: (await someFolder()) ?? 1 } }),
    async () => {
      const deleted = await admin.call(listDeleted, { query: {} })
      await admin.call(restoreFiles, { body: { fileIds: [pick(deleted)?.id ?? 1] } })
    },
  ]
}

/** The stored counts, and the correct ones. */
async function counts(library: Library): Promise<{ kept: object[]; true: object[] }> {
  return withDatabase(library, async db => {
    const rows = await db.query.selectFrom('media_counts').selectAll().where('files', '<>', 0).execute()
    const sorted = (lines: Awaited<ReturnType<typeof recount>>) =>
      lines.toSorted((a, b) => a.folder_id - b.folder_id || a.file_type.localeCompare(b.file_type))
    return { kept: sorted(rows), true: sorted(await recount(db.query)) }
  })
}

/** Compares the counts that triggers maintain with the rows that they are derived from. */
async function expectDerivedCounts(library: Pick<Library, 'rows'>): Promise<void> {
  const lines = async (query: string) => (await library.rows(query)).map(row => Object.values(row).join(' ')).sort()
  expect(await lines('select heading_rank, day, folder_id, file_type, files from media_day_counts')).toEqual(
    await lines(`select heading_rank, day, coalesce(folder_id, 0) as folder, file_type, count(*) as files from media
      where deleted_at is null group by heading_rank, day, coalesce(folder_id, 0), file_type`),
  )
  const shapes = new Map<string, number>()
  for (const { search_text } of await library.rows('select search_text from media_search_texts')) {
    const shape = String(search_text).replace(/[0-9]/g, '0')
    shapes.set(shape, (shapes.get(shape) ?? 0) + 1)
  }
  const kept = await library.rows('select shape, files from search_text_shapes')
  expect(new Map(kept.map(({ shape, files }) => [shape, Number(files)]))).toEqual(shapes)
}

describe.each(engines)('the triggers on files and search texts (%s)', engine => {
  test('update the derived counts whatever writes the rows', async () => {
    const { open, rows } = await emptyDatabase(engine)
    await open()
    await rows(
      `insert into people (id, issuer, subject, email, username, name, role, status, requested_at) values (1, 'i', 's', 'e', 'u', 'n', 'member', 'approved', 0)`,
    )
    await rows(
      `insert into folders (id, name, name_key, search_text, parent_id, created_at, created_by) values (5, 'F', 'f', 'f', null, 0, 1)`,
    )
    const files = Array.from({ length: 60 }, (_, i) => ({
      id: i + 1,
      day: 20_190_101 + (i % 3),
      name: `img ${i % 20}.jpg`,
    }))
    const values = files.map(({ id, day, name }) => {
      const type = id % 4 === 0 ? 'video' : 'image'
      const [folder, deletedAt] = [id % 2 === 0 ? 5 : null, id % 5 === 0 ? 1 : null]
      return `(${id}, '${name}', '${type}', 'jpeg', 'image/jpeg', 1, 'hash ${id}', 0, 1, 'ready', 0, ${day}, '', '', ${folder}, ${deletedAt})`
    })
    await rows(
      `insert into media (id, original_name, file_type, format, mime_type, file_size, hash, uploaded_at, uploaded_by, status, date_sort, day, name_sort, location_sort, folder_id, deleted_at) values ${values.join()}`,
    )
    const texts = files.map(({ id, name }) => `(${id}, '${name}')`)
    await rows(`insert into media_search_texts (media_id, search_text) values ${texts.join()}`)
    expect(await rows('select shape from search_text_shapes order by shape')).toEqual([
      { shape: 'img 0.jpg' },
      { shape: 'img 00.jpg' },
    ])
    expect((await rows('select day from media_day_counts')).length).toBeGreaterThan(6)
    await expectDerivedCounts({ rows })
    await rows('update media set deleted_at = null, folder_id = null where id between 3 and 12')
    await rows('update media set heading_rank = 2 where id between 10 and 30')
    await rows(`update media_search_texts set search_text = 'another' where media_id < 9`)
    await rows('delete from media where id > 50')
    await expectDerivedCounts({ rows })
  })
})

onBothEngines('the kept counts', library => {
  test('by day follow a file to another day, folder and trash, and out of the library', async () => {
    const [ben, admin] = [await memberOf(library()), await memberOf(library(), 'ada')]
    const [id = 0, other = 0] = await insertMedia(library(), [
      { name: 'One 1.jpg', date: Date.UTC(2019, 4, 6) },
      { name: 'One 2.jpg', type: 'video', mime: 'video/mp4', date: Date.UTC(2019, 4, 6) },
    ])
    const countsByDay = async (query: object) => {
      await expectDerivedCounts(library())
      const { days } = await ben.call(timeline, { query })
      return days.flatMap(([, files, day]) => (/^2019-/.test(day) ? [[day, files]] : []))
    }
    expect(await countsByDay({})).toEqual([['2019-05-06', 2]])
    expect(await countsByDay({ type: 'video' })).toEqual([['2019-05-06', 1]])
    await withDatabase(library(), db =>
      db.transaction(async tx => {
        const date_sort = Date.UTC(2019, 4, 7)
        await tx
          .updateTable('media')
          .set({ date_sort, day: date_sort / 86_400_000 })
          .where('id', '=', id)
          .execute()
      }),
    )
    expect(await countsByDay({})).toEqual([
      ['2019-05-07', 1],
      ['2019-05-06', 1],
    ])
    const folder = await ben.call(createFolder, { body: { name: 'Days' } })
    await ben.call(moveFiles, { body: { fileIds: [id], folderId: folder.id } })
    expect(await countsByDay({ folder_id: folder.id })).toEqual([['2019-05-07', 1]])
    expect(await countsByDay({ folder_id: 'root' })).toEqual([['2019-05-06', 1]])
    const inFolder = await ben.call(mediaStats, { query: { folder_id: folder.id } })
    expect(inFolder).toMatchObject({ total: 1, images: 1, videos: 0 })
    const { stats } = await ben.call(listMedia, { query: { limit: 1 } })
    expect(await ben.call(mediaStats, { query: {} })).toEqual(stats)
    const outside = await ben.call(mediaStats, { query: { folder_id: 'root' } })
    expect(outside.total).toBe((await ben.call(listMedia, { query: { folder_id: 'root', limit: 1 } })).count)
    await ben.call(bulkDelete, { body: { fileIds: [id, other] } })
    expect(await countsByDay({})).toEqual([])
    await admin.call(restoreFiles, { body: { fileIds: [id] } })
    expect(await countsByDay({})).toEqual([['2019-05-07', 1]])
    await withDatabase(library(), db =>
      db.transaction(async tx => {
        // The stored counts must be correct for the next test.
        await updateCounts(tx, await tx.selectFrom('media').selectAll().where('id', '=', id).execute(), -1)
        await tx.deleteFrom('media').where('id', 'in', [id, other]).execute()
      }),
    )
    expect(await countsByDay({})).toEqual([])
  })

  test('that are wrong show 0 and do not make the lists fail', async () => {
    const ben = await memberOf(library())
    const folder = await ben.call(createFolder, { body: { name: 'Wrong' } })
    await library().rows(
      `insert into media_counts (folder_id, file_type, files, bytes) values (${folder.id}, 'image', -3, -300)`,
    )
    const listed = (await ben.call(listFolders)).find(({ id }) => id === folder.id)
    expect(listed?.file_count).toBe(0)
    const none = { total: 0, images: 0, videos: 0, totalSize: 0 }
    expect(await ben.call(mediaStats, { query: { folder_id: folder.id } })).toEqual(none)
    expect((await ben.call(listMedia, { query: { folder_id: folder.id, limit: 1 } })).count).toBe(0)
    await library().rows(`delete from media_counts where folder_id = ${folder.id}`)
    await ben.call(deleteFolder, { params: { id: folder.id } })
  })

  test.each([1, 2, 3])(
    'equal a recount after everybody did everything at once (storm %i)',
    async seed => {
      const people = [await memberOf(library()), await memberOf(library(), 'rose')]
      const admin = await memberOf(library(), 'ada')
      const video = { type: 'video', mime: 'video/mp4' } as const
      await insertMedia(
        library(),
        Array.from({ length: 30 }, (_, i) => ({ name: `s${i}`, size: 100 + i, ...(i % 3 ? {} : video) })),
      )
      const photos = await Promise.all(Array.from({ length: 4 }, () => makePicture({ width: 8, height: 8 })))
      const luck = chance(seed)
      const deeds = acts(people, admin, photos, luck)

      const storm = Array.from({ length: 6 }, async () => {
        for (let i = 0; i < 12; i++) {
          try {
            await luck.pick(deeds)?.()
          } catch (error) {
            // Concurrent deletion makes some calls fail with 404 or 409; anything else is a bug.
            if (!(error instanceof CallRefused)) throw error
            expect([404, 409]).toContain(error.status)
          }
        }
      })
      await Promise.all(storm)

      const { kept, true: recounted } = await counts(library())
      expect(kept).toEqual(recounted)
      await expectDerivedCounts(library())
      const { files, stats } = await admin.call(listMedia, { query: {} })
      expect(stats).toEqual({
        total: files.length,
        images: files.filter(file => file.file_type === 'image').length,
        videos: files.filter(file => file.file_type === 'video').length,
        totalSize: files.reduce((sum, file) => sum + file.file_size, 0),
      })
      for (const folder of await admin.call(listFolders)) {
        expect(folder.file_count).toBe(files.filter(file => file.folder_id === folder.id).length)
      }
    },
    60_000,
  )
})
