import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rename, symlink, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { DAY } from '#contract/limits.ts'
import { commandContext, emptyMachine, rowsOf, temporaryFolder } from '../../../test/cli-tools.ts'
import { clipMaker } from '../../../test/fixtures/clips.ts'
import { makePicture } from '../../../test/fixtures/pictures.ts'
import { filesBelow } from '../../../test/fixtures/remains.ts'
import { oneEngine, startLibrary } from '../../../test/library.ts'
import { sound } from '../../../test/processing/video-clips.ts'
import { type Config, readConfig } from '../../config.ts'
import { type AppContext, createContext } from '../../context.ts'
import { listFolders } from '../../folders/folders.ts'
import { systemClock } from '../../kit/clock.ts'
import { libraryStats } from '../../media/counts.sql.ts'
import { deleteFiles } from '../../media/edit.ts'
import { purgeDeleted } from '../../media/trash.ts'
import { admit } from '../../people/public.ts'
import { hashFile } from '../../processing/hash.ts'
import { isFullDisk, noopLog } from '../command.ts'
import { importCommand } from './command.ts'
import { type ImportOptions, importTree } from './import.ts'

const make = await clipMaker()

vi.setConfig({ testTimeout: 60_000 })

/** Writes files, creating their folders. */
async function lay(folder: string, files: Record<string, Uint8Array | string>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(join(folder, dirname(path)), { recursive: true })
    await writeFile(join(folder, path), content)
  }
}

describe.each(oneEngine)('an import (%s)', engine => {
  let config: Config
  let photos: string
  let context: AppContext

  beforeEach(async () => {
    config = await emptyMachine(engine)
    photos = await temporaryFolder()
    context = await createContext(config, { clock: systemClock, log: noopLog })
    onTestFinished(() => context.close())
    const lists = { admins: ['ada@okafor.example'], members: ['ben@okafor.example'] }
    for (const subject of ['ada', 'ben']) {
      const identity = { issuer: 'https://id.example', subject, email: `${subject}@okafor.example`, name: subject }
      await context.db.transaction(tx => admit(context.db, systemClock, lists, tx, identity))
    }
  })

  async function run(options: Partial<ImportOptions> = {}) {
    const { out, signal } = commandContext(config)
    const { tally } = await importTree(
      context,
      { folder: photos, as: undefined, again: false, listAll: false, ...options },
      { out, signal },
    )
    return tally
  }

  const names = async () =>
    (await rowsOf(config, 'select original_name from media order by original_name')).map(row => row.original_name)

  test('keeps the folders, uses those that are there, and copies every byte', async () => {
    const picture = await makePicture()
    await lay(photos, {
      'top.jpg': await makePicture(),
      '2019/Italy/Rome.jpg': picture,
      '2019/Italy/Naples.png': await makePicture({ format: 'png' }),
      '2020/empty of photos/notes.txt': 'nothing',
    })
    const tally = await run()
    expect(tally).toMatchObject({ added: 3, alreadyThere: 0 })
    await lay(photos, { '2019/italy/Milan.jpg': await makePicture() })
    await run()

    const folders = await listFolders(context.db.query)
    expect(folders.map(folder => [folder.path, folder.file_count])).toEqual([
      ['2019', 0],
      ['2019 / Italy', 3],
    ])
    const [rome] = await rowsOf(
      config,
      `select media.*, key from media join media_parts on media_id = media.id where original_name = 'Rome.jpg'`,
    )
    expect(await readFile(join(config.dataFolder, 'files', String(rome?.key)))).toEqual(picture)
    expect(rome?.hash).toBe(await hashFile(join(photos, '2019/Italy/Rome.jpg')))
    expect(await rowsOf(config, `select id from jobs where name = 'media.prepare'`)).toHaveLength(4)
  })

  test('leaves the folder itself as it was', async () => {
    await lay(photos, { 'a/one.jpg': await makePicture(), 'two.jpg': await makePicture(), 'x.txt': 'x' })
    const before = await readdir(photos, { recursive: true })
    await run()
    expect(await readdir(photos, { recursive: true })).toEqual(before)
  })

  test('dates files by the disk where they do not say when they were taken', async () => {
    await lay(photos, { 'old.png': await makePicture({ format: 'png' }) })
    await utimes(join(photos, 'old.png'), new Date('2003-05-06T07:08:09Z'), new Date('2003-05-06T07:08:09Z'))
    await run()
    const [row] = await rowsOf(config, 'select date_sort from media')
    expect(Number(row?.date_sort)).toBe(Date.parse('2003-05-06T07:08:09Z'))
  })

  test('run again adds nothing, and reads nothing that it knows', async () => {
    const [one, then] = [join(photos, 'one.jpg'), new Date('2021-01-01T12:00:00Z')]
    await lay(photos, { 'one.jpg': await makePicture(), 'two.jpg': await makePicture() })
    await utimes(one, then, then)
    await run()
    // If it were read again, it would be rejected as neither photo nor video.
    await writeFile(one, Buffer.alloc((await readFile(one)).length))
    await utimes(one, then, then)
    const second = await run()
    expect(second).toMatchObject({ added: 0, alreadyThere: 2 })
    expect(second.skipped.size).toBe(0)
  })

  test('knows bytes that the library holds, whatever they are called and wherever they lie', async () => {
    const picture = await makePicture()
    await lay(photos, { 'one.jpg': picture, 'copies/two.jpg': picture, 'copies/three.jpg': picture })
    expect(await run()).toMatchObject({ added: 1, alreadyThere: 2 })
    await rename(join(photos, 'one.jpg'), join(photos, 'moved.jpg'))
    expect(await run()).toMatchObject({ added: 0, alreadyThere: 3 })
  })

  test('skips junk, links and what is no photo, and says so', async () => {
    await lay(photos, {
      'photo.jpg': await makePicture(),
      'letter.jpg': 'Dear Rose',
      'empty.jpg': '',
      'tax.pdf': '%PDF-1.7',
      'song.mp4': await make('song.mp4', ...sound(1), '-c:a', 'aac'),
      '.DS_Store': 'x',
      'Thumbs.db': 'x',
      '._photo.jpg': 'x',
      '@eaDir/photo.jpg/SYNOPHOTO_THUMB_M.jpg': await makePicture(),
    })
    await symlink(join(photos, 'photo.jpg'), join(photos, 'link.jpg'))
    await symlink(photos, join(photos, 'round and round'))
    const { skipped, added } = await run()
    expect(added).toBe(1)
    expect(Object.fromEntries([...skipped].map(([reason, paths]) => [reason, paths.length]))).toEqual({
      'not a photo or video': 3,
      'sound without a picture': 1,
      hidden: 4,
      link: 2,
    })
    expect(skipped.get('not a photo or video')).toContain(join(photos, 'letter.jpg'))
  })

  test('takes in a file whose end is missing, and lists it', async () => {
    const whole = await makePicture({ format: 'png' })
    await lay(photos, { 'whole.png': whole, 'cut.png': (await makePicture({ format: 'png' })).subarray(0, -20) })
    const { out, signal, output } = commandContext(config)
    const options = { folder: photos, as: undefined, again: false, listAll: false }
    const { tally } = await importTree(context, options, { out, signal })
    expect(tally).toMatchObject({ added: 2, incomplete: [join(photos, 'cut.png')] })
    expect(output.join('')).toMatch(/1 added file incomplete: the end is missing.*cut\.png/s)
  })

  test('reports what it cannot read, and takes in the rest', async () => {
    await lay(photos, { 'a.jpg': await makePicture(), 'z.jpg': await makePicture() })
    // A legacy name that is not UTF-8: it is listed, but cannot be opened by the decoded name.
    await writeFile(Buffer.from(join(photos, 'b\xff.jpg'), 'latin1'), await makePicture())
    const tally = await run()
    expect(tally.added).toBe(2)
    expect(tally.skipped.get('unreadable')).toHaveLength(1)
  })

  test('stopped in the middle keeps what it has, and goes on from there', async () => {
    const files: Record<string, Uint8Array> = {}
    for (let i = 0; i < 12; i++) files[`${i % 3}/${i}.jpg`] = await makePicture()
    await lay(photos, files)
    const { out, stop, signal } = commandContext(config)
    const options = { folder: photos, as: undefined, again: false, listAll: false }
    let looks = 0
    const clock = () => {
      if (++looks === 20) stop.abort()
      return Date.now()
    }
    await expect(importTree({ ...context, clock }, options, { out, signal })).rejects.toThrow('aborted')
    const first = (await names()).length
    expect(first).toBeGreaterThan(0)
    expect(first).toBeLessThan(12)

    expect(await run()).toMatchObject({ added: 12 - first, alreadyThere: first })
    expect(await filesBelow(join(config.dataFolder, 'scratch'))).toEqual([])
    expect(await filesBelow(join(config.dataFolder, 'files'))).toHaveLength(12)
    expect((await libraryStats(context.db.query)).total).toBe(12)
  })

  test('does not bring back what somebody deleted, unless asked to', async () => {
    await lay(photos, { 'one.jpg': await makePicture(), 'blurred.jpg': await makePicture() })
    await run()
    const [blurred] = await rowsOf(config, `select id from media where original_name = 'blurred.jpg'`)
    const [ada] = await rowsOf(config, `select id from people where role = 'admin'`)
    await deleteFiles(context, Number(ada?.id), { fileIds: [Number(blurred?.id)] })
    expect(await run()).toMatchObject({ added: 0, alreadyThere: 1, deletedSince: 1 })
    const later = Date.now() + (config.trashDays + 1) * DAY
    await purgeDeleted({ ...context, trashDays: config.trashDays, clock: () => later })
    expect(await rowsOf(config, `select id from media where id = ${blurred?.id}`)).toEqual([])
    expect(await run()).toMatchObject({ added: 0, alreadyThere: 1, deletedSince: 1 })
    expect(await run({ again: true })).toMatchObject({ added: 1, alreadyThere: 1, deletedSince: 0 })
    expect((await libraryStats(context.db.query)).total).toBe(2)
  })

  test('assigns the files to the given person, or to the first admin', async () => {
    await lay(photos, { 'one.jpg': await makePicture() })
    await run()
    await lay(photos, { 'two.jpg': await makePicture() })
    await run({ as: 'Ben@okafor.example' })
    await expect(run({ as: 'nobody@okafor.example' })).rejects.toThrow('Nobody with the e-mail nobody@okafor.example')
    const owners = await rowsOf(
      config,
      'select original_name, email from media join people on people.id = uploaded_by order by 1',
    )
    expect(owners).toEqual([
      { original_name: 'one.jpg', email: 'ada@okafor.example' },
      { original_name: 'two.jpg', email: 'ben@okafor.example' },
    ])
  })

  test('refuses what is no folder, and the library itself', async () => {
    await expect(run({ folder: join(photos, 'not there') })).rejects.toThrow('is not a folder')
    await expect(run({ folder: join(config.dataFolder, 'files') })).rejects.toThrow('part of the library itself')
    await lay(dirname(config.dataFolder), { 'beside.jpg': await makePicture() })
    expect(await run({ folder: dirname(config.dataFolder) })).toMatchObject({ added: 1 })
  })
})

test('names with terminal escapes are listed without them', async () => {
  const config = await emptyMachine('sqlite')
  const context = await createContext(config, { clock: systemClock, log: noopLog })
  onTestFinished(() => context.close())
  const lists = { admins: ['ada@okafor.example'], members: [] }
  const ada = { issuer: 'https://id.example', subject: 'ada', email: 'ada@okafor.example', name: 'Ada' }
  await context.db.transaction(tx => admit(context.db, systemClock, lists, tx, ada))
  const photos = await temporaryFolder()
  await lay(photos, {
    'a\x1b]0;owned\x07.pdf': 'x',
    'b\x9b2J\r\u202egpj.txt': 'x',
    'c\n9 files added.txt': 'x',
    'folder\x1b[31m/d.txt': 'x',
  })
  const { out, signal, output } = commandContext(config)
  await importTree(context, { folder: photos, as: undefined, again: false, listAll: true }, { out, signal })
  const text = output.join('')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this is about
  expect(text).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/)
  expect(text).toContain(String.raw`a\x1b]0;owned\x07.pdf`)
  expect(text).toContain(String.raw`c\n9 files added.txt`)
})

test('an import needs somebody to give the files to', async () => {
  const config = await emptyMachine('sqlite')
  const call = { ...commandContext(config), args: ['.'], cwd: await temporaryFolder() }
  await expect(importCommand.run(call)).rejects.toThrow('no admin has ever signed in')
})

test('an import says so while the server is running', async () => {
  const library = await startLibrary()
  onTestFinished(library.close)
  const call = { ...commandContext(library.config), args: ['.'], cwd: await temporaryFolder() }
  await expect(importCommand.run(call)).rejects.toThrow('Stop it first')
})

test.skipIf(!mayMount())('an import ends when the disk is full, and goes on when there is room', async () => {
  const [disk, photos] = [await temporaryFolder(), await temporaryFolder()]
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', disk])
  onTestFinished(() => void execFileSync('umount', [disk]))
  const config = readConfig({ DATA_DIR: join(disk, 'data') })
  for (let i = 0; i < 6; i++) {
    await lay(photos, { [`${i}.jpg`]: Buffer.concat([await makePicture(), randomBytes(1024 * 1024)]) })
  }
  const options = { folder: photos, as: undefined, again: false, listAll: false }

  async function run() {
    const context = await createContext(config, { clock: systemClock, log: noopLog })
    try {
      const lists = { admins: ['ada@okafor.example'], members: [] }
      const ada = { issuer: 'https://id.example', subject: 'ada', email: 'ada@okafor.example', name: 'Ada' }
      await context.db.transaction(tx => admit(context.db, systemClock, lists, tx, ada))
      return (await importTree(context, options, commandContext(config))).tally
    } finally {
      await context.close()
    }
  }
  await expect(run()).rejects.toSatisfy(isFullDisk)
  expect(await filesBelow(join(config.dataFolder, 'scratch'))).toEqual([])
  const kept = await filesBelow(join(config.dataFolder, 'files'))
  expect(kept.length).toBeLessThan(6)

  execFileSync('mount', ['-o', 'remount,size=40m', disk])
  expect(await run()).toMatchObject({ added: 6 - kept.length, alreadyThere: kept.length })
})

function mayMount(): boolean {
  return spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0
}
