import { open } from 'node:fs/promises'
import type { Box } from '#contract/iso-boxes.ts'
import { motionPhotos } from '#contract/limits.ts'
import type { Format } from '../formats.ts'
import { detectFormatOfBytes, HEAD_BYTES } from '../recognise.ts'
import { type ByteRange, type FileWindow, openWindow } from './file-window.ts'
import { boxesIn } from './iso-boxes.ts'
import { xmpOfJpeg } from './jpeg.ts'
import { clipsInXmp } from './motion-xmp.ts'

/** Formats that phones append a clip to. */
export function canEmbedClip(format: Format): boolean {
  return format === 'jpeg' || format === 'heic'
}

/**
 * Where a motion photo holds its clip (Samsung's trailer or `mpvd` box, Google's MotionPhoto and MicroVideo); null where
 * it holds none. Every offset and length in the file may be wrong: a range is given only if it lies inside the file and
 * consists of MP4 boxes. Reads headers alone.
 */
export async function findEmbeddedClip(photo: { path: string; format: Format }): Promise<ByteRange | null> {
  const file = await open(photo.path)
  try {
    const { size } = await file.stat()
    const window = openWindow(file)
    const claims = photo.format === 'heic' ? candidatesInHeic(window, size) : candidatesInJpeg(window, size)
    let tried = 0
    for await (const claim of claims) {
      if (++tried > MAX_CANDIDATES) break
      const clip = await mp4At(window, claim, size)
      if (clip) return clip
    }
    return null
  } finally {
    await file.close()
  }
}

/** A photo says in one or two ways where its clip lies. Thousands of false claims, each read, would take minutes. */
const MAX_CANDIDATES = 16

async function* candidatesInHeic(file: FileWindow, size: number): AsyncGenerator<ByteRange> {
  for await (const box of wholeBoxesIn(file, { offset: 0, length: size })) {
    if (box.type === 'mpvd') yield { offset: box.start, length: box.end - box.start }
    // Some phones append a whole MP4 behind the picture.
    if (box.type === 'ftyp' && box.offset > 0) yield { offset: box.offset, length: size - box.offset }
  }
  yield* candidatesInSamsungTrailer(file, size)
}

async function* candidatesInJpeg(file: FileWindow, size: number): AsyncGenerator<ByteRange> {
  yield* candidatesInSamsungTrailer(file, size)
  for await (const xmp of xmpOfJpeg(file)) yield* clipsInXmp(xmp, size)
}

const MOTION_PHOTO_DATA = 0x0a30
/** The block's header and the longest name that makes sense: `MotionPhoto_Data` has 16 letters. */
const [BLOCK_HEADER, LONGEST_BLOCK_NAME] = [8, 64]
const MAX_TRAILER_BYTES = 64 * 1024

/**
 * Samsung's trailer: blocks of data, then a directory (`SEFH`: version, count, entries of 12 bytes that count back from
 * the directory), its length and `SEFT`. A block is `00 00`, its type, the length of its name, the name, the data.
 */
async function* candidatesInSamsungTrailer(file: FileWindow, size: number): AsyncGenerator<ByteRange> {
  if (size < 20) return
  const end = await file.bytes(size - 8, 8)
  if (end.toString('latin1', 4, 8) !== 'SEFT') return
  const length = end.readUInt32LE(0)
  const directory = size - 8 - length
  if (length < 12 || length > MAX_TRAILER_BYTES || directory < 0) return
  for (const entry of samsungEntries(await file.bytes(directory, length))) {
    const start = directory - entry.back
    if (entry.type !== MOTION_PHOTO_DATA || start < 0 || entry.length > entry.back) continue
    const header = await file.bytes(start, BLOCK_HEADER)
    const nameLength = header.length === BLOCK_HEADER ? header.readUInt32LE(4) : Number.POSITIVE_INFINITY
    const before = BLOCK_HEADER + nameLength
    if (nameLength > LONGEST_BLOCK_NAME || before >= entry.length) continue
    yield { offset: start + before, length: entry.length - before }
  }
}

function samsungEntries(directory: Buffer): { type: number; back: number; length: number }[] {
  if (directory.length < 12 || directory.toString('latin1', 0, 4) !== 'SEFH') return []
  const count = Math.min(directory.readUInt32LE(8), Math.floor((directory.length - 12) / 12))
  return Array.from({ length: count }, (_, i) => {
    const at = 12 + 12 * i
    return {
      type: directory.readUInt16LE(at + 2),
      back: directory.readUInt32LE(at + 4),
      length: directory.readUInt32LE(at + 8),
    }
  })
}

/** The clip at the beginning of a range: as many whole boxes of an MP4 as follow each other there. */
async function mp4At(file: FileWindow, { offset, length }: ByteRange, size: number): Promise<ByteRange | undefined> {
  const inside = Number.isSafeInteger(offset) && Number.isSafeInteger(length) && offset > 0 && offset + length <= size
  if (!inside || length < 16) return undefined
  const head = await file.bytes(offset, Math.min(length, HEAD_BYTES))
  if (head.toString('latin1', 4, 8) !== 'ftyp' || detectFormatOfBytes(head)?.kind !== 'video') return undefined
  const seen = new Set<string>()
  let end = offset
  for await (const box of wholeBoxesIn(file, { offset, length })) {
    // A second file begins here.
    if (box.type === 'ftyp' && box.offset > offset) break
    seen.add(box.type)
    end = box.end
  }
  if (!seen.has('moov') || !seen.has('mdat') || end - offset > motionPhotos.embeddedClipBytes) return undefined
  return { offset, length: end - offset }
}

/** Phones write about ten. */
const MAX_CLIP_BOXES = 256

/** The boxes that follow each other in a range, up to the first that does not fit into it. */
async function* wholeBoxesIn(file: FileWindow, { offset, length }: ByteRange): AsyncGenerator<Box> {
  for await (const box of boxesIn(file, offset, offset + length, { headers: MAX_CLIP_BOXES })) {
    if (!box.complete || !/^[\x20-\x7e\xa9]{4}$/.test(box.type)) return
    yield box
  }
}
