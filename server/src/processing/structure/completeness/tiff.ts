import { type Layout, layoutOf, MAX_ENTRIES } from '../tiff.ts'
import { endIsMissing, type MissingEnd, missingUpTo, type SizedFile } from './missing-end.ts'

const [STRIP_OFFSETS, STRIP_LENGTHS, TILE_OFFSETS, TILE_LENGTHS] = [273, 279, 324, 325]
const [JPEG_OFFSET, JPEG_LENGTH, SUB_DIRECTORIES] = [513, 514, 330]
/** Panasonic has tags of its own in the first directory. */
const panasonic = { width: 2, height: 3, bits: 10, format: 45, preview: 46, pixelsAt: 280 } as const

/** RAW files have about ten, a scanned book has a thousand. */
const MAX_DIRECTORIES = 1_000
/** Strips and tiles of all pictures together. */
const MAX_PIECES = 100_000
const BYTES_AT_ONCE = 16 * 1024
/** Cameras write this where a field is not used. */
const UNUSED = 0xffffffff

interface Field {
  readonly count: number
  readonly valueBytes: number
  /** Offset of its values. */
  readonly at: number
}

type Fields = ReadonlyMap<number, Field>

/**
 * TIFF and the RAW formats that are built like it: strips, tiles and embedded JPEGs of all directories must lie within
 * the file.
 */
export async function missingEndOfTiff(
  file: SizedFile,
  format: 'tiff' | 'raw' | 'rw2',
): Promise<MissingEnd | undefined> {
  const layout = layoutOf(Buffer.from(await file.bytes(0, 16)))
  if (!layout) return endIsMissing
  const { firstDirectoryAt, offsetBytes, number } = layout
  const waiting = [number(await file.bytes(firstDirectoryAt, offsetBytes), 0, offsetBytes)]
  const seen = new Set<number>()
  const left = { pieces: MAX_PIECES }
  let end = 0
  for (let at = waiting.pop(); at !== undefined && seen.size < MAX_DIRECTORIES; at = waiting.pop()) {
    if (at === 0 || seen.has(at)) continue
    seen.add(at)
    const { fields, next, end: directoryEnd } = await readDirectory(file, layout, at)
    end = Math.max(end, directoryEnd, ...[...fields].map(endOfValues))
    const values = (tag: number) => valuesOf(file, layout, fields.get(tag), left)
    if (format === 'rw2' && fields.has(panasonic.pixelsAt)) end = Math.max(end, await endOfPanasonic(fields, values))
    else {
      for (const [offsets, lengths] of [
        [STRIP_OFFSETS, STRIP_LENGTHS],
        [TILE_OFFSETS, TILE_LENGTHS],
        [JPEG_OFFSET, JPEG_LENGTH],
      ] as const) {
        end = Math.max(end, endOfPieces(await values(offsets), await values(lengths)))
      }
    }
    waiting.push(...(await values(SUB_DIRECTORIES)))
    // Cameras leave anything after their last directory.
    if (next < file.size || format === 'tiff') waiting.push(next)
  }
  return missingUpTo(end, file)
}

async function readDirectory(
  file: SizedFile,
  layout: Layout,
  at: number,
): Promise<{ fields: Fields; next: number; end: number }> {
  const { countBytes, entryBytes, offsetBytes, number } = layout
  const fields = new Map<number, Field>()
  const nothing = { fields, next: 0, end: 0 }
  // At least one entry: an offset beyond the end is a directory that is missing.
  if (at + countBytes > file.size) return { ...nothing, end: at + countBytes + entryBytes }
  const count = number(await file.bytes(at, countBytes), 0, countBytes)
  if (count === 0 || count > MAX_ENTRIES) return nothing
  const first = at + countBytes
  const end = first + count * entryBytes
  if (end > file.size) return { ...nothing, end }
  for (let index = 0; index < count; index++) {
    const entryAt = first + index * entryBytes
    const entry = await file.bytes(entryAt, entryBytes)
    const valueBytes = sizes[number(entry, 2, 2)] ?? 0
    const values = number(entry, 4, offsetBytes)
    const isInline = values * valueBytes <= offsetBytes
    const valueAt = isInline ? entryAt + 4 + offsetBytes : number(entry, 4 + offsetBytes, offsetBytes)
    fields.set(number(entry, 0, 2), { count: values, valueBytes, at: valueAt })
  }
  return { fields, next: number(await file.bytes(end, offsetBytes), 0, offsetBytes), end: end + offsetBytes }
}

/** Bytes of a value by its type. */
const sizes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8]

/** Programs that edit a file leave offsets of private fields that are not right any more. */
const FIRST_PRIVATE_TAG = 0x8000

function endOfValues([tag, { at, count, valueBytes }]: [number, Field]): number {
  return tag < FIRST_PRIVATE_TAG ? at + count * valueBytes : 0
}

async function valuesOf(
  file: SizedFile,
  { number }: Layout,
  field: Field | undefined,
  left: { pieces: number },
): Promise<number[]> {
  const values: number[] = []
  if (!field || field.valueBytes === 0) return values
  const { count, valueBytes, at } = field
  const perRead = BYTES_AT_ONCE / valueBytes
  for (let index = 0; index < count && left.pieces > 0; index += perRead) {
    const wanted = Math.min(perRead, count - index, left.pieces)
    const bytes = await file.bytes(at + index * valueBytes, wanted * valueBytes)
    // The list itself is beyond the end.
    if (bytes.length < wanted * valueBytes) return [...values, at + count * valueBytes]
    for (let value = 0; value < wanted; value++) values.push(number(bytes, value * valueBytes, valueBytes))
    left.pieces -= wanted
  }
  return values
}

function endOfPieces(offsets: readonly number[], lengths: readonly number[]): number {
  let end = 0
  for (const [index, offset] of offsets.entries()) {
    const length = lengths[index] ?? 0
    if (offset === 0 || offset === UNUSED || length === UNUSED) continue
    end = Math.max(end, offset + length)
  }
  return end
}

/** The length of the pixels is not in the file. They are packets of 16 bytes, with a number of pixels by the format. */
async function endOfPanasonic(fields: Fields, values: (tag: number) => Promise<number[]>): Promise<number> {
  const one = async (tag: number) => (await values(tag))[0] ?? 0
  const [width, height, bits] = [await one(panasonic.width), await one(panasonic.height), await one(panasonic.bits)]
  const format = await one(panasonic.format)
  const pixelsPerPacket =
    { 4: 14, 5: bits === 14 ? 9 : 10, 6: bits === 14 ? 11 : 14, 7: 9 }[format] ?? Number.POSITIVE_INFINITY
  const packets = Math.floor((width * height) / pixelsPerPacket)
  const preview = fields.get(panasonic.preview)
  return Math.max((await one(panasonic.pixelsAt)) + packets * 16, preview ? preview.at + preview.count : 0)
}
