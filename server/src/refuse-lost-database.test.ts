import { mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, inject, test } from 'vitest'
import { emptyMachine, rowsOf } from '../test/cli-tools.ts'
import { makePicture } from '../test/fixtures/pictures.ts'
import { filesBelow, storageOf } from '../test/fixtures/remains.ts'
import { engines } from '../test/library.ts'
import { chunksOf } from '../test/storage-contents.ts'
import { newBucket } from '../test/store.ts'
import { noopLog } from './cli/command.ts'
import { type Config, readConfig } from './config.ts'
import { createContext } from './context.ts'
import { systemClock } from './kit/clock.ts'
import { admit } from './people/public.ts'
import { DatabaseDamaged, DatabaseLost } from './refuse-lost-database.ts'

const key = 'originals/2024/06/IMG_1234~k3v9x2ab.jpg'
const start = async (config: Config) => (await createContext(config, { clock: systemClock, log: noopLog })).close()

async function layOriginal(config: Config): Promise<void> {
  const path = join(config.dataFolder, 'files', key)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, await makePicture())
}

async function signInAda(config: Config): Promise<void> {
  const context = await createContext(config, { clock: systemClock, log: noopLog })
  const lists = { admins: ['ada@okafor.example'], members: [] }
  const ada = { issuer: 'https://id.example', subject: 'ada', email: 'ada@okafor.example', name: 'Ada' }
  await context.db.transaction(tx => admit(context.db, systemClock, lists, tx, ada)).finally(() => context.close())
}

describe.each(engines)('originals beside an empty database (%s)', engine => {
  test('are refused with what to do, again and again, and nothing is created', async () => {
    const config = await emptyMachine(engine)
    await layOriginal(config)
    for (let tries = 0; tries < 2; tries++) {
      const refusal = await start(config).catch((error: unknown) => error)
      expect(refusal).toBeInstanceOf(DatabaseLost)
      expect(String(refusal)).toContain(
        engine === 'sqlite' ? 'heirloom.db is empty' : 'Check DATA_DIR and DATABASE_URL',
      )
      expect(String(refusal)).toMatch(/restore a backup.*NEW_LIBRARY=true/)
      expect(await filesBelow(join(config.dataFolder, 'files'))).toEqual([key])
      expect(await readdir(config.dataFolder)).not.toContain('heirloom.db')
      if (config.databaseUrl) {
        expect(await rowsOf(config, `select tablename from pg_tables where schemaname = 'public'`)).toEqual([])
      }
    }
  })

  test('are refused as well where a server has already created the tables and nobody has signed in', async () => {
    const config = await emptyMachine(engine)
    await start(config)
    await layOriginal(config)
    await expect(start(config)).rejects.toThrow(DatabaseLost)
  })

  test('begin a new library where that is asked for once, and after somebody has signed in the start is as ever', async () => {
    const config = await emptyMachine(engine)
    await layOriginal(config)
    await signInAda({ ...config, newLibrary: true })
    await start(config)
    expect(await filesBelow(join(config.dataFolder, 'files'))).toEqual([key])
  })

  test('are no hindrance to a library whose files are all deleted, nor are folders without originals', async () => {
    const config = await emptyMachine(engine)
    await mkdir(join(config.dataFolder, 'files/originals/2024/06'), { recursive: true })
    await writeFile(join(config.dataFolder, 'files/originals/.DS_Store'), 'x')
    await mkdir(join(config.dataFolder, 'files/avatars'), { recursive: true })
    await start(config)
    await signInAda(config)
    await layOriginal(config)
    await start(config)
  })
})

test('a lost database is found by a library that had one', async () => {
  const config = await emptyMachine('sqlite')
  await signInAda(config)
  await layOriginal(config)
  await start(config)
  for (const end of ['', '-wal', '-shm']) await rm(join(config.dataFolder, `heirloom.db${end}`), { force: true })
  await expect(start(config)).rejects.toThrow(DatabaseLost)
  // A disk error may leave an empty file.
  await writeFile(join(config.dataFolder, 'heirloom.db'), '')
  await expect(start(config)).rejects.toThrow(DatabaseLost)
  expect(await readFile(join(config.dataFolder, 'heirloom.db'))).toHaveLength(0)
})

test('originals are found in a year that lies behind a link, and links in a circle are not followed', async () => {
  const config = await emptyMachine('sqlite')
  const originals = join(config.dataFolder, 'files/originals')
  await mkdir(originals, { recursive: true })
  await symlink(originals, join(originals, '2023'))
  await start(config)
  for (const end of ['', '-wal', '-shm']) await rm(join(config.dataFolder, `heirloom.db${end}`), { force: true })
  await layOriginal(config)
  const elsewhere = join(config.dataFolder, 'another-disk')
  await rename(join(originals, '2024'), elsewhere)
  await symlink(elsewhere, join(originals, '2024'))
  await expect(start(config)).rejects.toThrow(DatabaseLost)
})

test.each([
  ['garbage', (size: number) => Buffer.alloc(size, 'not a database ')],
  ['a beginning of zeros', (size: number) => Buffer.alloc(size)],
  [
    'pages of garbage',
    (size: number, file: Buffer) => Buffer.concat([file.subarray(0, 100), Buffer.alloc(size, 0xa5)]),
  ],
])('a database of %s is refused in a sentence that says what to do, and stays as it is', async (_what, damage) => {
  const config = await emptyMachine('sqlite')
  await signInAda(config)
  const file = join(config.dataFolder, 'heirloom.db')
  for (const end of ['-wal', '-shm']) await rm(file + end, { force: true })
  const damaged = damage(8_192, await readFile(file))
  await writeFile(file, damaged)
  const refusal = await start(config).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(DatabaseDamaged)
  expect((refusal as Error).message).toMatch(/heirloom\.db is damaged and cannot be read \(.+\)\..*restore a backup/)
  expect(await readFile(file)).toEqual(damaged)
})

test.skipIf(inject('store') === null)('originals in a store beside an empty database are refused', async () => {
  const base = await emptyMachine('postgres')
  const { s3 } = readConfig({ ...newBucket(), DATA_DIR: base.dataFolder })
  const config: Config = { ...base, s3 }
  await start(config)
  const storage = await storageOf({ config })
  await storage.put(key, chunksOf('pixels'))
  const refusal = await start(config).catch((error: unknown) => error)
  expect(String(refusal)).toMatch(/the bucket .* holds originals .* Check DATA_DIR and DATABASE_URL and S3_BUCKET/)
  await signInAda({ ...config, newLibrary: true })
  await start(config)
})
