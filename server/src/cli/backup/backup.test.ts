import { appendFile, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { libraryOverview } from '#contract/admin.ts'
import { createFolder } from '#contract/folders.ts'
import { createLink } from '#contract/links.ts'
import { deleteMedia, moveFiles, renameMedia } from '#contract/media.ts'
import { commandContext, emptyMachine, everyFile, everyRow, rowsOf, temporaryFolder } from '../../../test/cli-tools.ts'
import { makePicture } from '../../../test/fixtures/pictures.ts'
import { filesBelow, untilAtRest } from '../../../test/fixtures/remains.ts'
import { untilPrepared, uploadFile } from '../../../test/fixtures/uploads.ts'
import { type Library, onBothEngines, type SignedIn, startLibrary } from '../../../test/library.ts'
import type { Config } from '../../config.ts'
import { linkKeyFile } from '../../kit/token-encryption.ts'
import { hashFile } from '../../processing/hash.ts'
import { restore } from '../restore/restore.ts'
import { backUp } from './backup.ts'

// These tests create, copy and restore whole libraries.
vi.setConfig({ testTimeout: 90_000 })

const plainly = { withVariants: false, verify: false }

/** Photos in folders, some renamed or deleted, all prepared. */
async function fill(library: Library): Promise<SignedIn> {
  const ada = await library.admin()
  const trips = await ada.call(createFolder, { body: { name: 'Trips' } })
  // A folder inside a newer one: rows may refer to later rows of the same table.
  const lisbon = await ada.call(createFolder, { body: { name: 'Lisbon ☀️' } })
  const names = ['Straße 1.jpg', 'IMG_2.jpg', '写真.png', 'gone.jpg']
  for (const name of names) {
    const format = name.endsWith('png') ? 'png' : 'jpeg'
    const { id } = await uploadFile(ada, { name, bytes: await makePicture({ format, width: 400, height: 300 }) })
    await untilPrepared(ada, id)
    if (name === 'gone.jpg') await ada.call(deleteMedia, { params: { id } })
    else await ada.call(moveFiles, { body: { fileIds: [id], folderId: name === 'IMG_2.jpg' ? trips.id : lisbon.id } })
  }
  await untilAtRest(library)
  return ada
}

/** Uploads and edits continuously until stopped; returns the acknowledged hashes, in order. */
function keepWriting(person: SignedIn) {
  const acknowledged: string[] = []
  let writing = true
  async function write() {
    while (writing) {
      const { id, hash } = await uploadFile(person, { name: 'during.jpg' })
      acknowledged.push(hash)
      await person.call(renameMedia, { params: { id }, body: { newName: `renamed ${id}.jpg` } })
    }
  }
  const ended = Promise.all([write(), write()])
  return {
    acknowledged,
    async stop() {
      writing = false
      await ended
    },
  }
}

async function hashesOf(config: Config): Promise<string[]> {
  return (await rowsOf(config, 'select hash from media')).map(row => String(row.hash))
}

onBothEngines('a backup', (library, engine) => {
  let ada: SignedIn
  beforeAll(async () => {
    ada = await fill(library())
  })

  async function backUpTo(folder: string, options: Partial<Parameters<typeof backUp>[1]> = {}) {
    const context = commandContext(library().config)
    return backUp(context, { folder, ...plainly, ...options })
  }

  async function restoreFrom(folder: string, onto = engine) {
    const config = await emptyMachine(onto)
    return { config, report: await restore(commandContext(config), { folder, snapshot: undefined }) }
  }

  const other = engine === 'sqlite' ? 'postgres' : 'sqlite'
  test.each([engine, other] as const)('brings back every row and every byte, on %s', async onto => {
    const backup = join(await temporaryFolder(), 'backup')
    const before = await everyRow(library().config)
    const { problems } = await backUpTo(backup, { withVariants: true })
    expect(problems).toEqual([])
    const { config, report } = await restoreFrom(backup, onto)
    expect(report).toMatchObject({ problems: [], toPrepare: 0 })
    expect(await everyRow(config)).toEqual(before)
    expect(await everyFile(config)).toEqual(await everyFile(library().config))
  })

  test('without variants brings back all originals, and asks for their pictures again', async () => {
    const backup = join(await temporaryFolder(), 'backup')
    await backUpTo(backup)
    expect((await filesBelow(join(backup, 'files'))).filter(key => !key.startsWith('originals/'))).toEqual([])
    const { config, report } = await restoreFrom(backup)
    const originals = [...(await everyFile(library().config))].filter(([key]) => key.startsWith('originals/'))
    expect(await everyFile(config)).toEqual(new Map(originals))
    expect(report.toPrepare).toBe(originals.length)
    const jobs = await rowsOf(config, `select id from jobs where name = 'media.prepare'`)
    expect(jobs).toHaveLength(originals.length)
    expect(await rowsOf(config, `select id from media where status <> 'processing'`)).toEqual([])
    expect(await rowsOf(config, `select kind from media_parts where kind <> 'original'`)).toEqual([])
  })

  test('has the encrypted addresses of links, and not the key that opens them', async () => {
    const [file] = await rowsOf(library().config, 'select id from media where deleted_at is null')
    await ada.call(createLink, { body: { fileIds: [Number(file?.id)] } })
    const key = (await readFile(join(library().config.dataFolder, linkKeyFile), 'utf8')).trim()
    const backup = join(await temporaryFolder(), 'backup')
    await backUpTo(backup)
    for (const path of await filesBelow(backup)) {
      expect(path).not.toContain(linkKeyFile)
      expect((await readFile(join(backup, path))).includes(key)).toBe(false)
    }
    const { config } = await restoreFrom(backup)
    expect(await rowsOf(config, 'select encrypted_token from links')).toEqual([
      { encrypted_token: expect.stringMatching(/^v1\./) },
    ])
    expect(await filesBelow(config.dataFolder)).not.toContain(linkKeyFile)
    expect(JSON.stringify(await everyRow(config))).not.toContain(key)
  })

  test('is recorded in the library, where admins read when the last one was', async () => {
    const backup = join(await temporaryFolder(), 'backup')
    const [{ files, bytes }, startedAt] = [await backUpTo(backup), new Date().toISOString()]
    const { last_backup } = await ada.call(libraryOverview)
    expect(last_backup).toMatchObject({ files, bytes, problems: 0 })
    const second = await backUpTo(backup)
    const { last_backup: newer } = await ada.call(libraryOverview)
    expect(newer).toMatchObject({ files: second.files, problems: 0 })
    expect(newer?.at.localeCompare(startedAt)).toBe(1)
  })

  test('copies only what is new the second time', async () => {
    const backup = join(await temporaryFolder(), 'backup')
    const first = await backUpTo(backup)
    expect(first.copied).toBe(first.files)
    await uploadFile(ada, { name: 'one more.jpg' })
    expect(await backUpTo(backup)).toMatchObject({ files: first.files + 1, copied: 1 })
  })

  test('that was stopped leaves the one before it as it was, and the next goes on from there', async () => {
    const backup = join(await temporaryFolder(), 'backup')
    const first = await backUpTo(backup)
    await uploadFile(ada, { name: 'interrupted.jpg' })
    const context = commandContext(library().config)
    context.stop.abort()
    await expect(backUp(context, { folder: backup, ...plainly })).rejects.toThrow('aborted')
    expect(await readdir(join(backup, 'snapshots'))).toContain('.unfinished')
    const { report } = await restoreFrom(backup)
    expect(report).toMatchObject({ files: first.files, problems: [] })

    const second = await backUpTo(backup)
    expect(second).toMatchObject({ files: first.files + 1, problems: [] })
    expect(await readdir(join(backup, 'snapshots'))).not.toContain('.unfinished')
  })

  test('reports an original that is not what was uploaded, and copies the rest', async () => {
    const { id, hash, original_name: name } = await uploadFile(ada, { name: 'will rot.jpg' })
    const [part] = await library().rows(`select key from media_parts where media_id = ${id} and kind = 'original'`)
    const path = join(library().config.dataFolder, 'files', String(part?.key))
    const whole = await readFile(path)
    await appendFile(path, 'rot')
    const backup = join(await temporaryFolder(), 'backup')
    try {
      const report = await backUpTo(backup)
      expect(report.problems).toEqual([{ key: part?.key, name, problem: 'damaged' }])
      expect(report.copied).toBe(report.files - 1)

      const { config, report: restored } = await restoreFrom(backup)
      expect(restored.problems).toMatchObject([{ key: part?.key, problem: 'damaged' }])
      expect(await rowsOf(config, 'select hash from media where damaged_at is not null')).toEqual([{ hash }])
      expect(await readFile(join(config.dataFolder, 'files', String(part?.key)), 'latin1')).toContain('rot')
    } finally {
      await writeFile(path, whole)
    }
    expect(await backUpTo(backup)).toMatchObject({ problems: [], copied: 1 })
  })

  test('finds with --verify what has rotted in the backup itself, and mends it', async () => {
    const backup = join(await temporaryFolder(), 'backup')
    await backUpTo(backup)
    const [key = ''] = await filesBelow(join(backup, 'files'))
    const path = join(backup, 'files', key)
    const whole = await readFile(path)
    await writeFile(path, whole.toReversed())
    expect(await backUpTo(backup)).toMatchObject({ copied: 0 })
    expect(await backUpTo(backup, { verify: true })).toMatchObject({ copied: 1, problems: [] })
    expect(await readFile(path)).toEqual(whole)
    expect(await filesBelow(join(backup, 'damaged'))).toEqual([])
  })

  test('says so when an original is lost', async () => {
    const { id } = await uploadFile(ada, { name: 'will be lost.jpg' })
    const [part] = await library().rows(`select key from media_parts where media_id = ${id} and kind = 'original'`)
    const path = join(library().config.dataFolder, 'files', String(part?.key))
    const bytes = await readFile(path)
    await rm(path)
    try {
      const report = await backUpTo(join(await temporaryFolder(), 'backup'))
      expect(report.problems).toEqual([{ key: part?.key, name: 'will be lost.jpg', problem: 'missing' }])
    } finally {
      await writeFile(path, bytes)
    }
  })

  test('goes neither into the library nor among other things nor over another library', async () => {
    const within = join(library().config.dataFolder, 'backup')
    await expect(backUpTo(within)).rejects.toThrow('away from the library')
    const taken = await temporaryFolder()
    await writeFile(join(taken, 'letter.txt'), 'Dear Rose')
    await expect(backUpTo(taken)).rejects.toThrow('holds other things')
    const folder = join(await temporaryFolder(), 'backup')
    await backUpTo(folder)
    const marker = join(folder, 'heirloom-backup.json')
    await writeFile(marker, (await readFile(marker, 'utf8')).replace(/"library":"../, '"library":"zz'))
    await expect(backUpTo(folder)).rejects.toThrow('another library')
  })

  test('is not restored over a library', async () => {
    const backup = join(await temporaryFolder(), 'backup')
    await backUpTo(backup)
    const { config } = await restoreFrom(backup)
    await expect(restore(commandContext(config), { folder: backup, snapshot: undefined })).rejects.toThrow(
      'There is a library here already',
    )
  })

  test('keeps the last ten snapshots, and an older one can be chosen', async () => {
    const backup = join(await temporaryFolder(), 'backup')
    const taken: string[] = []
    for (let i = 0; i < 11; i++) taken.push((await backUpTo(backup)).snapshot)
    expect((await readdir(join(backup, 'snapshots'))).sort()).toEqual(taken.slice(1))
    await uploadFile(ada, { name: 'later.jpg' })
    await backUpTo(backup)
    const config = await emptyMachine(engine)
    await restore(commandContext(config), { folder: backup, snapshot: taken.at(-1) })
    expect(await rowsOf(config, `select id from media where original_name = 'later.jpg'`)).toEqual([])
    await expect(restore(commandContext(config), { folder: backup, snapshot: taken[0] })).rejects.toThrow('no snapshot')
  })

  test('taken while people upload holds every file that was acknowledged before it, whole', async () => {
    const backup = join(await temporaryFolder(), 'backup')
    const writer = keepWriting(ada)
    onTestFinished(writer.stop)
    await vi.waitUntil(() => writer.acknowledged.length > 4, { timeout: 30_000 })
    const before = [...writer.acknowledged]
    await backUpTo(backup)
    expect(writer.acknowledged.length).toBeGreaterThan(before.length)

    const { config, report } = await restoreFrom(backup)
    expect(report.problems).toEqual([])
    const hashes = await hashesOf(config)
    expect(hashes).toEqual(expect.arrayContaining(before))
    const keys = await rowsOf(config, `select key, hash from media_parts join media on media.id = media_id`)
    expect(keys).toHaveLength(hashes.length)
    for (const { key, hash } of keys) expect(await hashFile(join(config.dataFolder, 'files', String(key)))).toBe(hash)
  })
})

test('nothing is backed up where there is no library', async () => {
  const config = await emptyMachine('sqlite')
  await expect(backUp(commandContext(config), { folder: await temporaryFolder(), ...plainly })).rejects.toThrow(
    'There is no library',
  )
})

test('a file that is purged while others are copied is no loss', async () => {
  const library = await startLibrary()
  onTestFinished(library.close)
  const ada = await library.admin()
  await uploadFile(ada, { name: 'stays.jpg' })
  const { id } = await uploadFile(ada, { name: 'purged.jpg' })
  const [part] = await library.rows(`select key from media_parts where media_id = ${id} and kind = 'original'`)
  await rm(join(library.config.dataFolder, 'files', String(part?.key)))
  const context = commandContext(library.config)
  let looks = 0
  const clock = () => {
    // The first database snapshot still lists the file; before the second its row is purged.
    if (++looks === 2) purge(library.config, id)
    return Date.now()
  }
  const report = await backUp({ ...context, clock }, { folder: join(await temporaryFolder(), 'backup'), ...plainly })
  expect(report).toMatchObject({ files: 1, problems: [] })
})

function purge({ dataFolder }: Config, id: number): void {
  const database = new DatabaseSync(join(dataFolder, 'heirloom.db'))
  database.exec(`PRAGMA busy_timeout = 10000; PRAGMA foreign_keys = ON; delete from media where id = ${id}`)
  database.close()
}
