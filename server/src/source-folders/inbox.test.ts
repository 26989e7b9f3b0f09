import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, readFile, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { sourceFolders } from '#contract/source-folders.ts'
import { emptyMachine, everyFile, rowsOf, temporaryFolder } from '../../test/cli-tools.ts'
import { makePicture } from '../../test/fixtures/pictures.ts'
import { filesBelow } from '../../test/fixtures/remains.ts'
import { oneEngine, startLibrary } from '../../test/library.ts'
import { noopLog } from '../cli/command.ts'
import { type Config, readConfig } from '../config.ts'
import { type AppContext, createContext } from '../context.ts'
import { listFolders } from '../folders/folders.ts'
import { systemClock } from '../kit/clock.ts'
import { deleteFiles } from '../media/edit.ts'
import { admit } from '../people/public.ts'
import { createInbox } from './inbox.ts'
import { findReport } from './reports.sql.ts'

vi.setConfig({ testTimeout: 60_000 })

const MINUTE = 60_000

async function lay(folder: string, files: Record<string, Uint8Array | string>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(join(folder, dirname(path)), { recursive: true })
    await writeFile(join(folder, path), content)
  }
}

const people = { admins: ['ada@okafor.example'], members: ['ben@okafor.example'] }

async function admitPeople({ db }: AppContext): Promise<void> {
  for (const subject of ['ada', 'ben']) {
    const identity = { issuer: 'https://id.example', subject, email: `${subject}@okafor.example`, name: subject }
    await db.transaction(tx => admit(db, systemClock, people, tx, identity))
  }
}

describe.each(oneEngine)('the inbox folder (%s)', engine => {
  let config: Config
  let inbox: string
  let context: AppContext
  let now: number

  beforeEach(async () => {
    inbox = await temporaryFolder()
    config = { ...(await emptyMachine(engine)), inboxFolder: inbox }
    now = Date.now()
    context = await createContext(config, { clock: () => now, log: noopLog })
    onTestFinished(() => context.close())
    await admitPeople(context)
  })

  /** Polls until everything has been complete for a minute. */
  async function settle(poll = createInbox(context, inbox)): Promise<void> {
    for (let round = 0; round < 3; round++) {
      await poll(new AbortController().signal)
      now += MINUTE
    }
  }

  const media = () => rowsOf(config, 'select * from media order by original_name')
  const report = async () => JSON.parse((await findReport(context.db.query, inbox))?.report ?? 'null')

  test('stores what is complete with its folders, byte for byte, and moves it to done', async () => {
    const picture = await makePicture()
    await lay(inbox, { 'top.jpg': await makePicture(), 'Italy/Rome/forum.jpg': picture })
    await settle()
    expect((await media()).map(row => row.original_name)).toEqual(['forum.jpg', 'top.jpg'])
    expect((await listFolders(context.db.query)).map(({ path }) => path)).toEqual(['Italy', 'Italy / Rome'])
    expect(await filesBelow(inbox)).toEqual(['done/Italy/Rome/forum.jpg', 'done/top.jpg'])
    expect(await readFile(join(inbox, 'done/Italy/Rome/forum.jpg'))).toEqual(picture)
    expect([...(await everyFile(config)).values()].some(bytes => bytes.equals(picture))).toBe(true)
    expect(await rowsOf(config, `select id from jobs where name = 'media.prepare'`)).toHaveLength(2)
    expect(await report()).toEqual({ state: 'ready', problem: null, waiting: 0, failures: [] })
  })

  test('waits until size and time have not changed for a minute', async () => {
    const poll = createInbox(context, inbox)
    const picture = await makePicture()
    await lay(inbox, { 'slow.jpg': picture.subarray(0, 100) })
    const old = new Date('2003-05-06T07:08:09Z')
    await utimes(join(inbox, 'slow.jpg'), old, old)
    await poll(new AbortController().signal)
    now += MINUTE - 1
    await poll(new AbortController().signal)
    await writeFile(join(inbox, 'slow.jpg'), picture)
    now += 1
    await poll(new AbortController().signal)
    now += MINUTE - 1
    await poll(new AbortController().signal)
    expect(await media()).toEqual([])
    expect(await report()).toMatchObject({ waiting: 1 })
    now += 1
    await poll(new AbortController().signal)
    expect(await media()).toMatchObject([{ file_size: picture.length }])
  })

  test('stores bytes that the library has only once, and two of one name beside each other', async () => {
    const picture = await makePicture()
    await lay(inbox, { 'one.jpg': picture, 'two.jpg': picture })
    await settle()
    await lay(inbox, { 'one.jpg': await makePicture() })
    await settle()
    expect(await media()).toHaveLength(2)
    expect(await filesBelow(inbox)).toEqual(['done/one (2).jpg', 'done/one.jpg', 'done/two.jpg'])
  })

  test('brings back a file that somebody deleted, as an upload does', async () => {
    const picture = await makePicture()
    await lay(inbox, { 'one.jpg': picture })
    await settle()
    const [file] = await media()
    await deleteFiles(context, 1, { fileIds: [Number(file?.id)] })
    await lay(inbox, { 'again.jpg': picture })
    await settle()
    expect(await media()).toMatchObject([{ id: file?.id, deleted_at: null }])
  })

  test('takes the sidecar with its photo', async () => {
    const keywords = `<dc:subject><rdf:Bag><rdf:li>Beach</rdf:li></rdf:Bag></dc:subject>`
    const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/">${keywords}</rdf:Description></rdf:RDF></x:xmpmeta>`
    await lay(inbox, { 'sea.jpg': await makePicture(), 'sea.jpg.xmp': xmp })
    await settle()
    expect(await rowsOf(config, 'select name from tags')).toEqual([{ name: 'Beach' }])
    expect(await rowsOf(config, `select kind from media_parts order by kind`)).toMatchObject([
      { kind: 'original' },
      { kind: 'sidecar' },
    ])
    expect(await filesBelow(inbox)).toEqual(['done/sea.jpg', 'done/sea.jpg.xmp'])
  })

  test('sets aside what it cannot store, with the reason beside it, and lists it until somebody removes it', async () => {
    const elsewhere = await temporaryFolder()
    await lay(elsewhere, { 'private.jpg': await makePicture() })
    await symlink(join(elsewhere, 'private.jpg'), join(inbox, 'link.jpg'))
    await symlink(elsewhere, join(inbox, 'linked folder'))
    await lay(inbox, { 'letter.jpg': 'Dear Rose', 'tax/2019.pdf': '%PDF-1.7', '.DS_Store': 'x' })
    await settle()
    expect(await media()).toEqual([])
    const { failures } = await report()
    expect(failures.map(({ name, reason }: { name: string; reason: string }) => [name, reason]).sort()).toEqual([
      ['letter.jpg', 'not_media'],
      ['link.jpg', 'link'],
      ['linked folder', 'link'],
      ['tax/2019.pdf', 'not_media'],
    ])
    expect(await readFile(join(inbox, 'failed/tax/2019.pdf.txt'), 'utf8')).toBe(
      'This is neither a photo nor a video that Heirloom knows.\n',
    )
    expect(await filesBelow(elsewhere)).toEqual(['private.jpg'])
    await rm(join(inbox, 'failed/letter.jpg'))
    await settle()
    expect((await report()).failures).toHaveLength(3)
  })

  test('overwrites nothing beside what it sets aside, and follows no link that somebody has put there', async () => {
    const elsewhere = await temporaryFolder()
    await lay(elsewhere, { 'library.db': 'all photos' })
    await lay(inbox, { 'letter.jpg': 'Dear Rose', 'card.jpg': 'Dear Joe', 'failed/card.jpg.txt': 'Of the scanner' })
    await symlink(join(elsewhere, 'library.db'), join(inbox, 'failed/letter.jpg.txt'))
    await settle()
    expect(await readFile(join(elsewhere, 'library.db'), 'utf8')).toBe('all photos')
    expect(await readFile(join(inbox, 'failed/card.jpg.txt'), 'utf8')).toBe('Of the scanner')
    expect(await readFile(join(inbox, 'failed/letter (2).jpg.txt'), 'utf8')).toContain('neither a photo nor a video')
  })

  test.skipIf(process.getuid?.() === 0)('sets aside a file that it may not read', async () => {
    await lay(inbox, { 'closed.jpg': await makePicture(), 'open.jpg': await makePicture() })
    await chmod(join(inbox, 'closed.jpg'), 0)
    await settle()
    expect(await media()).toHaveLength(1)
    expect((await report()).failures).toMatchObject([{ name: 'closed.jpg', reason: 'unreadable' }])
  })

  test('does not follow a folder that was exchanged for a link after it was listed', async () => {
    const elsewhere = await temporaryFolder()
    const picture = await makePicture()
    await lay(elsewhere, { 'a.jpg': picture })
    await lay(inbox, { 'trip/a.jpg': picture })
    const poll = createInbox(context, inbox)
    await poll(new AbortController().signal)
    await rename(join(inbox, 'trip'), join(await temporaryFolder(), 'trip'))
    await symlink(elsewhere, join(inbox, 'trip'))
    now += MINUTE
    await settle(poll)
    expect(await media()).toEqual([])
    expect(await filesBelow(elsewhere)).toEqual(['a.jpg'])
  })

  test('says that the folder is not there, and goes on when it is', async () => {
    const poll = createInbox(context, inbox)
    await rm(inbox, { recursive: true })
    await settle(poll)
    expect(await report()).toMatchObject({ state: 'absent' })
    await lay(inbox, { 'one.jpg': await makePicture() })
    await settle(poll)
    expect(await report()).toMatchObject({ state: 'ready' })
    expect(await media()).toHaveLength(1)
  })

  test('leaves everything where it is when nothing can be moved', async () => {
    await lay(inbox, { 'one.jpg': await makePicture(), done: 'a file in the place of the folder' })
    await settle()
    expect(await report()).toMatchObject({ state: 'failing' })
    expect(await filesBelow(inbox)).toEqual(['done', 'one.jpg'])
    await rm(join(inbox, 'done'))
    await settle()
    expect(await media()).toHaveLength(1)
    expect(await filesBelow(inbox)).toEqual(['done/one.jpg'])
  })

  test('gives the files to the configured person, or to nobody', async () => {
    await lay(inbox, { 'one.jpg': await makePicture() })
    const of = (foldersOwner: string) => ({ ...context, config: { ...config, foldersOwner } })
    await settle(createInbox(of('nobody@okafor.example'), inbox))
    expect(await report()).toMatchObject({ state: 'no_owner' })
    await settle(createInbox(of('ben@okafor.example'), inbox))
    const [ben] = await rowsOf(config, `select id from people where email = 'ben@okafor.example'`)
    expect(await media()).toMatchObject([{ uploaded_by: ben?.id }])
  })
})

test('killed at any moment, the inbox loses nothing and doubles nothing', { timeout: 180_000 }, async () => {
  const [inbox, folder] = [await temporaryFolder(), await temporaryFolder()]
  const settings = { DATA_DIR: join(folder, 'data'), INBOX_DIR: inbox, HOME_TIMEZONE: 'UTC', PATH: process.env.PATH }
  const config = readConfig(settings)
  const context = await createContext(config, { clock: systemClock, log: noopLog })
  await admitPeople(context)
  await context.close()
  const files: Record<string, Uint8Array> = {}
  for (let number = 0; number < 24; number++) files[`${number % 4}/${number}.jpg`] = await makePicture()
  await lay(inbox, files)
  const done = async () => (await filesBelow(inbox)).filter(path => path.startsWith('done/')).length
  const program = fileURLToPath(new URL('../../test/programs/poll-inbox.ts', import.meta.url))
  for (let kills = 0; (await done()) < 24; kills++) {
    const child = spawn(process.execPath, [program, JSON.stringify(settings)], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    const before = await done()
    const wanted = kills < 3 ? before + 2 : 24
    await expect.poll(done, { timeout: 120_000, interval: 5 }).toBeGreaterThanOrEqual(wanted)
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  const rows = await rowsOf(config, 'select original_name from media')
  expect(rows.map(row => row.original_name).sort()).toEqual(
    Object.keys(files)
      .map(path => path.slice(2))
      .sort(),
  )
  const last = await createContext(config, { clock: systemClock, log: noopLog })
  await last.close()
  const stored = [...(await everyFile(config)).values()].map(bytes => bytes.toString('base64')).sort()
  expect(stored).toEqual(
    Object.values(files)
      .map(bytes => Buffer.from(bytes).toString('base64'))
      .sort(),
  )
})

test('the server polls the inbox by itself, and shows admins how it is doing', async () => {
  const inbox = await temporaryFolder()
  const library = await startLibrary({ environment: { INBOX_DIR: inbox } })
  onTestFinished(library.close)
  const ada = await library.admin()
  await lay(inbox, { 'one.jpg': await makePicture(), 'letter.txt': 'Dear Rose' })
  const arrived = async () => {
    library.pass(30_000)
    return filesBelow(inbox)
  }
  const moved = ['done/one.jpg', 'failed/letter.txt', 'failed/letter.txt.txt']
  await expect.poll(arrived, { timeout: 40_000, interval: 1_000 }).toEqual(moved)
  const read = async () => (await ada.call(sourceFolders)).inbox
  await expect.poll(read, { timeout: 20_000 }).toMatchObject({
    folder: inbox,
    state: 'ready',
    failures: [{ name: 'letter.txt', reason: 'not_media' }],
  })
})

test.each([
  ['is the data folder', (data: string) => data],
  ['is in the data folder', (data: string) => join(data, 'inbox')],
  ['contains the data folder', (data: string) => dirname(data)],
  ['is the whole disk', () => '/'],
])('an inbox folder that %s is refused at start, with a sentence', async (_case, folderOf) => {
  const config = await emptyMachine('sqlite')
  await mkdir(config.dataFolder, { recursive: true })
  const start = createContext(
    { ...config, inboxFolder: folderOf(config.dataFolder) },
    { clock: systemClock, log: noopLog },
  )
  await expect(start).rejects.toThrow(/^INBOX_DIR .*(overlap|the whole disk)/)
})

test('an inbox folder that leads into the data folder by a link is refused too', async () => {
  const config = await emptyMachine('sqlite')
  await mkdir(config.dataFolder, { recursive: true })
  const link = join(await temporaryFolder(), 'inbox')
  await symlink(config.dataFolder, link)
  const start = createContext({ ...config, inboxFolder: link }, { clock: systemClock, log: noopLog })
  await expect(start).rejects.toThrow('overlap')
})
