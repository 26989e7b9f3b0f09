import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ExifTool } from 'exiftool-vendored'
import { afterAll, expect, test } from 'vitest'
import { clipMaker } from '../../../test/fixtures/clips.ts'
import { makePicture } from '../../../test/fixtures/pictures.ts'
import { makeHeic } from '../../../test/processing/heic.ts'
import {
  googleMotionPhoto,
  microVideo,
  samsungTrailer,
  withMpvdBox,
  withXmp,
} from '../../../test/processing/motion-photos.ts'
import { h264, PATIENCE, picture } from '../../../test/processing/video-clips.ts'
import { detectFormatOfBytes } from '../detect-format.ts'
import type { Format } from '../formats.ts'
import { findEmbeddedClip } from './embedded-clip.ts'

const folder = mkdtempSync(join(tmpdir(), 'heirloom-motion-'))
const exiftool = new ExifTool()
afterAll(async () => {
  await exiftool.end()
  rmSync(folder, { recursive: true })
})
const make = await clipMaker()
const clip = await make('clip.mp4', ...picture('160x120', 1), ...h264)
const quickTime = await make('clip.mov', ...picture('160x120', 1), ...h264)
const jpeg = await makePicture()
const heic = makeHeic()
let files = 0

function write(bytes: Buffer): string {
  const path = join(folder, `${files++}`)
  writeFileSync(path, bytes)
  return path
}

async function found(bytes: Buffer): Promise<Buffer | null> {
  const range = await findEmbeddedClip({ path: write(bytes), format: detectFormatOfBytes(bytes)?.format as Format })
  return range && bytes.subarray(range.offset, range.offset + range.length)
}

const gainMap = await makePicture({ width: 16, height: 12 })
const phones: [what: string, photo: Buffer, clip?: Buffer][] = [
  ['a MotionPhoto of Google', googleMotionPhoto(jpeg, clip)],
  ['a MotionPhoto whose XMP has elements', googleMotionPhoto(jpeg, clip, { asElements: true })],
  ['a MotionPhoto with a gain map', googleMotionPhoto(jpeg, clip, { between: gainMap })],
  ['a MotionPhoto with a QuickTime clip', googleMotionPhoto(jpeg, quickTime), quickTime],
  ['a MicroVideo of Google', microVideo(jpeg, clip)],
  ['a JPEG of Samsung', samsungTrailer(jpeg, clip)],
  ['a HEIC of Samsung with a trailer', samsungTrailer(heic, clip)],
  ['a HEIC of Samsung with a box and a trailer', samsungTrailer(withMpvdBox(heic, clip), Buffer.from('mpv2'))],
  ['a HEIC with a box', withMpvdBox(heic, clip)],
  ['a HEIC with an MP4 behind it', Buffer.concat([heic, clip])],
]

test.each(phones)('the clip of %s is found, byte for byte', async (_, photo, expected = clip) => {
  expect(await found(photo)).toEqual(expected)
})

test('what the tests call motion photos are such to exiftool too', { timeout: PATIENCE.testTimeout }, async () => {
  const embedded = (photo: Buffer, tag: string) => exiftool.extractBinaryTagToBuffer(tag as never, write(photo))
  expect(await embedded(samsungTrailer(jpeg, clip), 'EmbeddedVideoFile')).toEqual(clip)
  expect(await embedded(withMpvdBox(heic, clip), 'MotionPhotoVideo')).toEqual(clip)
  const tags = await exiftool.readRaw(write(googleMotionPhoto(jpeg, clip)), {
    readArgs: ['-MotionPhoto', '-Directory*'],
  })
  expect(tags).toMatchObject({ MotionPhoto: 1, DirectoryItemLength: [0, clip.length] })
  expect(await exiftool.readRaw(write(microVideo(jpeg, clip)))).toMatchObject({ MicroVideoOffset: clip.length })
})

test('bytes behind the clip do not become part of it', async () => {
  const trailing = Buffer.concat([clip, Buffer.alloc(100, 0xee)])
  expect(await found(googleMotionPhoto(jpeg, trailing))).toEqual(clip)
})

/** Random bytes of the same length as a clip. */
const noise = Buffer.from(clip.map((_, at) => (at * 2_654_435_761) >>> 24))
const headless = Buffer.from(clip)
headless.write('free', clip.indexOf('moov'))
const lying: [what: string, photo: Buffer][] = [
  ['a photo without a clip', jpeg],
  ['a HEIC without a clip', heic],
  ['XMP that says the clip is longer than the file', googleMotionPhoto(jpeg, clip, { length: 10 ** 9 })],
  ['XMP that says the clip is longer than it is', googleMotionPhoto(jpeg, clip, { length: clip.length + 1 })],
  ['XMP that says the clip is shorter than it is', googleMotionPhoto(jpeg, clip, { length: clip.length - 1 })],
  ['XMP without a length', googleMotionPhoto(jpeg, clip, { length: 0 })],
  ['XMP of a clip that was removed', googleMotionPhoto(jpeg, Buffer.alloc(0), { length: clip.length })],
  ['an offset before the file', microVideo(jpeg, clip, 10 ** 12)],
  ['an offset that is no number', microVideo(jpeg, clip, '-5e3')],
  ['an offset beyond all numbers', microVideo(jpeg, clip, '9'.repeat(30))],
  ['an offset to the photo itself', microVideo(jpeg, clip, microVideo(jpeg, clip, 10_000).length)],
  ['a clip of noise', googleMotionPhoto(jpeg, noise)],
  ['a clip that is a photo', googleMotionPhoto(jpeg, jpeg)],
  ['a clip that is a HEIC', googleMotionPhoto(jpeg, heic)],
  ['a clip without an index', googleMotionPhoto(jpeg, headless)],
  ['a clip that is cut off', withMpvdBox(heic, clip.subarray(0, clip.length / 2))],
  ['a box longer than the file', withMpvdBox(heic, clip, clip.length + 9)],
  ['a box shorter than its header', withMpvdBox(heic, clip, 3)],
  ['a trailer whose block begins before the file', samsungTrailer(jpeg, clip, { back: 2 ** 32 - 1 })],
  ['a trailer whose block overlaps its directory', samsungTrailer(jpeg, clip, { length: 2 ** 31 })],
  ['a trailer whose block is empty', samsungTrailer(jpeg, clip, { length: 24 })],
  ['a trailer whose directory is longer than the file', samsungTrailer(jpeg, clip, { directoryLength: 2 ** 32 - 1 })],
  ['a trailer whose directory is too short', samsungTrailer(jpeg, clip, { directoryLength: 4 })],
  ['a trailer and nothing else', Buffer.from('\xff\xd8\xff\xd9SEFT', 'latin1')],
]

test.each(lying)('%s gives no clip', async (_, photo) => {
  expect(await found(photo)).toBeNull()
})

test('a box of no length, and one of a length in 64 bits, end with the file', async () => {
  const [length, wide] = [Buffer.from(clip), Buffer.alloc(16)]
  length.writeUInt32BE(0, clip.indexOf('moov') - 4)
  expect((await found(withMpvdBox(heic, length)))?.length).toBe(clip.length)
  wide.writeUInt32BE(1)
  wide.write('mpvd', 4)
  wide.writeBigUInt64BE(BigInt(clip.length + 16), 8)
  expect(await found(Buffer.concat([heic, wide, clip]))).toEqual(clip)
  wide.writeBigUInt64BE(2n ** 64n - 1n, 8)
  expect(await found(Buffer.concat([heic, wide, clip]))).toBeNull()
})

test('of many claims only the first few are looked at', async () => {
  const behind = (claims: number) => {
    const noises = Array.from({ length: claims }, () => withMpvdBox(Buffer.alloc(0), Buffer.alloc(32)))
    return withMpvdBox(Buffer.concat([heic, ...noises]), clip)
  }
  expect(await found(behind(5))).toEqual(clip)
  expect(await found(behind(100))).toBeNull()
})

test('hostile XMP costs no time', async () => {
  const space = ' '.repeat(20_000)
  const xmp = `xmlns:G="http://ns.google.com/photos/1.0/camera/" G:MotionPhoto${space}${'<a:li '.repeat(5_000)}`
  const begun = process.threadCpuUsage()
  expect(await found(withXmp(jpeg, xmp))).toBeNull()
  const { user, system } = process.threadCpuUsage(begun)
  if (process.env.LONG) expect((user + system) / 1_000).toBeLessThan(2_000)
})
