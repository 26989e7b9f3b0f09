import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { unzip } from '../../../test/fixtures/unzip.ts'
import { startProgram } from '../../../test/program.ts'
import { openScratch } from '../../kit/safe-path.ts'
import { type Archive, openArchive } from './archive.ts'
import type { ZipEntry } from './zip-format.ts'

const noon = Date.UTC(2024, 5, 1, 12, 34, 56)

interface TestFile extends ZipEntry {
  open(): Promise<Readable>
}

function fileOf(name: string, bytes: Buffer, file: Partial<TestFile> = {}): TestFile {
  return { name, size: bytes.length, wallClock: noon, open: async () => Readable.from([bytes]), ...file }
}

async function archiveOf(files: readonly TestFile[]): Promise<Archive> {
  const folder = await mkdtemp(join(tmpdir(), 'heirloom-zip-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  async function* listed() {
    yield files.map(({ name, size, wallClock }, source) => ({ name, size, wallClock, source }))
  }
  const fileAt = (source: number) => {
    const file = files[source]
    if (!file) throw new Error(`There is no file ${source}`)
    return file
  }
  return openArchive(await openScratch(folder), listed(), source => fileAt(source).open())
}

test('the extracted bytes are the original ones, and the length is as announced', async () => {
  const files = [fileOf('a.jpg', Buffer.from('first')), fileOf('Großmutter 東京 🎂.jpg', Buffer.alloc(100_000, 7))]
  const { stream, size } = await archiveOf([...files, fileOf('empty.jpg', Buffer.alloc(0))])
  const archive = await buffer(stream)
  expect(archive.length).toBe(size)
  expect(unzip(archive)).toEqual([
    { name: 'a.jpg', bytes: Buffer.from('first'), modified: '2024-06-01T12:34:56' },
    { name: 'Großmutter 東京 🎂.jpg', bytes: Buffer.alloc(100_000, 7), modified: '2024-06-01T12:34:56' },
    { name: 'empty.jpg', bytes: Buffer.alloc(0), modified: '2024-06-01T12:34:56' },
  ])
})

test('photos from before there were archives are in it, as old as an archive can say', async () => {
  const { stream } = await archiveOf([fileOf('1955.jpg', Buffer.from('x'), { wallClock: Date.UTC(1955, 3, 1) })])
  expect(unzip(await buffer(stream))).toMatchObject([{ modified: '1980-01-01T00:00:00' }])
})

// At about 700 files the central directory exceeds 64 KiB; from 65,535 files on it needs Zip64.
test.each([1, 100, 700, 3_000])('an archive of %i files is as long as was said', async count => {
  const files = Array.from({ length: count }, (_, i) => fileOf(`photo with a rather long name ${i}.jpg`, Buffer.of(i)))
  const { stream, size } = await archiveOf(files)
  const archive = await buffer(stream)
  expect(archive.length).toBe(size)
  expect(unzip(archive)).toHaveLength(count)
})

test.runIf(process.env.LONG)(
  'an archive of 70,000 files has all of them',
  async () => {
    const files = Array.from({ length: 70_000 }, (_, i) => fileOf(`${i}.jpg`, Buffer.of(i)))
    const { stream, size } = await archiveOf(files)
    const archive = await buffer(stream)
    expect(archive.length).toBe(size)
    expect(unzip(archive)).toHaveLength(70_000)
  },
  300_000,
)

test.each<[string, Partial<TestFile>]>([
  ['is missing', { open: () => Promise.reject(new Error('There is no such file.')) }],
  ['is shorter than it was', { size: 9 }],
  ['is longer than it was', { size: 2 }],
  ['cannot be read to its end', { size: 9, open: async () => Readable.from(breaking()) }],
])('an archive of which a file %s ends in an error, not early', async (_, file) => {
  const whole = fileOf('whole.jpg', Buffer.from('whole'))
  const { stream } = await archiveOf([whole, fileOf('broken.jpg', Buffer.from('broken'), file), whole])
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
  const { stream } = await archiveOf([endless('one.mp4'), endless('two.mp4')])
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
  const { stream, size } = await archiveOf([fileOf('film.mp4', Buffer.alloc(0), { size: LARGE, open: read }), small])
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

const [ARCHIVES, FILES] = process.env.LONG ? [32, 100_000] : [4, 50_000]

test(`${ARCHIVES} open archives of ${FILES} files that nobody reads take little memory`, async () => {
  const program = startProgram('open-archives', String(ARCHIVES), String(FILES))
  expect(Number(await program.line())).toBeLessThan((process.env.LONG ? 150 : 60) * MEGABYTE)
}, 600_000)
