import { appendFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { commandContext, emptyMachine, everyFile, everyRow, rowsOf, temporaryFolder } from '../../../test/cli-tools.ts'
import { addMigrations, FIRST_MIGRATION } from '../../../test/extra-migrations.ts'
import { makePicture } from '../../../test/fixtures/pictures.ts'
import { untilAtRest } from '../../../test/fixtures/remains.ts'
import { untilPrepared, uploadFile } from '../../../test/fixtures/uploads.ts'
import { engines, onBothEngines } from '../../../test/library.ts'
import type { Config } from '../../config.ts'
import { connect } from '../../db/database.ts'
import { openSnapshot } from '../../db/snapshot.sql.ts'
import { backUp } from '../backup/backup.ts'
import { openForBackup } from '../backup/backup-folder.ts'
import { writeDump, writeJsonLines } from '../backup/database-dump.ts'
import { restore } from './restore.ts'

vi.setConfig({ testTimeout: 90_000 })

onBothEngines('a restore', (library, engine) => {
  /** A full backup of a library with a few files. */
  async function backedUp(): Promise<string> {
    const ada = await library().admin()
    const { id } = await uploadFile(ada, { name: 'one.jpg', bytes: await makePicture({ width: 400, height: 300 }) })
    await untilPrepared(ada, id)
    await untilAtRest(library())
    const folder = join(await temporaryFolder(), 'backup')
    await backUp(commandContext(library().config), { folder, withVariants: true, verify: false })
    return folder
  }

  const from = (folder: string) => ({ folder, snapshot: undefined })

  test('that was stopped among the files goes on where it was', async () => {
    const backup = await backedUp()
    const config = await emptyMachine(engine)
    const context = commandContext(config)
    context.stop.abort()
    await expect(restore(context, from(backup))).rejects.toThrow('aborted')
    // One file was already restored; another one is there but corrupted.
    const [whole, rotten] = [...(await everyFile(library().config))].slice(0, 2)
    await lay(config, whole?.[0], whole?.[1])
    await lay(config, rotten?.[0], Buffer.from('rot'))
    await restore(commandContext(config), from(backup))
    expect(await everyFile(config)).toEqual(await everyFile(library().config))
  })

  test('that was stopped after the rows were in is finished by another', async () => {
    const backup = await backedUp()
    const config = await emptyMachine(engine)
    const context = commandContext(config)
    context.out.write = text => {
      if (text.startsWith('Loading')) context.stop.abort()
    }
    await expect(restore(context, from(backup))).rejects.toThrow('aborted')
    expect(await rowsOf(config, 'select id from media')).not.toEqual([])
    await restore(commandContext(config), from(backup))
    expect(await everyRow(config)).toEqual(await everyRow(library().config))
    await expect(restore(commandContext(config), from(backup))).rejects.toThrow('There is a library here already')
  })

  test('brings back the rest when an original has rotted in the backup, and marks that one', async () => {
    const backup = await backedUp()
    const [part] = await library().rows(
      `select key, media_id from media_parts where kind = 'original' order by 2 limit 1`,
    )
    await appendFile(join(backup, 'files', String(part?.key)), 'rot')
    const config = await emptyMachine(engine)
    const { problems } = await restore(commandContext(config), from(backup))
    expect(problems).toMatchObject([{ key: part?.key, problem: 'damaged' }])
    expect(await rowsOf(config, 'select id from media where damaged_at is not null')).toEqual([{ id: part?.media_id }])
  })

  test('makes again what is missing of the pictures alone', async () => {
    const backup = await backedUp()
    const [part] = await library().rows(
      `select key, media_id from media_parts where kind = 'mobile' order by 2 limit 1`,
    )
    await rm(join(backup, 'files', String(part?.key)))
    const config = await emptyMachine(engine)
    expect(await restore(commandContext(config), from(backup))).toMatchObject({ problems: [], toPrepare: 1 })
    expect(await rowsOf(config, `select id from media where status = 'processing'`)).toEqual([{ id: part?.media_id }])
  })

  test('counts no file that lost only its version for older devices, which is made when somebody asks', async () => {
    await backedUp()
    const key = 'variants/for-older-devices.mp4'
    const [{ id } = {}] = await library().rows('select max(id) as id from media')
    await lay(library().config, key, Buffer.from('a video'))
    await library().rows(
      `insert into media_parts (media_id, kind, key, size, mime_type) values (${id}, 'compatible', '${key}', 7, 'video/mp4')`,
    )
    const backup = await backedUp()
    await library().rows(`delete from media_parts where kind = 'compatible'`)
    await rm(join(backup, 'files', key))
    const config = await emptyMachine(engine)
    expect(await restore(commandContext(config), from(backup))).toMatchObject({ problems: [], toPrepare: 0 })
    expect(await rowsOf(config, `select kind from media_parts where kind = 'compatible'`)).toEqual([])
    expect(await rowsOf(config, `select id from media where status <> 'ready'`)).toEqual([])
  })

  test('refuses a snapshot that is not as it was written, or from a newer Heirloom', async () => {
    const backup = await backedUp()
    const config = await emptyMachine(engine)
    const folder = await openForBackup(backup, (await manifest(backup)).library)
    const [name = ''] = await folder.snapshots()
    const paths = folder.pathsOf(name)
    folder.close()
    const written = await readFile(join(paths.folder, 'manifest.json'), 'utf8')
    await writeFile(join(paths.folder, 'manifest.json'), written.replace('0001-initial', '9999-from-the-future'))
    await expect(restore(commandContext(config), from(backup))).rejects.toThrow('written by a newer Heirloom')
    await writeFile(join(paths.folder, 'manifest.json'), written.replace('0001-initial', '0001-foundation'))
    await expect(restore(commandContext(config), from(backup))).rejects.toThrow('This backup was made by a development')
    await writeFile(join(paths.folder, 'manifest.json'), written)
    await appendFile(paths.database, 'x')
    await expect(restore(commandContext(config), from(backup))).rejects.toThrow('is damaged')
    expect(await everyRow(config)).toEqual({})
  })

  test('refuses a folder that holds files of something else', async () => {
    const backup = await backedUp()
    const config = await emptyMachine(engine)
    await mkdir(join(config.dataFolder, 'files/originals'), { recursive: true })
    await writeFile(join(config.dataFolder, 'files/originals/mine.jpg'), 'mine')
    await expect(restore(commandContext(config), from(backup))).rejects.toThrow('originals/mine.jpg')
    await expect(restore(commandContext(config), from(await temporaryFolder()))).rejects.toThrow(
      'not the folder of a backup',
    )
  })
})

async function lay({ dataFolder }: Config, key = '', bytes: Uint8Array = Buffer.of()): Promise<void> {
  const path = join(dataFolder, 'files', key)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, bytes)
}

async function manifest(backup: string): Promise<{ library: string }> {
  return JSON.parse(await readFile(join(backup, 'heirloom-backup.json'), 'utf8'))
}

describe.each(engines)('a restore (%s)', engine => {
  test('of a backup of an older version runs the migrations that came since', async () => {
    onTestFinished(addMigrations('9002-later'))
    const old = await emptyMachine(engine)
    await mkdir(old.dataFolder, { recursive: true })
    const database = await connect({ ...old, url: old.databaseUrl, schemaUpTo: FIRST_MIGRATION })
    const person = {
      issuer: 'https://id.example',
      subject: 'ada',
      email: 'ada@okafor.example',
      username: 'ada',
      name: 'Ada',
    }
    await database.query
      .insertInto('people')
      .values({ ...person, role: 'admin', status: 'approved', requested_at: 1 })
      .execute()
    await database.close()

    const folder = await openForBackup(join(await temporaryFolder(), 'backup'), 'a library')
    const paths = await folder.begin()
    const snapshot = await openSnapshot(old)
    const dump = await writeDump(snapshot, paths.database)
    await snapshot.close()
    const filesHash = await writeJsonLines(paths.files, (async function* () {})())
    const nothing = { files: 0, bytes: 0, withVariants: false, problems: [] }
    const { hash: databaseHash, schema, rows } = dump
    const takenAt = new Date().toISOString()
    await folder.finish({ format: 1, library: 'a library', takenAt, databaseHash, schema, rows, filesHash, ...nothing })
    folder.close()

    const config = await emptyMachine(engine)
    // A server was started here before, so the database has the newest schema.
    await mkdir(config.dataFolder, { recursive: true })
    await (await connect({ ...config, url: config.databaseUrl })).close()
    await restore(commandContext(config), { folder: join(paths.folder, '../..'), snapshot: undefined })
    expect(await rowsOf(config, 'select name from people')).toEqual([{ name: 'Ada' }])
    expect(await rowsOf(config, 'select name from later')).toEqual([{ name: 'Ada' }])
  })
})
