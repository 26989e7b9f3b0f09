import { mkdir, readdir, readFile, rename, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import fastify from 'fastify'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { DAY } from '#contract/limits.ts'
import { listMedia } from '#contract/media-list.ts'
import { scanWatchedFolders, sourceFolders } from '#contract/source-folders.ts'
import { commandContext, emptyMachine, rowsOf, temporaryFolder } from '../../test/cli-tools.ts'
import { clipMaker } from '../../test/fixtures/clips.ts'
import { makePicture } from '../../test/fixtures/pictures.ts'
import { filesBelow } from '../../test/fixtures/remains.ts'
import { engines, oneEngine, startLibrary } from '../../test/library.ts'
import { picture as film, filmedAt, h264 } from '../../test/processing/video-clips.ts'
import { backUp } from '../cli/backup/backup.ts'
import { noopLog } from '../cli/command.ts'
import { exportLibrary } from '../cli/export/export.ts'
import { restore } from '../cli/restore/restore.ts'
import type { Config } from '../config.ts'
import { type AppContext, createContext } from '../context.ts'
import { listFolders } from '../folders/folders.ts'
import { heartFile } from '../hearts/hearts.ts'
import { systemClock } from '../kit/clock.ts'
import { deleteFiles } from '../media/edit.ts'
import { verifyOriginal } from '../media/integrity.ts'
import { findMedia } from '../media/media.sql.ts'
import { purgeDeleted } from '../media/trash.ts'
import { admit } from '../people/public.ts'
import { hashFile } from '../processing/hash.ts'
import { reportMounts, serversWithout } from './mounts.ts'
import { readWatchedReport, scanRoot } from './scan.ts'

const make = await clipMaker()

vi.setConfig({ testTimeout: 60_000 })

let age = Date.parse('2020-01-01T12:00:00Z')

/** Writes files that nobody has written to lately. */
async function lay(folder: string, files: Record<string, Uint8Array | string>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, content)
    age += 60_000
    const then = new Date(age)
    await utimes(file, then, then)
  }
}

/** Everything that can be known of a folder without reading the files' access times. */
async function stateOf(folder: string): Promise<string[]> {
  const paths = await readdir(folder, { recursive: true })
  const states = paths.sort().map(async path => {
    const { size, mtimeMs, ctimeMs, mode, nlink } = await stat(join(folder, path))
    return JSON.stringify([path, size, mtimeMs, ctimeMs, mode, nlink])
  })
  return Promise.all(states)
}

async function admitAda({ db }: AppContext): Promise<void> {
  const identity = { issuer: 'https://id.example', subject: 'ada', email: 'ada@okafor.example', name: 'Ada' }
  const lists = { admins: [identity.email], members: [] }
  await db.transaction(tx => admit(db, systemClock, lists, tx, identity))
}

describe.each(engines)('a watched folder (%s)', engine => {
  let config: Config
  let root: string
  let context: AppContext

  beforeEach(async () => {
    root = join(await temporaryFolder(), 'photos')
    await mkdir(root)
    config = { ...(await emptyMachine(engine)), libraryFolders: [root] }
    context = await createContext(config, { clock: systemClock, log: noopLog })
    onTestFinished(() => context.close())
    await admitAda(context)
  })

  const scan = (acceptMissing = false) =>
    scanRoot(context, root, { signal: new AbortController().signal, acceptMissing })
  const media = () => rowsOf(config, 'select * from media order by original_name')
  const named = async (name: string) => (await media()).find(row => row.original_name === name)
  const report = () => readWatchedReport(context.db.query, root)
  const keyOf = async (id: unknown) =>
    String((await rowsOf(config, `select key from media_parts where media_id = ${id} and kind = 'original'`))[0]?.key)
  const bytesOf = async (id: unknown) =>
    Buffer.concat(await Array.fromAsync((await context.storage.read(await keyOf(id))).stream))

  test('is indexed where it lies, and nothing in it is touched or copied', async () => {
    const picture = await makePicture()
    await lay(root, { 'top.jpg': await makePicture(), 'Italy/Rome.jpg': picture, 'Italy/notes.txt': 'Dear Rose' })
    const before = await stateOf(root)
    await scan()
    expect((await media()).map(row => row.original_name)).toEqual(['Rome.jpg', 'top.jpg'])
    expect((await listFolders(context.db.query)).map(({ path }) => path)).toEqual(['Italy'])
    const rome = await named('Rome.jpg')
    expect(rome).toMatchObject({ hash: await hashFile(join(root, 'Italy/Rome.jpg')) })
    expect(Number(rome?.file_size)).toBe(picture.length)
    expect(await bytesOf(rome?.id)).toEqual(picture)
    const key = await keyOf(rome?.id)
    expect(await context.storage.stat(key)).toMatchObject({ size: picture.length })
    const range = await context.storage.read(key, { start: 10, end: 19 })
    expect(Buffer.concat(await Array.fromAsync(range.stream))).toEqual(picture.subarray(10, 20))
    expect(await context.storage.withLocalCopy(key, async path => path)).toBe(join(root, 'Italy/Rome.jpg'))
    expect(await filesBelow(join(config.dataFolder, 'files'))).toEqual([])
    expect(await stateOf(root)).toEqual(before)
    expect(await rowsOf(config, `select id from jobs where name = 'media.prepare'`)).toHaveLength(2)
    expect(await report()).toMatchObject({ state: 'ready', files: 2, unreadable: 0 })
  })

  test('knows unchanged files by size and time, without reading them', async () => {
    await lay(root, { 'one.jpg': await makePicture() })
    await scan()
    const file = join(root, 'one.jpg')
    const { size, mtime } = await stat(file)
    await writeFile(file, Buffer.alloc(size))
    await utimes(file, mtime, mtime)
    await scan()
    expect(await media()).toMatchObject([{ missing_at: null, version: 1 }])
    // What has changed in silence is found by the integrity check.
    const row = await findMedia(context.db.query, Number((await media())[0]?.id))
    expect(row && (await verifyOriginal(context, row))).toBe(false)
    expect((await media())[0]?.damaged_at).not.toBeNull()
  })

  test('a file that is being written waits for the next time', async () => {
    await writeFile(join(root, 'new.jpg'), await makePicture())
    await scan()
    expect(await media()).toEqual([])
    await scanRoot({ ...context, clock: () => Date.now() + 61_000 }, root, {
      signal: new AbortController().signal,
      acceptMissing: false,
    })
    expect(await media()).toHaveLength(1)
  })

  test('a file that is gone is missing and keeps what people gave it, and is found again', async () => {
    const picture = await makePicture()
    await lay(root, { 'one.jpg': picture, 'two.jpg': await makePicture() })
    await scan()
    const one = await named('one.jpg')
    await heartFile(context, 1, Number(one?.id))
    await rm(join(root, 'one.jpg'))
    await scan()
    expect((await named('one.jpg'))?.missing_at).not.toBeNull()
    expect((await named('two.jpg'))?.missing_at).toBeNull()
    expect(await rowsOf(config, 'select media_id from hearts')).toEqual([{ media_id: one?.id }])
    await lay(root, { 'moved/another name.jpg': picture })
    await scan()
    expect(await named('one.jpg')).toMatchObject({ id: one?.id, missing_at: null, deleted_at: null })
    expect(await media()).toHaveLength(2)
    expect(await bytesOf(one?.id)).toEqual(picture)
  })

  test('folders that are renamed are found again by their bytes, however many files they have', async () => {
    for (let number = 0; number < 30; number++) await lay(root, { [`old/${number}.jpg`]: await makePicture() })
    await scan()
    const before = await media()
    await rename(join(root, 'old'), join(root, 'new'))
    await scan()
    expect(await media()).toEqual(before)
    expect(await rowsOf(config, `select path from watched_files where path like 'old/%'`)).toEqual([])
    expect(await report()).toMatchObject({ state: 'ready', files: 30 })
  })

  test('a changed file is read again, and keeps its id', async () => {
    await lay(root, { 'one.jpg': await makePicture() })
    await scan()
    const [before] = await media()
    const oldKey = await keyOf(before?.id)
    const edited = await makePicture({ width: 80, format: 'png' })
    await lay(root, { 'one.jpg': edited })
    expect(await context.storage.stat(oldKey)).toBeUndefined()
    await scan()
    const [after] = await media()
    expect(after).toMatchObject({ id: before?.id, format: 'png', status: 'processing' })
    expect(after?.hash).not.toBe(before?.hash)
    expect(await keyOf(after?.id)).not.toBe(oldKey)
    expect(await bytesOf(after?.id)).toEqual(edited)
    const [counts] = await rowsOf(config, 'select files, bytes from media_counts where files > 0')
    expect([Number(counts?.files), Number(counts?.bytes)]).toEqual([1, edited.length])
  })

  test('copies are one file, which is there as long as one of them is', async () => {
    const picture = await makePicture()
    await lay(root, { 'one.jpg': picture, 'copy.jpg': picture })
    await scan()
    expect(await media()).toHaveLength(1)
    await rm(join(root, 'copy.jpg'))
    await scan()
    const [file] = await media()
    expect(file?.missing_at).toBeNull()
    expect(await bytesOf(file?.id)).toEqual(picture)
    await lay(root, { 'one.jpg': await makePicture() })
    await lay(root, { 'again.jpg': picture })
    await scan()
    expect(await media()).toHaveLength(2)
  })

  test('a disk that is not mounted changes nothing', async () => {
    await lay(root, { 'one.jpg': await makePicture(), 'a/two.jpg': await makePicture() })
    await scan()
    const before = await media()
    await rename(root, `${root}-away`)
    await scan()
    expect(await report()).toMatchObject({ state: 'not_mounted', files: 2 })
    await mkdir(root)
    await lay(root, { '.hidden': 'x' })
    await scan(true)
    expect(await report()).toMatchObject({ state: 'not_mounted' })
    expect(await media()).toEqual(before)
    const row = await findMedia(context.db.query, Number(before[0]?.id))
    if (row) await verifyOriginal(context, row)
    expect((await media())[0]?.damaged_at).toBeNull()
    await rm(root, { recursive: true })
    await rename(`${root}-away`, root)
    await scan()
    expect(await report()).toMatchObject({ state: 'ready' })
    expect((await media()).map(({ missing_at }) => missing_at)).toEqual([null, null])
  })

  test('many files that are gone at once are missing only if an admin says so', async () => {
    for (let number = 0; number < 30; number++)
      await lay(root, { [`${number % 3}/${number}.jpg`]: await makePicture() })
    await scan()
    await rename(join(root, '1'), join(await temporaryFolder(), '1'))
    await rename(join(root, '2'), join(await temporaryFolder(), '2'))
    await scan()
    expect(await report()).toMatchObject({ state: 'many_missing', gone: 20 })
    expect((await media()).every(({ missing_at }) => missing_at === null)).toBe(true)
    await scan(true)
    expect((await media()).filter(({ missing_at }) => missing_at !== null)).toHaveLength(20)
    expect(await report()).toMatchObject({ state: 'ready', files: 10 })
  })

  test('what is on another disk is not missing before an admin says so', async () => {
    await lay(root, { 'one.jpg': await makePicture(), 'two.jpg': await makePicture() })
    await scan()
    await context.db.query
      .updateTable('folder_reports')
      .set({ report: JSON.stringify({ ...(await report()), device: 'another' }) })
      .execute()
    await rm(join(root, 'one.jpg'))
    await scan()
    expect(await report()).toMatchObject({ state: 'many_missing', gone: 1, device: 'another' })
    await scan(true)
    expect((await named('one.jpg'))?.missing_at).not.toBeNull()
  })

  test('what was deleted stays hidden, also after it was purged, moved or touched, and its bytes stay', async () => {
    const picture = await makePicture()
    await lay(root, { 'one.jpg': picture, 'two.jpg': await makePicture() })
    await scan()
    await deleteFiles(context, 1, { fileIds: [Number((await named('one.jpg'))?.id)] })
    await scan()
    expect((await named('one.jpg'))?.deleted_at).not.toBeNull()
    const later = Date.now() + (config.trashDays + 1) * DAY
    await purgeDeleted({ ...context, trashDays: config.trashDays, clock: () => later })
    expect(await named('one.jpg')).toBeUndefined()
    expect(await readFile(join(root, 'one.jpg'))).toEqual(picture)
    await scan()
    await utimes(join(root, 'one.jpg'), new Date(age), new Date(age))
    await scan()
    await rename(join(root, 'one.jpg'), join(root, 'moved.jpg'))
    await scan()
    await scan()
    expect((await media()).map(row => row.original_name)).toEqual(['two.jpg'])
    expect(await readFile(join(root, 'moved.jpg'))).toEqual(picture)
  })

  test('links are not followed, also when a folder was exchanged for one after it was indexed', async () => {
    const elsewhere = await temporaryFolder()
    const picture = await makePicture()
    await lay(elsewhere, { 'a.jpg': picture })
    await symlink(join(elsewhere, 'a.jpg'), join(root, 'link.jpg'))
    await symlink(elsewhere, join(root, 'linked'))
    await lay(root, { 'trip/a.jpg': await makePicture() })
    await scan()
    expect(await media()).toHaveLength(1)
    const [file] = await media()
    const { mtime } = await stat(join(root, 'trip/a.jpg'))
    await rename(join(root, 'trip'), join(await temporaryFolder(), 'trip'))
    await writeFile(join(elsewhere, 'a.jpg'), Buffer.alloc(Number(file?.file_size)))
    await utimes(join(elsewhere, 'a.jpg'), mtime, mtime)
    await symlink(elsewhere, join(root, 'trip'))
    expect(await context.storage.stat(await keyOf(file?.id))).toBeUndefined()
    await expect(context.storage.withLocalCopy(await keyOf(file?.id), async () => 1)).rejects.toThrow()
    await rm(join(root, 'trip'))
    await mkdir(join(root, 'trip'))
    await symlink(join(elsewhere, 'a.jpg'), join(root, 'trip/a.jpg'))
    await expect(context.storage.read(await keyOf(file?.id))).rejects.toMatchObject({ code: 'not_found' })
  })

  test('a Live Photo is one file, also after it was moved', async () => {
    const taken = '2024-06-01T12:34:56'
    await lay(root, {
      'IMG_1.JPG': await makePicture({ takenAt: taken }),
      'IMG_1.MOV': await make('clip.mov', ...film('160x120', 1), ...h264, ...filmedAt(taken)),
    })
    await scan()
    const kinds = () => rowsOf(config, 'select kind from media_parts order by kind')
    expect(await kinds()).toEqual([{ kind: 'motion' }, { kind: 'original' }])
    await mkdir(join(root, 'Phone'))
    for (const name of ['IMG_1.JPG', 'IMG_1.MOV']) await rename(join(root, name), join(root, 'Phone', name))
    await scan()
    await scan()
    expect(await media()).toMatchObject([{ missing_at: null }])
    const [motion] = await rowsOf(config, `select key from media_parts where kind = 'motion'`)
    expect(await context.storage.stat(String(motion?.key))).toBeDefined()
  })

  test('the upload of a missing file stores its bytes', async () => {
    const picture = await makePicture()
    await lay(root, { 'one.jpg': picture, 'two.jpg': await makePicture() })
    await scan()
    await rm(join(root, 'one.jpg'))
    await scan()
    const inbox = await temporaryFolder()
    await lay(inbox, { 'one.jpg': picture })
    const { importTree } = await import('../cli/import/import.ts')
    await importTree(context, { folder: inbox, as: undefined, again: false, listAll: false }, commandContext(config))
    const one = await named('one.jpg')
    expect(one?.missing_at).toBeNull()
    expect(await keyOf(one?.id)).toMatch(/^originals\//)
    expect(await bytesOf(one?.id)).toEqual(picture)
  })

  test('a backup copies the originals unless told otherwise, and a restore works without the folder', async () => {
    const picture = await makePicture()
    await lay(root, { 'one.jpg': picture })
    await scan()
    const [full, small] = [await temporaryFolder(), await temporaryFolder()]
    const plainly = { withVariants: false, verify: false }
    const whole = await backUp(commandContext(config), { folder: full, ...plainly })
    expect(whole).toMatchObject({ files: 1, watched: 1, withWatched: true, problems: [] })
    const without = await backUp(commandContext(config), { folder: small, ...plainly, withWatched: false })
    expect(without).toMatchObject({ files: 0, watched: 1, withWatched: false, problems: [] })
    const key = await keyOf((await media())[0]?.id)
    for (const [folder, libraryFolders, found] of [
      [full, [], picture],
      [small, [root], picture],
      [small, [], undefined],
    ] as const) {
      const empty = { ...(await emptyMachine(engine)), libraryFolders: [...libraryFolders] }
      const { problems } = await restore(commandContext(empty), { folder, snapshot: undefined })
      expect(problems).toEqual([])
      const restored = await createContext(empty, { clock: systemClock, log: noopLog })
      const stored = await restored.storage.stat(key)
      if (found === undefined) expect(stored).toBeUndefined()
      else expect(Buffer.concat(await Array.fromAsync((await restored.storage.read(key)).stream))).toEqual(found)
      await restored.close()
    }
  })

  test('each server says whether it sees the folder, as long as it runs', async () => {
    const app = fastify()
    onTestFinished(() => app.close())
    const gone = `${root}-gone`
    reportMounts(app, { ...context, config: { libraryFolders: [root, gone], port: 3001 } })
    await app.ready()
    await expect.poll(() => serversWithout(context, gone)).toEqual([`${hostname()}:3001`])
    expect(await serversWithout(context, root)).toEqual([])
    expect(await serversWithout({ ...context, clock: () => Date.now() + DAY }, gone)).toEqual([])
  })

  test('an export copies the originals', async () => {
    const picture = await makePicture()
    await lay(root, { 'one.jpg': picture })
    await scan()
    const folder = await temporaryFolder()
    expect(await exportLibrary(commandContext(config), folder)).toMatchObject({ files: 1, problems: [] })
    const [path] = (await filesBelow(folder)).filter(name => name.endsWith('one.jpg'))
    expect(await readFile(join(folder, String(path)))).toEqual(picture)
  })
})

describe.each(oneEngine)('a server with a watched folder (%s)', engine => {
  test('looks through it, serves originals from there, and looks again when an admin asks', async () => {
    const root = await temporaryFolder()
    const picture = await makePicture()
    await lay(root, { 'one.jpg': picture })
    const library = await startLibrary({ engine, environment: { LIBRARY_DIRS: root } })
    onTestFinished(library.close)
    const ada = await library.admin()
    const files = async () => (await ada.call(listMedia, { query: {} })).files
    // The first time, nobody has signed in yet.
    await expect
      .poll(async () => (await ada.call(sourceFolders)).watched[0]?.state, { timeout: 20_000 })
      .toBe('no_owner')
    await ada.call(scanWatchedFolders, { body: {} })
    await expect.poll(async () => (await files()).map(({ status }) => status), { timeout: 30_000 }).toEqual(['ready'])
    const [file] = await files()
    const url = new URL(file?.download_url ?? '', library.url)
    expect(Buffer.from(await (await fetch(url)).arrayBuffer())).toEqual(picture)
    const part = await fetch(url, { headers: { range: 'bytes=2-5' } })
    expect([part.status, Buffer.from(await part.arrayBuffer())]).toEqual([206, picture.subarray(2, 6)])
    url.searchParams.set('sig', 'forged')
    expect((await fetch(url)).status).toBe(403)
    expect(await (await fetch(new URL(file?.thumbnail_url ?? '', library.url))).headers.get('content-type')).toBe(
      'image/jpeg',
    )
    expect(await filesBelow(join(library.config.dataFolder, 'files'))).not.toContainEqual(
      expect.stringMatching(/^(originals|watched)/),
    )
    await rm(join(root, 'one.jpg'))
    await lay(root, { 'two.jpg': await makePicture() })
    await ada.call(scanWatchedFolders, { body: {} })
    await expect
      .poll(async () => (await files()).map(({ missing }) => missing).sort(), { timeout: 30_000 })
      .toEqual([false, true])
    expect(await ada.call(sourceFolders)).toMatchObject({
      missing: 1,
      watched: [{ folder: root, state: 'ready', without: [] }],
    })
    await expect(ada.call(scanWatchedFolders, { body: { accept_missing: '/etc' } })).rejects.toMatchObject({
      status: 404,
    })
  })
})

test.each([
  ['the data folder', (data: string) => [join(data, 'files')]],
  ['the whole disk', () => ['/']],
  ['one in another', (data: string) => [`${data}-a`, `${data}-a/b`]],
  ['the inbox folder', (data: string) => [`${data}-inbox`]],
])('watched folders that overlap are refused at start, with a sentence: %s', async (_case, foldersOf) => {
  const config = await emptyMachine('sqlite')
  await mkdir(config.dataFolder, { recursive: true })
  const libraryFolders = foldersOf(config.dataFolder)
  const settings = { ...config, inboxFolder: `${config.dataFolder}-inbox`, libraryFolders }
  await expect(createContext(settings, { clock: systemClock, log: noopLog })).rejects.toThrow(
    /^LIBRARY_DIRS .*(overlap|the whole disk)/,
  )
})
