import { open } from 'node:fs/promises'
import type { Box } from '#contract/iso-boxes.ts'
import { motionPhotos } from '#contract/limits.ts'
import { detectFormatOfBytes, HEAD_BYTES } from '../detect-format.ts'
import type { Format } from '../formats.ts'
import { type ByteRange, boxesIn, type FileWindow, openWindow } from './file-window.ts'

import { xmpOfJpeg } from './jpeg.ts'

/** Formats that phones append a clip to. */
export function canEmbedClip(format: Format): boolean {
  return format === 'jpeg' || format === 'heic'
}

/**
 * Finds the clip in a motion photo (Samsung's trailer or `mpvd` box, Google's MotionPhoto and MicroVideo); null if there
 * is none. Offsets in the file are not trusted: a range must be inside the file and consist of MP4 boxes. Reads only
 * headers.
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

/** A real photo has one or two candidates. Checking thousands of false ones would take minutes. */
const MAX_CANDIDATES = 16

async function* candidatesInHeic(file: FileWindow, size: number): AsyncGenerator<ByteRange> {
  for await (const box of wholeBoxesIn(file, { offset: 0, length: size })) {
    if (box.type === 'mpvd') yield { offset: box.start, length: box.end - box.start }
    // Some phones append a complete MP4 to the picture.
    if (box.type === 'ftyp' && box.offset > 0) yield { offset: box.offset, length: size - box.offset }
  }
  yield* candidatesInSamsungTrailer(file, size)
}

async function* candidatesInJpeg(file: FileWindow, size: number): AsyncGenerator<ByteRange> {
  yield* candidatesInSamsungTrailer(file, size)
  for await (const xmp of xmpOfJpeg(file)) yield* clipsInXmp(xmp, size)
}

const MOTION_PHOTO_DATA = 0x0a30
/** Length of the block's header and of the longest plausible name; `MotionPhoto_Data` has 16 characters. */
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

/** Whether a file ends with Samsung's trailer; other programs may have appended a little. */
export async function hasSamsungTrailer(file: FileWindow, size: number): Promise<boolean> {
  const length = Math.min(size, MAX_TRAILER_BYTES)
  return (await file.bytes(size - length, length)).includes('SEFT')
}

/** Whether these bytes after a picture are the first block of Samsung's trailer. */
export function isSamsungBlock(head: Buffer): boolean {
  if (head.length < BLOCK_HEADER + 8 || head.readUInt16BE(0) !== 0) return false
  const nameLength = head.readUInt32LE(4)
  const name = head.toString('latin1', BLOCK_HEADER, BLOCK_HEADER + Math.min(nameLength, 8))
  return nameLength <= LONGEST_BLOCK_NAME && /^[A-Z]\w{3,}$/.test(name)
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

/** The clip at the beginning of a range: the sequence of complete MP4 boxes there. */
async function mp4At(file: FileWindow, { offset, length }: ByteRange, size: number): Promise<ByteRange | undefined> {
  const inside = Number.isSafeInteger(offset) && Number.isSafeInteger(length) && offset > 0 && offset + length <= size
  if (!inside || length < 16) return undefined
  const head = await file.bytes(offset, Math.min(length, HEAD_BYTES))
  if (head.toString('latin1', 4, 8) !== 'ftyp' || detectFormatOfBytes(head)?.kind !== 'video') return undefined
  const seen = new Set<string>()
  let end = offset
  for await (const box of wholeBoxesIn(file, { offset, length })) {
    // The start of another file.
    if (box.type === 'ftyp' && box.offset > offset) break
    seen.add(box.type)
    end = box.end
  }
  if (!seen.has('moov') || !seen.has('mdat') || end - offset > motionPhotos.embeddedClipBytes) return undefined
  return { offset, length: end - offset }
}

/** Phones write about ten. */
const MAX_CLIP_BOXES = 256

/** The boxes in a range, up to the first that does not fit. */
async function* wholeBoxesIn(file: FileWindow, { offset, length }: ByteRange): AsyncGenerator<Box> {
  for await (const box of boxesIn(file, offset, offset + length, { headers: MAX_CLIP_BOXES })) {
    if (!box.complete || !/^[\x20-\x7e\xa9]{4}$/.test(box.type)) return
    yield box
  }
}

const CAMERA = 'http://ns.google.com/photos/1.0/camera/'
const ITEM = 'http://ns.google.com/photos/1.0/container/item/'

/**
 * Position of the clip according to the XMP: `MotionPhoto` with a directory of the file's items, or the older
 * `MicroVideo` with an offset from the end. https://developer.android.com/media/platform/motion-photo-format
 */
function clipsInXmp(xmp: string, fileSize: number): ByteRange[] {
  const camera = readerOf(xmp, CAMERA)
  const [motionPhoto, microVideo] = [camera(xmp, 'MotionPhoto'), camera(xmp, 'MicroVideo')]
  const clips: ByteRange[] = []
  if (motionPhoto === '1') clips.push(...clipsInDirectory(xmp, fileSize))
  const length = wholeNumber(camera(xmp, 'MicroVideoOffset'))
  if (length > 0 && (microVideo === '1' || motionPhoto === '1')) clips.push({ offset: fileSize - length, length })
  return clips
}

/**
 * How many bytes follow the picture according to the XMP: the items of its directory after the first, or the older
 * `MicroVideo`. 0 if it does not say.
 */
export function appendedBytesInXmp(xmp: string): number {
  const [camera, item] = [readerOf(xmp, CAMERA), readerOf(xmp, ITEM)]
  const [primary = '', ...others] = itemsIn(xmp)
  let bytes = others.length > 0 ? wholeNumber(item(primary, 'Padding')) : 0
  for (const text of others) bytes += wholeNumber(item(text, 'Length')) + wholeNumber(item(text, 'Padding'))
  return bytes > 0 ? bytes : wholeNumber(camera(xmp, 'MicroVideoOffset'))
}

function itemsIn(xmp: string): string[] {
  return xmp.split(/<[\w-]{1,40}:li\b/).slice(1)
}

/** The items are in the order of the directory; the first is the picture, the last is at the end of the file. */
function clipsInDirectory(xmp: string, fileSize: number): ByteRange[] {
  const item = readerOf(xmp, ITEM)
  const clips: ByteRange[] = []
  let end = fileSize
  for (const text of itemsIn(xmp).reverse()) {
    const length = wholeNumber(item(text, 'Length'))
    end -= wholeNumber(item(text, 'Padding'))
    const offset = end - length
    if (item(text, 'Semantic') === 'MotionPhoto' && length > 0) clips.push({ offset, length })
    end = offset
  }
  return clips
}

/** Reads properties of a namespace, written as attributes or as elements. Repetitions are bounded: XMP may be hostile. */
function readerOf(xmp: string, namespace: string): (text: string, name: string) => string | undefined {
  const declared = new RegExp(`xmlns:([\\w-]{1,40})\\s{0,8}=\\s{0,8}["']${namespace}["']`).exec(xmp)
  const prefix = declared?.[1]
  return (text, name) => {
    if (prefix === undefined) return undefined
    const property = `[\\s<]${prefix}:${name}\\s{0,8}(?:=\\s{0,8}["']([^"']{0,64})["']|>\\s{0,8}([^<]{0,64})<)`
    const [, attribute, element] = new RegExp(property).exec(text) ?? []
    return (attribute ?? element)?.trim()
  }
}

function wholeNumber(text: string | undefined): number {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : 0
}
