import { expect, test, vi } from 'vitest'
import { clipMaker } from '../../../../test/fixtures/clips.ts'
import { makePicture } from '../../../../test/fixtures/pictures.ts'
import { makeDng } from '../../../../test/processing/dng.ts'
import { box, fullBox, makeHeic, uint16, uint32 } from '../../../../test/processing/heic.ts'
import { makeHeicGrid } from '../../../../test/processing/heic-grid.ts'
import { writeWithMagick } from '../../../../test/processing/magick.ts'
import {
  googleMotionPhoto,
  microVideo,
  samsungTrailer,
  withMpvdBox,
} from '../../../../test/processing/motion-photos.ts'
import { drawPhoto, makeCrw, makeRaf } from '../../../../test/processing/pictures.ts'
import { makeMrw, makeRw2, makeTiffRaw, makeX3f, noise } from '../../../../test/processing/raw-files.ts'
import { h264AndAac, PATIENCE, picture, sound } from '../../../../test/processing/video-clips.ts'
import { detectFormatOfBytes } from '../../detect-format.ts'
import type { Format } from '../../formats.ts'
import { windowOver } from '../file-window.ts'
import { findMissingEndIn } from './find-missing-end.ts'

vi.setConfig(PATIENCE)
const make = await clipMaker()
const film = (name: string, ...args: string[]) => make(name, ...picture('320x240', 2), ...sound(2), ...args)
const photo = await drawPhoto(320, 240)
const png = await photo.clone().png().toBuffer()
const jpeg = await photo.clone().jpeg().toBuffer()
const clip = await make('clip.mp4', ...picture('160x120', 1), ...h264AndAac)
const heic = makeHeic()
const tile = await make('tile.hevc', ...picture('128x128', 1), '-frames:v', '1', '-c:v', 'libx265')
const grid = makeHeicGrid(tile, { columns: 4, rows: 3, tile: { width: 128, height: 128 } })

/** Reads as the product does, and counts the reads. */
async function check(bytes: Buffer, format: Format | undefined = detectFormatOfBytes(bytes)?.format) {
  let reads = 0
  const window = windowOver(async (buffer, offset) => {
    reads++
    return bytes.copy(buffer, 0, Math.min(offset, bytes.length))
  })
  if (!format) throw new Error('This is neither a photo nor a video')
  return { missing: await findMissingEndIn(window, bytes.length, format), reads }
}

const files: [what: string, bytes: Buffer][] = [
  ['JPEG', jpeg],
  ['progressive JPEG', await photo.clone().jpeg({ progressive: true }).toBuffer()],
  ['PNG', png],
  ['WebP', await photo.clone().webp().toBuffer()],
  ['GIF', await photo.clone().gif().toBuffer()],
  ['AVIF', await photo.clone().avif({ effort: 0 }).toBuffer()],
  ['HEIC', heic],
  ['HEIC of tiles', grid],
  ['TIFF', await photo.clone().tiff({ compression: 'lzw' }).toBuffer()],
  ['TIFF of tiles', await photo.clone().tiff({ tile: true, tileWidth: 64, tileHeight: 64 }).toBuffer()],
  ['BigTIFF', await photo.clone().tiff({ bigtiff: true }).toBuffer()],
  ['JPEG XL in a container', jpegXlContainer(await writeWithMagick(png, 'jxl'))],
  ['JPEG 2000', await writeWithMagick(png, 'jp2')],
  ['JPEG 2000 codestream', await writeWithMagick(png, 'j2k')],
  ['BMP', await writeWithMagick(png, 'bmp')],
  ['Photoshop file', await writeWithMagick(png, 'psd')],
  ['DNG', makeDng(64, 48)],
  ['NEF with the pixels in a subdirectory', makeTiffRaw(noise(4_000), noise(500))],
  ['ORF', makeTiffRaw(noise(4_000), noise(500), 'IIRO')],
  ['RW2', makeRw2(100, 60)],
  ['CRW', makeCrw(jpeg, jpeg.subarray(0, 1_000))],
  ['RAF', makeRaf(jpeg)],
  ['X3F', makeX3f(noise(2_000))],
  ['MRW', makeMrw(60, 40)],
  ['MP4', await film('late.mp4', ...h264AndAac)],
  ['MP4 for streaming', await film('fast.mp4', ...h264AndAac, '-movflags', '+faststart')],
  ['MP4 with an edit list', await film('edits.mp4', ...h264AndAac, '-ss', '0.5')],
  ['fragmented MP4', await film('parts.mp4', ...h264AndAac, '-movflags', 'frag_keyframe+empty_moov')],
  ['MP4 with an index of its segments', await film('index.mp4', ...h264AndAac, '-movflags', 'dash+global_sidx')],
  ['MOV with PCM sound', await film('pcm.mov', '-c:v', 'mpeg4', '-c:a', 'pcm_s16le')],
  ['CR3', asCr3(await film('raw.mp4', ...h264AndAac, '-movflags', '+faststart'))],
  ['3GP', await film('old.3gp', ...h264AndAac)],
  ['MKV', await film('film.mkv', ...h264AndAac)],
  ['MKV of a recorder that did not know its length', await film('live.mkv', ...h264AndAac, '-live', '1')],
  ['WebM', await film('film.webm', '-c:v', 'libvpx', '-c:a', 'libopus')],
  ['AVI', await film('film.avi', '-c:v', 'mpeg4', '-c:a', 'mp2')],
  ['WMV', await film('film.wmv')],
  ['Ogg', await film('film.ogv', '-c:v', 'libtheora', '-c:a', 'libvorbis')],
]

test.each(files)('a whole %s is whole, and each cut is found', async (_, whole) => {
  const format = formatOf(whole)
  expect(await check(whole, format)).toMatchObject({ missing: undefined })
  const lengths = [0.1, 0.3, 0.5, 0.7, 0.9, 0.99].map(share => Math.floor(whole.length * share))
  for (const length of [...lengths, whole.length - 1]) {
    const { missing } = await check(whole.subarray(0, length), format)
    expect(missing, `cut to ${length} of ${whole.length} bytes`).toBeDefined()
    const promised = missing?.expectedSize ?? whole.length
    expect(promised, `cut to ${length} bytes`).toBeGreaterThan(length)
    expect(promised, `cut to ${length} bytes`).toBeLessThanOrEqual(whole.length)
  }
})

test('the promised length of a cut photo or video is that of the whole one', async () => {
  for (const whole of [heic, grid, await photo.clone().avif({ effort: 0 }).toBuffer(), makeDng(64, 48)]) {
    expect((await check(whole.subarray(0, whole.length * 0.9))).missing).toEqual({ expectedSize: whole.length })
  }
})

const gainMap = await makePicture({ width: 16, height: 12 })
const motionPhotos: [what: string, bytes: Buffer][] = [
  ["Google's MotionPhoto", googleMotionPhoto(jpeg, clip)],
  ["Google's MotionPhoto with a gain map", googleMotionPhoto(jpeg, clip, { between: gainMap })],
  ["Google's MicroVideo", microVideo(jpeg, clip)],
  ["Samsung's JPEG", samsungTrailer(jpeg, clip)],
  ["Samsung's HEIC", samsungTrailer(heic, clip)],
  ['a HEIC with its clip in a box', withMpvdBox(heic, clip)],
  ['a HEIC with a clip behind it', Buffer.concat([heic, clip])],
]

test.each(motionPhotos)('%s whose clip is cut off says so', async (_, whole) => {
  expect((await check(whole)).missing).toBeUndefined()
  for (const lost of [1, 100, clip.length / 2, clip.length - 200]) {
    expect((await check(whole.subarray(0, whole.length - lost))).missing, `without ${lost} bytes`).toBeDefined()
  }
})

const [moovAt, mdatAt] = [clip.indexOf('moov') - 4, clip.indexOf('mdat') - 4]
const streaming = await film('open.mp4', ...h264AndAac, '-movflags', '+faststart')

const soundFiles: [what: string, bytes: Buffer][] = [
  ['a JPEG with bytes behind it', Buffer.concat([jpeg, Buffer.alloc(5_000, 7)])],
  ['a JPEG filled up with zeros', Buffer.concat([jpeg, Buffer.alloc(5_000)])],
  ['a JPEG with a second one behind it', Buffer.concat([jpeg, gainMap])],
  ['a JPEG that describes a clip which a program has removed', googleMotionPhoto(jpeg, clip).subarray(0, -clip.length)],
  ['a JPEG whose index lists a picture that was removed', withPictureIndex(jpeg, 5_000)],
  ['a PNG with bytes behind it', Buffer.concat([png, Buffer.alloc(500, 7)])],
  ['a GIF with bytes behind it', Buffer.concat([await photo.clone().gif().toBuffer(), Buffer.alloc(500, 7)])],
  ['a WebP with bytes behind it', Buffer.concat([await photo.clone().webp().toBuffer(), Buffer.alloc(9)])],
  ['a HEIC with padding behind it', Buffer.concat([heic, box('free', Buffer.alloc(100)), Buffer.alloc(30)])],
  ['an MP4 with boxes of its camera', Buffer.concat([clip, box('uuid', noise(50)), box('free', noise(20))])],
  ['an MP4 with text behind it', Buffer.concat([clip, Buffer.from('Recorded with love by a program.')])],
  ['an MP4 whose data extends to the end', withSizeOfData(streaming, 0)],
  ['an MP4 that states a wrong length of its data', withSizeOfData(streaming, streaming.length * 2)],
  ['an AVI that counts the header of its RIFF', withLength(await film('riff.avi', '-c:v', 'mpeg4', '-an'), 8)],
]

test.each(soundFiles)('%s is whole', async (_, bytes) => {
  expect((await check(bytes)).missing).toBeUndefined()
})

test('a RAW file whose last directory leads nowhere is whole, unlike a TIFF whose next page is missing', async () => {
  const bytes = withNextDirectory(makeTiffRaw(noise(400), noise(50)), 5_000)
  expect((await check(bytes, 'nef')).missing).toBeUndefined()
  expect((await check(bytes, 'tiff')).missing).toBeDefined()
})

test('a recording that was interrupted before its index was written is incomplete', async () => {
  expect(moovAt).toBeGreaterThan(mdatAt)
  expect((await check(clip.subarray(0, moovAt))).missing).toEqual({ expectedSize: null })
  const unfinished = Buffer.from(clip.subarray(0, moovAt))
  unfinished.writeUInt32BE(0, mdatAt)
  expect((await check(unfinished)).missing).toEqual({ expectedSize: null })
})

test('a JPEG with half an end marker is cut off, and one without any may only be untidy', async () => {
  expect((await check(jpeg.subarray(0, -1))).missing).toEqual({ expectedSize: null })
  expect((await check(jpeg.subarray(0, -2))).missing).toEqual({ expectedSize: null, onlyMarker: true })
})

test('a second picture that is cut off is found by the index of the first', async () => {
  const two = Buffer.concat([withPictureIndex(jpeg, gainMap.length), gainMap])
  expect((await check(two)).missing).toBeUndefined()
  expect((await check(two.subarray(0, -10))).missing).toEqual({ expectedSize: two.length })
})

const huge = Buffer.from('7fffffffffffffff', 'hex')
const ftyp = box('ftyp', Buffer.from('isom'), uint32(0))
const hostile: [what: string, bytes: Buffer][] = [
  ['a box of 2^63 bytes', Buffer.concat([ftyp, uint32(1), Buffer.from('mdat'), huge, noise(50)])],
  ['a million boxes', Buffer.concat([ftyp, Buffer.concat(Array.from({ length: 1_000_000 }, () => box('free')))])],
  ['boxes in boxes', nested(ftyp, 2_000)],
  ['thousands of files after each other', Buffer.concat(Array.from({ length: 400_000 }, () => box('ftyp')))],
  ['an index of 4 billion pictures', withHugePictureIndex(jpeg)],
  ['descriptions of a million appended clips', withXmpPackets(jpeg, 600)],
  ['a table of 4 billion chunks', movieWith(fullBox('stco', 0, uint32(0xffffffff), uint32(100)))],
  ['a chunk at the end of the address space', movieWith(fullBox('co64', 0, uint32(1), Buffer.alloc(8, 0xff)))],
  [
    'items without end',
    heifWith(fullBox('iloc', 0, Buffer.of(0x88, 0x88), uint16(0xffff), Buffer.alloc(50_000, 0xff))),
  ],
  ['an index of segments that repeats itself', Buffer.concat([ftyp, fullBox('sidx', 0, Buffer.alloc(70_000, 0xff))])],
  ['directories in a circle', withNextDirectory(makeTiffRaw(noise(40), noise(5)), 8)],
  ['a directory of 65,535 entries', tiffWith(0xffff, 4)],
  ['4 billion strips', tiffWith(2, 0xffffffff)],
  ['markers without end', Buffer.concat([Buffer.of(0xff, 0xd8, 0xff, 0xe0), Buffer.alloc(3_000_000, 0xff)])],
  [
    'sub-blocks of one byte',
    Buffer.concat([Buffer.from('GIF89a'), Buffer.alloc(7), Buffer.of(0x21, 0xfe), Buffer.alloc(3_000_000, 1)]),
  ],
  ['a million chunks', Buffer.concat([png.subarray(0, 33), Buffer.alloc(12_000_000)])],
  [
    'elements without length',
    Buffer.concat([Buffer.from('1a45dfa38b4282886d6174726f736b61', 'hex'), Buffer.alloc(100_000, 0x80)]),
  ],
  ['an empty file', Buffer.alloc(0)],
]

test.each(hostile)('%s: few reads, little time, and no error', { timeout: 5_000 }, async (_, bytes) => {
  for (const format of [
    'mp4',
    'heic',
    'tiff',
    'dng',
    'rw2',
    'jpeg',
    'png',
    'gif',
    'mkv',
    'crw',
    'j2k',
    'psd',
  ] as const) {
    const { reads } = await check(bytes, format)
    expect(reads, format).toBeLessThan(1_000)
  }
})

test('random damage causes no error in any format', async () => {
  for (const [index, [, whole]] of files.entries()) {
    const format = formatOf(whole)
    for (let seed = 0; seed < 40; seed++) {
      const bytes = Buffer.from(whole)
      for (let at = (seed * 7) % 40; at < bytes.length; at += 31 + seed * index) bytes[at] = (at * seed) & 0xff
      await check(bytes, format)
    }
  }
})

/** Some skeletons above are recognised as something else, since they have no camera in them. */
function formatOf(bytes: Buffer): Format | undefined {
  return bytes === files.find(([what]) => what.startsWith('NEF'))?.[1] ? 'nef' : detectFormatOfBytes(bytes)?.format
}

function jpegXlContainer(codestream: Buffer): Buffer {
  const signature = box('JXL ', Buffer.from('0d0a870a', 'hex'))
  return Buffer.concat([signature, box('ftyp', Buffer.from('jxl \0\0\0\0jxl ')), box('jxlc', codestream)])
}

function asCr3(mp4: Buffer): Buffer {
  const bytes = Buffer.from(mp4)
  bytes.write('crx ', 8, 'latin1')
  return bytes
}

function withSizeOfData(mp4: Buffer, size: number): Buffer {
  const bytes = Buffer.from(mp4)
  bytes.writeUInt32BE(size, bytes.indexOf('mdat') - 4)
  return bytes
}

/** Changes the length of a RIFF. */
function withLength(avi: Buffer, more: number): Buffer {
  const bytes = Buffer.from(avi)
  bytes.writeUInt32LE(bytes.readUInt32LE(4) + more, 4)
  return bytes
}

function withNextDirectory(raw: Buffer, next: number): Buffer {
  const bytes = Buffer.from(raw)
  const first = 8 + 2 + bytes.readUInt16LE(8) * 12
  bytes.writeUInt32LE(next, first)
  return bytes
}

/** Adds an index of two pictures (MPF) to a JPEG; the second follows it. */
function withPictureIndex(first: Buffer, length: number): Buffer {
  const index = Buffer.alloc(8 + 2 + 12 + 4 + 32)
  index.write('II*\0\x08', 'latin1')
  index.writeUInt16LE(1, 8)
  index.writeUInt16LE(0xb002, 10)
  index.writeUInt16LE(7, 12)
  index.writeUInt32LE(32, 14)
  index.writeUInt32LE(26, 18)
  const segment = Buffer.concat([Buffer.of(0xff, 0xe2), uint16(index.length + 6), Buffer.from('MPF\0')])
  // Offsets count from the index, which begins after the start marker and the head of its segment.
  index.writeUInt32LE(length, 26 + 16 + 4)
  index.writeUInt32LE(first.length + segment.length + index.length - 2 - segment.length, 26 + 16 + 8)
  return Buffer.concat([first.subarray(0, 2), segment, index, first.subarray(2)])
}

/** A field that claims to be longer than any index, and a second picture, so that the index is read. */
function withHugePictureIndex(first: Buffer): Buffer {
  const bytes = withPictureIndex(first, 5_000)
  const index = bytes.indexOf('II*')
  const fields = 200
  const field = bytes.subarray(index + 10, index + 22)
  field.writeUInt32LE(0xffffffff, 4)
  const all = Buffer.concat([bytes.subarray(0, index + 10), ...Array.from({ length: fields }, () => field), noise(8)])
  all.writeUInt16LE(fields, index + 8)
  const segmentAt = index - 6
  all.writeUInt16BE(all.length - segmentAt, segmentAt)
  return Buffer.concat([all, first.subarray(2), Buffer.of(0xff, 0xd8), noise(100)])
}

/** Each has thousands of items. The pixels are followed by a little, so that all of them are read. */
function withXmpPackets(first: Buffer, packets: number): Buffer {
  const namespace = 'xmlns:Item="http://ns.google.com/photos/1.0/container/item/"'
  const content = Buffer.from(`http://ns.adobe.com/xap/1.0/\0<rdf:li ${namespace}>${'<r:li>'.repeat(9_000)}`)
  const packet = Buffer.concat([Buffer.of(0xff, 0xe1), uint16(content.length + 2), content])
  return Buffer.concat([first.subarray(0, 2), ...Array(packets).fill(packet), first.subarray(2), noise(100)])
}

function nested(start: Buffer, depth: number): Buffer {
  let inner: Buffer = Buffer.alloc(0)
  for (let level = 0; level < depth; level++) inner = box('mdia', inner)
  return Buffer.concat([start, box('moov', box('trak', inner))])
}

function movieWith(...tables: Buffer[]): Buffer {
  return Buffer.concat([ftyp, box('moov', box('trak', box('mdia', box('minf', box('stbl', ...tables)))))])
}

function heifWith(...boxes: Buffer[]): Buffer {
  return Buffer.concat([box('ftyp', Buffer.from('heic'), uint32(0)), fullBox('meta', 0, ...boxes)])
}

/** A directory with a field that claims this many strips. */
function tiffWith(entries: number, strips: number): Buffer {
  const bytes = Buffer.alloc(8 + 2 + 12 + 4)
  bytes.write('II*\0\x08', 'latin1')
  bytes.writeUInt16LE(entries, 8)
  bytes.writeUInt16LE(273, 10)
  bytes.writeUInt16LE(4, 12)
  bytes.writeUInt32LE(strips, 14)
  bytes.writeUInt32LE(8, 18)
  return Buffer.concat([bytes, Buffer.alloc(500_000, 3)])
}
