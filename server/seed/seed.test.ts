import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { listAlbums } from '#server/albums/albums.ts'
import { noopLog } from '#server/cli/command.ts'
import type { Config } from '#server/config.ts'
import { type AppContext, createContext } from '#server/context.ts'
import { createFolder, listFolders } from '#server/folders/folders.ts'
import { systemClock } from '#server/kit/clock.ts'
import { libraryStats, recount } from '#server/media/counts.sql.ts'
import { listFiles } from '#server/media/list.ts'
import { admit } from '#server/people/public.ts'
import { hashFile } from '#server/processing/hash.ts'
import { commandContext, emptyMachine, everyRow, rowsOf } from '../test/cli-tools.ts'
import { engines, oneEngine } from '../test/library.ts'
import { seed } from './seed.ts'

vi.setConfig({ testTimeout: 240_000 })

const few = { count: 2_000, pictures: 8, rowsOnly: false }

async function opened(config: Config): Promise<AppContext> {
  const context = await createContext(config, { clock: systemClock, log: noopLog })
  onTestFinished(() => context.close())
  return context
}

describe.each(oneEngine)('a seeded library (%s)', engine => {
  test('that was stopped goes on where it was, and then is as large as was asked', async () => {
    const config = await emptyMachine(engine)
    const around = commandContext(config)
    let looks = 0
    const clock = () => {
      if (++looks === 700) around.stop.abort()
      return Date.now()
    }
    await expect(seed({ ...around, clock }, few)).rejects.toThrow('aborted')
    const [first] = await rowsOf(config, 'select count(*) as files from media')
    expect(Number(first?.files)).toBeGreaterThan(few.pictures)
    expect(Number(first?.files)).toBeLessThan(few.count)

    await seed(commandContext(config), few)
    const [then] = await rowsOf(config, 'select count(*) as files, count(distinct hash) as hashes from media')
    expect(then).toMatchObject({ files: then?.hashes })
    expect(Number(then?.files)).toBe(few.count)
    await expectSoundLibrary(config)
    await expectRealPictures(config)

    const before = await everyRow(config)
    await seed(commandContext(config), few)
    expect(await everyRow(config)).toEqual(before)
  })
})

describe.each(engines)('seeding (%s)', engine => {
  test('is refused in a library of real people', async () => {
    const config = await emptyMachine(engine)
    const context = await opened(config)
    const lists = { admins: ['ada@okafor.example'], members: [] }
    const identity = { issuer: 'https://id.example', subject: 'ada', email: 'ada@okafor.example', name: 'Ada' }
    const ada = await context.db.transaction(tx => admit(context.db, systemClock, lists, tx, identity))
    await createFolder(context, ada.id, { name: 'Our photos', parentId: null })
    await context.close()
    const before = await everyRow(config)
    await expect(seed(commandContext(config), few)).rejects.toThrow('of real people')
    expect(await everyRow(config)).toEqual(before)
  })
})

/** Counts, pages, folders and bytes are consistent. */
async function expectSoundLibrary(config: Config): Promise<void> {
  const context = await opened(config)
  const kept = await rowsOf(config, 'select folder_id, file_type, files, bytes from media_counts where files <> 0')
  const inOrder = (rows: object[]) => rows.map(row => Object.entries(row).sort().join()).sort()
  expect(inOrder(kept)).toEqual(inOrder(await recount(context.db.query)))
  const deleted = await rowsOf(config, 'select id from media where deleted_at is not null')
  expect(deleted.length).toBeGreaterThan(0)
  expect((await libraryStats(context.db.query)).total).toBe(few.count - deleted.length)

  expect((await rowsOf(config, 'select media_id from hearts')).length).toBeGreaterThan(100)
  const albums = await listAlbums({ ...context, trashDays: config.trashDays }, { limit: 10 })
  expect(albums.map(album => album.search !== null)).toEqual([false, false, true])
  for (const { file_count } of albums) expect(file_count).toBeGreaterThan(1)
  const page = await listFiles(context, 0, { sort: 'date', limit: 200 })
  expect(page.files).toHaveLength(200)
  expect(page.next_cursor).not.toBeNull()
  expect((await listFiles(context, 0, { sort: 'date', search: 'iphone', limit: 5 })).count).toBeGreaterThan(0)
  const folders = await listFolders(context.db.query)
  expect(Math.max(...folders.map(folder => folder.level))).toBe(1)
  expect(folders.reduce((sum, folder) => sum + folder.file_count, 0)).toBeGreaterThan(few.count / 2)

  const processing = await rowsOf(config, `select id from media where status = 'processing'`)
  expect(await rowsOf(config, `select id from jobs where name = 'media.prepare'`)).toHaveLength(processing.length)
  expect(processing.length).toBeGreaterThan(0)

  const parts = await rowsOf(config, 'select key from media_parts')
  expect(parts.length).toBeGreaterThan(few.count * 4)
  for (const { key } of parts) await stat(join(config.dataFolder, 'files', String(key)))
  await context.close()
}

/** The first files match their hashes and can be decoded. */
async function expectRealPictures(config: Config): Promise<void> {
  const originals = await rowsOf(
    config,
    `select hash, key, status, file_type, media.width from media join media_parts on media_id = media.id
     where kind = 'original' order by media.id limit ${few.pictures}`,
  )
  for (const { hash, key, status, file_type, width } of originals) {
    const path = join(config.dataFolder, 'files', String(key))
    expect(await hashFile(path)).toBe(hash)
    expect(status).toBe('ready')
    if (file_type === 'image') expect((await sharp(path).metadata()).width).toBe(width)
  }
  expect(originals.map(row => row.file_type)).toContain('video')
}
