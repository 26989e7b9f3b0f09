import { spawnSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { newServerData, startServer } from '../test/faults/server-process.ts'
import { makePicture } from '../test/fixtures/pictures.ts'
import { beginResumable, sendChunk, untilPrepared, uploadFile } from '../test/fixtures/uploads.ts'
import { readTree } from '../test/read-tree.ts'
import { restrictDataFolder, restrictFolders } from './file-access.ts'

const OTHERS = 0o007
const GROUP_AND_OTHERS = 0o077
const NOBODY = 65_534

async function modeOf(path: string): Promise<number> {
  return (await stat(path)).mode & 0o7777
}

/** Everything below a folder that has one of these permission bits. */
async function openTo(bits: number, folder: string): Promise<string[]> {
  const open: string[] = []
  const below = (await readTree(folder)).map(entry => join(entry.parentPath, entry.name))
  for (const path of [folder, ...below]) {
    const found = await stat(path).catch(() => undefined)
    if (found && (found.mode & bits) !== 0) open.push(path)
  }
  return open
}

/** A server with a stored file, a prepared one and an unfinished upload. */
async function usedServer(settings: Record<string, string> = {}) {
  const home = await mkdtemp(join(tmpdir(), 'heirloom-modes-'))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  await chmod(home, 0o755)
  const dataFolder = join(home, 'data')
  await mkdir(dataFolder, { mode: 0o755 })
  const place = await newServerData('sqlite', dataFolder)
  await rm(join(dataFolder, 'files'), { recursive: true })
  await rm(join(dataFolder, 'beside'), { recursive: true })
  await chmod(join(dataFolder, 'heirloom.db'), 0o644)
  const server = await startServer(place, settings)
  const { id } = await uploadFile(server.ada, { name: 'a.jpg', bytes: await makePicture() })
  await untilPrepared(server.ada, id)
  const upload = await beginResumable(server.ada, 100)
  await sendChunk(server.ada, upload, 0, Buffer.alloc(50))
  const [row] = await place.rows(`select key from media_parts where kind = 'original'`)
  return { dataFolder, original: join(dataFolder, 'files', String(row?.key)) }
}

describe('a running server', () => {
  test('keeps database, files and uploads from every other account', { timeout: 60_000 }, async () => {
    const { dataFolder, original } = await usedServer()
    expect(await openTo(GROUP_AND_OTHERS, dataFolder)).toEqual([])
    expect(await modeOf(join(dataFolder, 'heirloom.db-wal'))).toBe(0o600)
    if (process.getuid?.() !== 0) return
    for (const file of [join(dataFolder, 'heirloom.db'), original]) {
      expect(spawnSync('cat', [file], { uid: NOBODY, gid: NOBODY }).status).not.toBe(0)
    }
  })

  test('lets the group read the files, and only those, where that is set', { timeout: 60_000 }, async () => {
    const { dataFolder, original } = await usedServer({ FILE_ACCESS: 'group' })
    expect(await openTo(OTHERS, dataFolder)).toEqual([])
    expect(await modeOf(dataFolder)).toBe(0o750)
    expect(await modeOf(join(dataFolder, 'files'))).toBe(0o750)
    expect(await modeOf(original)).toBe(0o640)
    const secrets = (await readdir(dataFolder)).filter(name => name.includes('.db'))
    expect(secrets.length).toBeGreaterThan(1)
    for (const name of secrets) expect(await modeOf(join(dataFolder, name))).toBe(0o600)
    if (process.getuid?.() !== 0) return
    const group = (await stat(original)).gid
    expect(spawnSync('cat', [original], { uid: NOBODY, gid: group }).status).toBe(0)
    expect(spawnSync('cat', [join(dataFolder, 'heirloom.db')], { uid: NOBODY, gid: group }).status).not.toBe(0)
  })
})

describe('the permissions of a folder from before', () => {
  let folder: string
  let lines: string[]
  const log = { warn: (sentence: string) => void lines.push(sentence) }

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'heirloom-modes-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    lines = []
    await mkdir(join(folder, 'files/originals'), { recursive: true })
    await writeFile(join(folder, 'heirloom.db'), '')
    await writeFile(join(folder, 'notes.txt'), 'not ours')
    for (const name of ['', 'files', 'files/originals']) await chmod(join(folder, name), 0o755)
  })

  test('are restricted at the top in one line that says so, and then left alone', async () => {
    restrictDataFolder(folder, 'private', log)
    expect(await modeOf(folder)).toBe(0o700)
    expect(await modeOf(join(folder, 'files'))).toBe(0o700)
    expect(await modeOf(join(folder, 'heirloom.db'))).toBe(0o600)
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain(`${folder} (755 to 700)`)
    expect(lines[0]).toContain('heirloom.db (644 to 600)')
    expect(lines[0]).toContain('FILE_ACCESS=group')
    // Deeper files need no change, since nobody else can enter the folder; foreign files are not touched.
    expect(await modeOf(join(folder, 'files/originals'))).toBe(0o755)
    expect(await modeOf(join(folder, 'notes.txt'))).toBe(0o644)
    restrictDataFolder(folder, 'private', log)
    expect(lines).toHaveLength(1)
  })

  test('are opened to the group again, the database excepted, and its setgid bit is kept', async () => {
    restrictDataFolder(folder, 'private', log)
    await chmod(join(folder, 'files'), 0o2700)
    restrictDataFolder(folder, 'group', log)
    expect(await modeOf(folder)).toBe(0o750)
    expect(await modeOf(join(folder, 'files'))).toBe(0o2750)
    expect(await modeOf(join(folder, 'heirloom.db'))).toBe(0o600)
  })

  test('are restricted on the disk that the folder of the files is linked to', async () => {
    const disk = await mkdtemp(join(tmpdir(), 'heirloom-disk-'))
    onTestFinished(() => rm(disk, { recursive: true, force: true }))
    await chmod(disk, 0o755)
    await rm(join(folder, 'files'), { recursive: true })
    await symlink(disk, join(folder, 'files'))
    await rm(join(folder, 'heirloom.db'))
    await symlink(join(folder, 'notes.txt'), join(folder, 'heirloom.db'))
    restrictDataFolder(folder, 'private', log)
    expect(await modeOf(disk)).toBe(0o700)
    expect(await modeOf(join(folder, 'notes.txt'))).toBe(0o644)
  })

  test('of a folder that everybody uses stay, with a line, and what is ours in it is restricted', async () => {
    await chmod(folder, 0o1777)
    restrictDataFolder(folder, 'private', log)
    expect(await modeOf(folder)).toBe(0o1777)
    expect(await modeOf(join(folder, 'files'))).toBe(0o700)
    expect(lines.join('\n')).toContain(`may be able to read ${folder} (a folder that others use too)`)
  })

  test('of a backup are restricted too', async () => {
    restrictFolders([folder, join(folder, 'files'), join(folder, 'nothing')], log)
    expect(await modeOf(folder)).toBe(0o700)
    expect(await modeOf(join(folder, 'files'))).toBe(0o700)
    expect(lines).toHaveLength(1)
  })
})
