import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { seed } from '../../../seed/seed.ts'
import { commandContext, emptyMachine, everyFile, everyRow, rowsOf, temporaryFolder } from '../../../test/cli-tools.ts'
import { createDatabase } from '../../../test/postgres.ts'
import { bytesOf, chunksOf, keysIn } from '../../../test/storage-contents.ts'
import { newBucket } from '../../../test/store.ts'
import { type Config, readConfig } from '../../config.ts'
import { backUp } from '../backup/backup.ts'
import { withStorageOf } from '../bare-storage.ts'
import { restore } from '../restore/restore.ts'
import { migrate } from './migrate.ts'

const options = { verify: false }

let painted: Config
beforeAll(async () => {
  painted = readConfig({ DATA_DIR: await mkdtemp(join(tmpdir(), 'heirloom-painted-')), PATH: process.env.PATH })
  // Only painted pictures: copies would share their bytes and have generated hashes.
  await seed(commandContext(painted), { count: 3, pictures: 3, rowsOnly: false })
}, 180_000)
afterAll(() => rm(painted.dataFolder, { recursive: true }))

test('a library moves from SQLite and a folder to Postgres and a store, and back, with every row and every byte', async () => {
  const old = await seededLibrary()
  const [rows, files] = [await everyRow(old), await everyFile(old)]
  const scaled = await emptyScaled()

  // Interrupted between files and rows, it leaves an empty library and can be resumed.
  const stopped = commandContext(old)
  stopped.out.write = text => void (/^Moving .* rows/.test(text) && stopped.stop.abort())
  await expect(migrate(stopped, scaled, options)).rejects.toThrow(/abort/)
  expect(await everyRow(scaled)).toEqual({})
  const [lost = ''] = files.keys()
  await withStorageOf(scaled, storage => storage.remove([lost]))
  const report = await migrate(commandContext(old), scaled, options)
  expect(report).toMatchObject({ files: files.size, copied: 1, problems: [] })

  expect(await everyRow(scaled)).toEqual(rows)
  expect(await filesIn(scaled)).toEqual(files)
  expect(await everyRow(old)).toEqual(rows)
  expect(await everyFile(old)).toEqual(files)

  const back = await emptyMachine('sqlite')
  await migrate(commandContext(scaled), back, { verify: true })
  expect(await everyRow(back)).toEqual(rows)
  expect(await everyFile(back)).toEqual(files)
}, 180_000)

test('every table of the schema is copied, and a corrupted file is reported', async () => {
  const old = await seededLibrary()
  const [part] = await rowsOf(old, "select key from media_parts where kind = 'original' limit 1")
  await withStorageOf(old, async storage => {
    const { stream } = await storage.read(String(part?.key))
    const bytes = await bytesOf(stream)
    await storage.remove([String(part?.key)])
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
    await storage.put(String(part?.key), chunksOf(bytes))
  })
  const scaled = await emptyScaled()
  const { problems } = await migrate(commandContext(old), scaled, options)
  expect(problems).toMatchObject([{ key: part?.key, problem: 'damaged' }])
  expect(Object.keys(await everyRow(scaled))).toEqual(Object.keys(await everyRow(old)))
}, 180_000)

test('a place that holds a library already is left alone', async () => {
  const old = await seededLibrary()
  const taken = await emptyScaled()
  await migrate(commandContext(old), taken, options)
  const rows = await everyRow(taken)
  const another = await seededLibrary()
  await rowsOf(another, "update settings set value = 'of another library' where name = 'file-signing'")
  await expect(migrate(commandContext(another), taken, options)).rejects.toThrow(/already/)
  expect(await everyRow(taken)).toEqual(rows)
  await expect(migrate(commandContext(old), old, options)).rejects.toThrow(/DATA_DIR of its own/)
}, 180_000)

test('a library on Postgres and a store is backed up, and restored on another', async () => {
  const old = await seededLibrary()
  const scaled = await emptyScaled()
  await migrate(commandContext(old), scaled, options)
  const folder = await temporaryFolder()
  const report = await backUp(commandContext(scaled), { folder, withVariants: true, verify: false })
  expect(report).toMatchObject({ problems: [] })
  const again = await emptyScaled()
  await restore(commandContext(again), { folder, snapshot: undefined })
  expect(await filesIn(again)).toEqual(await filesIn(scaled))
  expect(await everyRow(again)).toEqual(await everyRow(scaled))
}, 180_000)

/** A separate copy for each test. */
async function seededLibrary(): Promise<Config> {
  const config = await emptyMachine('sqlite')
  await cp(painted.dataFolder, config.dataFolder, { recursive: true })
  return config
}

async function emptyScaled(): Promise<Config> {
  const database = await createDatabase(inject('postgresUrl'))
  onTestFinished(database.drop)
  const settings = { DATA_DIR: join(await temporaryFolder(), 'data'), PATH: process.env.PATH }
  return readConfig({ ...settings, ...newBucket(), DATABASE_URL: database.url })
}

function filesIn(config: Config): Promise<Map<string, Buffer>> {
  return withStorageOf(config, async storage => {
    const files = new Map<string, Buffer>()
    for (const key of await keysIn(storage)) files.set(key, await bytesOf((await storage.read(key)).stream))
    return files
  })
}
