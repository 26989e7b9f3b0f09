import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { pack } from 'tar-stream'
import { expect, onTestFinished, test, vi } from 'vitest'
import { commandContext, emptyMachine, rowsOf, temporaryFolder } from '../../../test/cli-tools.ts'
import { makePicture } from '../../../test/fixtures/pictures.ts'
import { type ZipEntry, zipOf } from '../../../test/fixtures/zip-files.ts'
import { oneEngine, startLibrary } from '../../../test/library.ts'
import { noopLog } from '../../cli/command.ts'
import { importCommand } from '../../cli/import/command.ts'
import type { Config } from '../../config.ts'
import { createContext } from '../../context.ts'
import { systemClock } from '../../kit/clock.ts'
import { admit } from '../../people/public.ts'

vi.setConfig({ testTimeout: 120_000 })

const [grandma, rome, edited, lost] = await Promise.all([1, 2, 3, 4].map(number => makePicture({ number })))

function sidecar(title: string, timestamp: number, more: object = {}): Buffer {
  const nowhere = { latitude: 0, longitude: 0 }
  return Buffer.from(
    JSON.stringify({
      ...{ title, photoTakenTime: { timestamp: `${timestamp}` }, creationTime: { timestamp: '1700000000' } },
      ...{ geoData: nowhere, geoDataExif: nowhere, ...more },
    }),
  )
}

const MAY_2019 = Date.UTC(2019, 4, 12, 10, 11, 12) / 1000
const facts = { favorited: true, description: 'Grandma\nin the garden', people: [{ name: 'Rose' }] }
const album = {
  title: 'Rom 2019',
  description: 'Ostern',
  enrichments: [{ narrativeEnrichment: { text: 'Erster Tag' } }],
}

/** As Google writes it for somebody who reads German. */
const files: Record<string, Buffer> = {
  'Photos from 1965/IMG_1.jpg': grandma as Buffer,
  'Photos from 1965/IMG_1.jpg.json': sidecar('IMG_1.jpg', -150_000_000, facts),
  'Photos from 2019/Müller.jpg': rome as Buffer,
  'Photos from 2019/Müller.jpg.supplemental-metadata.json': sidecar('Müller.jpg', MAY_2019, { archived: true }),
  'Photos from 2019/Müller-bearbeitet.jpg': edited as Buffer,
  'Photos from 2019/lost.jpg': lost as Buffer,
  'Rom/Metadaten.json': Buffer.from(JSON.stringify(album)),
  'Rom/Müller.jpg': rome as Buffer,
  'Rom/Müller.jpg.supplemental-metadata.json': sidecar('Müller.jpg', MAY_2019, { archived: true }),
  'Rom/broken.json': Buffer.from('{'),
}
const inTakeout = Object.entries(files).map(([name, bytes]) => ({ name: `Takeout/Google Fotos/${name}`, bytes }))

async function tgzOf(entries: readonly { name: string; bytes: Buffer }[]): Promise<Buffer> {
  const archive = pack()
  for (const { name, bytes } of entries) archive.entry({ name, mtime: new Date(0) }, bytes)
  archive.finalize()
  return gzipSync(Buffer.concat(await Array.fromAsync(archive as AsyncIterable<Buffer>)))
}

async function newMachine(): Promise<Config> {
  const config = await emptyMachine(oneEngine[0] ?? 'sqlite')
  const context = await createContext(config, { clock: systemClock, log: noopLog })
  const lists = { admins: ['ada@okafor.example'], members: [] }
  const ada = { issuer: 'https://id.example', subject: 'ada', email: 'ada@okafor.example', name: 'Ada' }
  await context.db.transaction(tx => admit(context.db, systemClock, lists, tx, ada))
  await context.close()
  return config
}

async function run(config: Config, ...args: string[]): Promise<string> {
  const call = { ...commandContext(config), args, cwd: '/' }
  await importCommand.run(call)
  return call.output.join('')
}

async function write(name: string, bytes: Buffer): Promise<string> {
  const path = join(await temporaryFolder(), name)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, bytes)
  return path
}

async function expectAll(config: Config, output: string): Promise<void> {
  expect(output).toContain('4 files added')
  expect(output).toMatch(/1 imported without metadata.*lost\.jpg/s)
  expect(output).toMatch(/1 broken metadata files.*broken\.json/s)
  const rows = (query: string) => rowsOf(config, query)
  expect(await rows('select original_name from media order by 1')).toHaveLength(4)
  expect(await rows('select title, description from albums')).toEqual([
    { title: 'Rom 2019', description: 'Ostern\n\nErster Tag' },
  ])
  expect(await rows('select media_id from album_files')).toHaveLength(1)
  expect(await rows('select name from imported_names')).toEqual([{ name: 'Rose' }])
  const dated = await rows(
    `select original_name, date_edtf from media where original_name in ('IMG_1.jpg', 'Müller.jpg') order by 1`,
  )
  expect(dated.map(row => row.date_edtf)).toEqual(['1965-03-31T21:20:00', '2019-05-12T10:11:12'])
  const hearted = await rows('select original_name from hearts join media on media.id = media_id')
  expect(hearted).toEqual([{ original_name: 'IMG_1.jpg' }])
  const tagged = await rows('select original_name from media_tags join media on media.id = media_id order by 1')
  expect(tagged.map(row => row.original_name)).toEqual(['Müller-bearbeitet.jpg', 'Müller.jpg'])
  expect(await rows('select media_id from edited_versions')).toHaveLength(1)
}

test('a Takeout in several ZIP files is imported as one, and again without doubling, and undone', async () => {
  const config = await newMachine()
  const isJson = ({ name }: ZipEntry) => `${name}`.endsWith('.json')
  const parts = [
    await write('takeout-001.zip', zipOf(inTakeout.filter(entry => !isJson(entry)))),
    await write('takeout-002.zip', zipOf(inTakeout.filter(isJson))),
  ]
  await expectAll(config, await run(config, 'takeout', ...parts))
  expect(await run(config, 'takeout', ...parts)).toMatch(/^0 files added|\n0 files added/)
  expect(await rowsOf(config, 'select id from media')).toHaveLength(4)
  const [first] = await rowsOf(config, 'select min(id) as id from imports')
  expect(await run(config, 'undo', `${first?.id}`)).toContain('is undone')
  expect(await rowsOf(config, 'select id from media where deleted_at is null')).toEqual([])
  expect(await rowsOf(config, 'select id from albums where deleted_at is null')).toEqual([])
})

test('a Takeout is read unpacked, and from a .tgz', async () => {
  const folder = await temporaryFolder()
  for (const { name, bytes } of inTakeout) {
    await mkdir(join(folder, dirname(name)), { recursive: true })
    await writeFile(join(folder, name), bytes)
  }
  const unpacked = await newMachine()
  await expectAll(unpacked, await run(unpacked, 'takeout', folder))
  const packed = await newMachine()
  await expectAll(packed, await run(packed, 'takeout', await write('takeout.tgz', await tgzOf(inTakeout.toReversed()))))
})

test('while the server is running, it does the work', async () => {
  const library = await startLibrary()
  onTestFinished(library.close)
  await library.admin()
  const output = await run(library.config, 'takeout', await write('takeout.zip', zipOf(inTakeout)))
  expect(output).toContain('4 files added')
  expect(await rowsOf(library.config, 'select state from imports')).toEqual([{ state: 'done' }])
})

test('hostile archives are refused or left out with a sentence', async () => {
  const config = await newMachine()
  const good = { name: 'Takeout/Google Photos/A/ok.jpg', bytes: grandma as Buffer }
  const bytes = rome as Buffer
  const hostile: ZipEntry[] = [
    good,
    { name: 'Takeout/Google Photos/A/ok.jpg.json', bytes: sidecar('ok.jpg', MAY_2019) },
    ...['../../escaped.jpg', '/etc/absolute.jpg', 'C:\\windows.jpg', 'a\\..\\b.jpg'].map(name => ({ name, bytes })),
    { name: 'Takeout/Google Photos/A/link.jpg', bytes: Buffer.from('/etc/passwd'), mode: 0o120777 },
    { name: 'Takeout/Google Photos/A/secret.jpg', bytes, flags: 1, size: bytes.length },
    { name: 'Takeout/Google Photos/A/damaged.jpg', bytes, crc: 1 },
    { name: 'Takeout/Google Photos/A/overlap.jpg', bytes: grandma as Buffer, offset: 0 },
  ]
  const output = await run(config, 'takeout', await write('hostile.zip', zipOf(hostile)))
  expect(output).toMatch(/4 left out: their names lead out of the archive/)
  expect(output).toMatch(/1 left out: links/)
  expect(output).toMatch(/1 left out: encrypted/)
  expect(output).toMatch(/1 could not be read.*checksum/s)
  expect(output).toMatch(/left out: damaged in the archive/)
  const truncated = zipOf(hostile).subarray(0, -40)
  await expect(run(config, 'takeout', await write('cut.zip', truncated))).rejects.toThrow('Download it again')
  await expect(run(config, 'takeout', await write('no.zip', Buffer.from('PK?')))).rejects.toThrow(
    'neither a folder nor',
  )
})
