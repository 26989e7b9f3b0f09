import { appendedBytesInXmp, hasSamsungTrailer, isSamsungBlock } from '../embedded-clip.ts'
import { nextMarker, xmpOfJpeg } from '../jpeg.ts'
import { layoutOf } from '../tiff.ts'
import { missingEndOfIsoMedia } from './iso-media.ts'
import { endIsMissing, type MissingEnd, missingUpTo, type SizedFile } from './missing-end.ts'

const [EOI, SOS, APP2] = [0xd9, 0xda, 0xe2]
/** Pixels are read only if the file does not end with the end marker. In longer files, nothing is said. */
const MAX_READ_BYTES = 256 * 1024 * 1024
/** Programs and file systems fill up files with zeros. */
const MAX_PADDING_BYTES = 64 * 1024
/** A photo has one. Each takes milliseconds to read if it is hostile. */
const MAX_XMP_PACKETS = 4

/** A JPEG must have its end marker, and what a phone has appended to it must be whole. */
export async function missingEndOfJpeg(file: SizedFile): Promise<MissingEnd | undefined> {
  if (await endsWithMarker(file)) return undefined
  const end = await endOfPicture(file)
  if (end === 'unknown') return undefined
  if (end === undefined) {
    const [last] = await file.bytes(file.size - 1, 1)
    return last === 0xff ? endIsMissing : { ...endIsMissing, onlyMarker: true }
  }
  return missingEndOfAppended(file, end)
}

/**
 * What follows a picture: further pictures (a gain map), a clip, Samsung's blocks. If nothing follows, a program has
 * removed it and left its description.
 */
async function missingEndOfAppended(file: SizedFile, start: number): Promise<MissingEnd | undefined> {
  const head = Buffer.from(await file.bytes(start, 64))
  if (head.every(byte => byte === 0)) return undefined
  if (head.toString('latin1', 4, 8) === 'ftyp') return (await missingEndOfIsoMedia(file, 'video', start)).missing
  if (isSamsungBlock(head)) return (await hasSamsungTrailer(file, file.size)) ? undefined : endIsMissing
  let [appended, packets] = [0, 0]
  for await (const xmp of xmpOfJpeg(file)) {
    appended = Math.max(appended, appendedBytesInXmp(xmp))
    if (++packets === MAX_XMP_PACKETS) break
  }
  const pictures = head[0] === 0xff && head[1] === 0xd8 ? await endOfPictures(file) : 0
  return missingUpTo(Math.max(appended > 0 ? start + appended : 0, pictures), file)
}

async function endsWithMarker(file: SizedFile): Promise<boolean> {
  const length = Math.min(file.size, MAX_PADDING_BYTES)
  const bytes = await file.bytes(file.size - length, length)
  let end = bytes.length
  while (end > 0 && bytes[end - 1] === 0) end--
  return bytes[end - 2] === 0xff && bytes[end - 1] === EOI
}

/** The offset after the end marker of the first picture; undefined if the file ends before. */
async function endOfPicture(file: SizedFile): Promise<number | 'unknown' | undefined> {
  for (let at = 0; at < MAX_READ_BYTES; ) {
    const found = await nextMarker(file, at, MAX_READ_BYTES)
    if (!found) return file.size > MAX_READ_BYTES ? 'unknown' : undefined
    if (found.marker === EOI) return found.end
    const head = await file.bytes(found.end, 2)
    if (head.length < 2) return undefined
    at = found.end + Math.max(2, head.readUInt16BE(0))
  }
  return 'unknown'
}

const MULTI_PICTURE = 'MPF\0'
const PICTURES = 0xb002
const ENTRY_BYTES = 16

/** Where the pictures end that the index of a multi-picture file (MPF) lists; 0 without one. */
async function endOfPictures(file: SizedFile): Promise<number> {
  for (let at = 0; ; ) {
    const found = await nextMarker(file, at, MAX_READ_BYTES)
    if (!found || found.marker === SOS || found.marker === EOI) return 0
    const head = Buffer.from(await file.bytes(found.end, 6))
    if (head.length < 6) return 0
    if (found.marker === APP2 && head.toString('latin1', 2) === MULTI_PICTURE) return endOfIndex(file, found.end + 6)
    at = found.end + Math.max(2, head.readUInt16BE(0))
  }
}

/** Offsets count from the TIFF header of the index. */
async function endOfIndex(file: SizedFile, base: number): Promise<number> {
  const index = Buffer.from(await file.bytes(base, 4_096))
  const layout = layoutOf(index)
  if (!layout) return 0
  const { number } = layout
  const directory = number(index, 4, 4)
  let end = 0
  for (let entry = 0; entry < number(index, directory, 2); entry++) {
    const at = directory + 2 + entry * 12
    if (number(index, at, 2) !== PICTURES) continue
    const [bytes, from] = [number(index, at + 4, 4), number(index, at + 8, 4)]
    // A hostile index says that it lists millions of pictures.
    const listed = Math.min(bytes, index.length - from)
    for (let picture = 0; picture + ENTRY_BYTES <= listed; picture += ENTRY_BYTES) {
      const [length, offset] = [number(index, from + picture + 4, 4), number(index, from + picture + 8, 4)]
      if (length > 0 && offset > 0) end = Math.max(end, base + offset + length)
    }
  }
  return end
}
