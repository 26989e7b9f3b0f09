import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, onTestFinished, test } from 'vitest'
import { addMigrations, FIRST_MIGRATION } from '../../../test/extra-migrations.ts'
import { startProgram } from '../../../test/program.ts'
import { connect } from '../database.ts'
import { SnapshotFailed, snapshotsFolder } from './snapshot-before-migration.ts'

const LATER = '9002-later'

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'heirloom-snapshot-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** A database of an older version, of about this size, for which a newer migration exists. */
async function olderDatabase(dataFolder: string, { megabytes = 1 } = {}): Promise<void> {
  const db = await connect({ url: undefined, dataFolder, schemaUpTo: FIRST_MIGRATION })
  try {
    await db.transaction(async tx => {
      for (let number = 0; number < megabytes; number++) {
        const values = { name: `filling-${number}`, value: 'x'.repeat(1024 * 1024) }
        await tx.insertInto('settings').values(values).execute()
      }
    })
  } finally {
    await db.close()
  }
  onTestFinished(addMigrations(LATER))
}

const upgrade = async (dataFolder: string) => (await connect({ url: undefined, dataFolder })).close()
const snapshotsIn = async (dataFolder: string) => (await readdir(join(dataFolder, snapshotsFolder))).sort()

function look(file: string) {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    return {
      integrity: Object.values(database.prepare('pragma integrity_check').get() ?? {})[0],
      migrations: database
        .prepare('select name from schema_migrations order by name')
        .all()
        .map(row => String(row.name)),
      settings: database.prepare(`select count(*) as n from settings where name like 'filling-%'`).get()?.n,
    }
  } finally {
    database.close()
  }
}

test('before the schema changes, the database as it was is kept, readable by nobody else', async () => {
  const dataFolder = await temporaryFolder()
  await olderDatabase(dataFolder)
  await upgrade(dataFolder)
  const [name = '', ...others] = await snapshotsIn(dataFolder)
  expect(others).toEqual([])
  expect(name).toMatch(/^heirloom-0001-initial-\d{4}-\d\d-\d\dT[\d-]+Z\.db$/)
  const kept = look(join(dataFolder, snapshotsFolder, name))
  expect(kept).toMatchObject({ integrity: 'ok', settings: 1 })
  expect(kept.migrations.at(-1)).toBe(FIRST_MIGRATION)
  expect(look(join(dataFolder, 'heirloom.db')).migrations.length).toBeGreaterThan(kept.migrations.length)
  expect((await stat(join(dataFolder, snapshotsFolder, name))).mode & 0o777).toBe(0o600)
  expect((await stat(join(dataFolder, snapshotsFolder))).mode & 0o777).toBe(0o700)
})

test('a snapshot put back in place of the database opens, and is brought up to date again', async () => {
  const dataFolder = await temporaryFolder()
  await olderDatabase(dataFolder)
  await upgrade(dataFolder)
  const [name = ''] = await snapshotsIn(dataFolder)
  await writeFile(join(dataFolder, 'heirloom.db'), await readFile(join(dataFolder, snapshotsFolder, name)))
  await upgrade(dataFolder)
  expect(look(join(dataFolder, 'heirloom.db'))).toMatchObject({ integrity: 'ok', settings: 1 })
})

test('a new database, one that is up to date and one loaded from a copy need no snapshot', async () => {
  const dataFolder = await temporaryFolder()
  await upgrade(dataFolder)
  await upgrade(dataFolder)
  expect(await readdir(dataFolder)).not.toContain(snapshotsFolder)

  const restored = await temporaryFolder()
  await olderDatabase(restored)
  await (await connect({ url: undefined, dataFolder: restored, snapshot: false })).close()
  expect(await readdir(restored)).not.toContain(snapshotsFolder)
})

test('the latest state of the last three versions is kept', async () => {
  const dataFolder = await temporaryFolder()
  const later = [LATER, '9003-third', '9004-fourth']
  await olderDatabase(dataFolder)
  onTestFinished(addMigrations(...later, '9005-fifth'))
  for (const upTo of later) await (await connect({ url: undefined, dataFolder, schemaUpTo: upTo })).close()
  // A failing upgrade that is retried replaces only its own snapshot.
  const before = await readFile(join(dataFolder, 'heirloom.db'))
  for (let tries = 0; tries < 3; tries++) {
    await writeFile(join(dataFolder, 'heirloom.db'), before)
    await upgrade(dataFolder)
  }
  const kept = await snapshotsIn(dataFolder)
  expect(kept.map(name => name.replace(/-\d{4}-\d\d-\d\dT.*$/, ''))).toEqual([
    `heirloom-${LATER}`,
    'heirloom-9003-third',
    'heirloom-9004-fourth',
  ])
})

test('a process killed while it writes the snapshot leaves the database as it was, and the next one starts over', {
  timeout: 60_000,
}, async () => {
  const dataFolder = await temporaryFolder()
  await olderDatabase(dataFolder, { megabytes: 120 })
  const program = startProgram('open-database', dataFolder, LATER)
  const unfinished = join(dataFolder, snapshotsFolder, '.unfinished/heirloom.db')
  const sizeOf = (path: string) =>
    stat(path).then(
      ({ size }) => size,
      () => 0,
    )
  await expect.poll(() => sizeOf(unfinished), { interval: 1, timeout: 30_000 }).toBeGreaterThan(0)
  expect(await program.kill()).toEqual([])
  expect(await snapshotsIn(dataFolder)).toEqual(['.unfinished'])
  expect(look(join(dataFolder, 'heirloom.db'))).toMatchObject({ integrity: 'ok', settings: 120 })
  expect(look(join(dataFolder, 'heirloom.db')).migrations.at(-1)).toBe(FIRST_MIGRATION)

  await upgrade(dataFolder)
  const [name = '', ...others] = await snapshotsIn(dataFolder)
  expect(others).toEqual([])
  expect(look(join(dataFolder, snapshotsFolder, name))).toMatchObject({ integrity: 'ok', settings: 120 })
})

describe.skipIf(!mayMount())('a disk without room for a snapshot (tested where mounting one is permitted)', () => {
  test('refuses the migration in a sentence and leaves the database as it was', async () => {
    const dataFolder = await temporaryFolder()
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'tmpfs', dataFolder])
    onTestFinished(() => void execFileSync('umount', [dataFolder]))
    await olderDatabase(dataFolder, { megabytes: 5 })
    await writeFile(join(dataFolder, 'other'), Buffer.alloc(8 * 1024 * 1024))
    const refusal = await upgrade(dataFolder).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(SnapshotFailed)
    expect(String(refusal)).toMatch(/there is no room left\. The database is unchanged\. Make room/)
    expect(await snapshotsIn(dataFolder)).toEqual([])
    expect(look(join(dataFolder, 'heirloom.db'))).toMatchObject({ integrity: 'ok', settings: 5 })
    expect(look(join(dataFolder, 'heirloom.db')).migrations.at(-1)).toBe(FIRST_MIGRATION)

    await rm(join(dataFolder, 'other'))
    await upgrade(dataFolder)
    expect(await snapshotsIn(dataFolder)).toHaveLength(1)
  })
})

function mayMount(): boolean {
  return spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0
}
