import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { unzip } from '../../../test/fixtures/unzip.ts'
import { type ArchivedFile, archiveOf, createUniqueNames } from './archive.ts'

const noon = Date.UTC(2024, 5, 1, 12, 34, 56)

function fileOf(name: string, bytes: Buffer, file: Partial<ArchivedFile> = {}): ArchivedFile {
  return { name, size: bytes.length, wallClock: noon, open: async () => Readable.from([bytes]), ...file }
}

test('the extracted bytes are the original ones, and the length is as announced', async () => {
  const files = [fileOf('a.jpg', Buffer.from('first')), fileOf('Großmutter 東京 🎂.jpg', Buffer.alloc(100_000, 7))]
  const { stream, size } = archiveOf([...files, fileOf('empty.jpg', Buffer.alloc(0))])
  const archive = await buffer(stream)
  expect(archive.length).toBe(size)
  expect(unzip(archive)).toEqual([
    { name: 'a.jpg', bytes: Buffer.from('first'), modified: '2024-06-01T12:34:56' },
    { name: 'Großmutter 東京 🎂.jpg', bytes: Buffer.alloc(100_000, 7), modified: '2024-06-01T12:34:56' },
    { name: 'empty.jpg', bytes: Buffer.alloc(0), modified: '2024-06-01T12:34:56' },
  ])
})

test('photos from before there were archives are in it, as old as an archive can say', async () => {
  const { stream } = archiveOf([fileOf('1955.jpg', Buffer.from('x'), { wallClock: Date.UTC(1955, 3, 1) })])
  expect(unzip(await buffer(stream))).toMatchObject([{ modified: '1980-01-01T00:00:00' }])
})

// At about 700 files the central directory exceeds 64 KiB; from 65,535 files on it needs Zip64.
test.each([1, 100, 700, 3_000])('an archive of %i files is as long as was said', async count => {
  const files = Array.from({ length: count }, (_, i) => fileOf(`photo with a rather long name ${i}.jpg`, Buffer.of(i)))
  const { stream, size } = archiveOf(files)
  const archive = await buffer(stream)
  expect(archive.length).toBe(size)
  expect(unzip(archive)).toHaveLength(count)
})

test.runIf(process.env.LONG)(
  'an archive of 70,000 files has all of them',
  async () => {
    const files = Array.from({ length: 70_000 }, (_, i) => fileOf(`${i}.jpg`, Buffer.of(i)))
    const { stream, size } = archiveOf(files)
    const archive = await buffer(stream)
    expect(archive.length).toBe(size)
    expect(unzip(archive)).toHaveLength(70_000)
  },
  300_000,
)

test.each<[string, Partial<ArchivedFile>]>([
  ['is missing', { open: () => Promise.reject(new Error('There is no such file.')) }],
  ['is shorter than it was', { size: 9 }],
  ['is longer than it was', { size: 2 }],
  ['cannot be read to its end', { size: 9, open: async () => Readable.from(breaking()) }],
])('an archive of which a file %s ends in an error, not early', async (_, file) => {
  const whole = fileOf('whole.jpg', Buffer.from('whole'))
  const { stream } = archiveOf([whole, fileOf('broken.jpg', Buffer.from('broken'), file), whole])
  await expect(buffer(stream)).rejects.toThrow()
})

function* breaking() {
  yield Buffer.from('bro')
  throw new Error('The disk is gone.')
}

test('a file is opened when it is needed, and closed when the reader stops', async () => {
  const opened: Readable[] = []
  const endless = (name: string) =>
    fileOf(name, Buffer.alloc(0), {
      size: 1e12,
      open: async () => {
        const source = new Readable({ read: () => void source.push(Buffer.alloc(65_536)) })
        opened.push(source)
        return source
      },
    })
  const { stream } = archiveOf([endless('one.mp4'), endless('two.mp4')])
  for await (const chunk of stream) {
    if (chunk.length > 1_000) break
  }
  expect(stream.destroyed).toBe(true)
  await expect.poll(() => opened.map(source => source.destroyed)).toEqual([true])
})

const MEGABYTE = 1024 * 1024
const LARGE = (process.env.LONG ? 6 * 1024 : 64) * MEGABYTE

test(`a film of ${LARGE / MEGABYTE} MB is streamed with flat memory`, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'heirloom-zip-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const film = await open(join(folder, 'film.mp4'), 'w+')
  onTestFinished(() => film.close())
  await film.truncate(LARGE)
  const read = async () => film.createReadStream({ start: 0, autoClose: false, highWaterMark: 256 * 1024 })
  const small = fileOf('after.jpg', Buffer.from('after the film'))
  const { stream, size } = archiveOf([fileOf('film.mp4', Buffer.alloc(0), { size: LARGE, open: read }), small])
  let [bytes, most] = [0, 0]
  const before = process.memoryUsage().rss
  let end = Buffer.alloc(0)
  for await (const chunk of stream) {
    bytes += chunk.length
    most = Math.max(most, process.memoryUsage().rss - before)
    end = Buffer.concat([end, chunk]).subarray(-1_000)
  }
  expect(bytes).toBe(size)
  expect(size).toBeGreaterThan(LARGE)
  expect(end.includes('after the film')).toBe(true)
  if (process.env.LONG) expect(most).toBeLessThan(150 * MEGABYTE)
}, 600_000)

function named(...names: string[]): string[] {
  const nameFor = createUniqueNames()
  return names.map(name => nameFor(name))
}

test('equal names are kept apart', () => {
  expect(named('a.jpg', 'b.jpg', 'a.jpg', 'a.jpg')).toEqual(['a.jpg', 'b.jpg', 'a (2).jpg', 'a (3).jpg'])
})

test('a photo and its clip keep a name in common', () => {
  const nameFor = createUniqueNames()
  expect(nameFor('IMG_1.mov')).toBe('IMG_1.mov')
  expect(nameFor('IMG_1.HEIC', '.MOV')).toBe('IMG_1 (2).HEIC')
  expect(nameFor('IMG_1 (2).mov')).toBe('IMG_1 (2) (2).mov')
})

test('names that are one on most systems are equal', () => {
  expect(named('a.jpg', 'A.JPG', 'Zoe\u0308.jpg', 'Zo\u00eb.jpg')).toEqual([
    'a.jpg',
    'A (2).JPG',
    'Zoe\u0308.jpg',
    'Zo\u00eb (2).jpg',
  ])
})

test('a number that somebody gave already is passed over', () => {
  expect(named('a (2).jpg', 'a.jpg', 'a.jpg', 'a (2).jpg')).toEqual([
    'a (2).jpg',
    'a.jpg',
    'a (3).jpg',
    'a (2) (2).jpg',
  ])
})

test('no name is a path, a command to the reader or longer than a disk allows', () => {
  expect(named('../../etc/passwd', 'C:\\x.jpg', '..', '', ' ', '.jpg', 'a\u202egpj.exe', 'x\u0000\n.jpg')).toEqual([
    '.._.._etc_passwd',
    'C__x.jpg',
    'file',
    'file (2)',
    'file (3)',
    'file.jpg',
    'agpj.exe',
    'x.jpg',
  ])
  const [first = '', second = ''] = named(`${'東'.repeat(255)}.jpg`, `${'東'.repeat(255)}.jpg`)
  for (const name of [first, second]) {
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255)
    expect(name).toMatch(/^東+( \(2\))?\.jpg$/)
  }
  expect(second).not.toBe(first)
  expect(named('half \ud800.jpg')).toEqual(['half \ufffd.jpg'])
})

test('ten thousand files of one name get ten thousand names', () => {
  expect(new Set(named(...Array.from({ length: 10_000 }, () => 'photo.jpg'))).size).toBe(10_000)
})
