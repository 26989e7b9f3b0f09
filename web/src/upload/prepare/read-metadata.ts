import ExifReader, { type ExpandedTags } from 'exifreader'
import { PhotoMetadata } from '#contract/metadata.ts'

const CHUNK_BYTES = 65_536
const MAX_CHUNKS = 5
/** A metadata block beyond this offset is not worth the memory. */
const MAX_OFFSET = 64 * 1024 * 1024

/** Reads as little of the file as possible. Never throws for its content: a damaged file has no metadata. */
export async function readMetadata(file: Blob): Promise<PhotoMetadata> {
  const pieces = new Map<number, Uint8Array>()
  let tags: ExpandedTags = {}
  while (pieces.size < MAX_CHUNKS) {
    const next = nextChunk(tags, pieces, Math.min(file.size, MAX_OFFSET))
    if (next === undefined) break
    const piece = file.slice(next * CHUNK_BYTES, (next + 1) * CHUNK_BYTES)
    pieces.set(next, new Uint8Array(await piece.arrayBuffer()))
    tags = tagsOf(assemble(pieces))
  }
  return metadataFromTags(tags)
}

/** Metadata is near the beginning. A HEIC file may point to a later offset. */
function nextChunk(tags: ExpandedTags, read: Map<number, Uint8Array>, size: number): number | undefined {
  const { metadataRange } = tags
  if (metadataRange?.complete && !mayFollow(tags)) return undefined
  const isMissing = (chunk: number) => !read.has(chunk) && chunk * CHUNK_BYTES < size
  for (const { start, end } of metadataRange?.blocks ?? []) {
    for (let chunk = Math.floor(start / CHUNK_BYTES); chunk * CHUNK_BYTES < end; chunk++) {
      if (isMissing(chunk)) return chunk
    }
  }
  let following = 0
  while (read.has(following)) following++
  return isMissing(following) ? following : undefined
}

/** WebP is the only format with metadata after the image data. */
function mayFollow({ exif, file }: ExpandedTags): boolean {
  return file?.FileType?.value === 'webp' && exif === undefined
}

/** The chunks read so far, with zeros in between. */
function assemble(pieces: Map<number, Uint8Array>): ArrayBuffer {
  const ends = [...pieces].map(([chunk, piece]) => chunk * CHUNK_BYTES + piece.length)
  const whole = new Uint8Array(Math.max(...ends))
  for (const [chunk, piece] of pieces) whole.set(piece, chunk * CHUNK_BYTES)
  return whole.buffer
}

/** XMP needs an XML parser, which workers lack. The server reads XMP. */
const options = { expanded: true, computed: true, includeOffsets: true, excludeTags: { mpf: true, xmp: true } } as const

function tagsOf(head: ArrayBuffer): ExpandedTags {
  try {
    return ExifReader.load(head, options)
  } catch {
    // Not an image, or cut off inside its metadata; the next chunk may complete it.
    return {}
  }
}

type ExifTags = NonNullable<ExpandedTags['exif']>

/** Maps exifreader's tags to the contract and drops invalid values. */
function metadataFromTags({ exif = {}, gps, icc, file, pngFile }: ExpandedTags): PhotoMetadata {
  return PhotoMetadata.parse({
    dateTimeOriginal: clock(exif.DateTimeOriginal, exif.SubSecTimeOriginal, exif.OffsetTimeOriginal),
    dateTimeDigitized: clock(exif.DateTimeDigitized, exif.SubSecTimeDigitized, exif.OffsetTimeDigitized),
    modifyDate: clock(exif.DateTime, exif.SubSecTime, exif.OffsetTime),
    latitude: finite(gps?.Latitude),
    longitude: finite(gps?.Longitude),
    altitude: finite(gps?.Altitude),
    gpsTimestamp: gpsTimestamp(exif),
    make: words(exif.Make),
    model: words(exif.Model),
    software: words(exif.Software),
    orientation: number(exif.Orientation) ?? 1,
    exposureTime: number(exif.ExposureTime),
    fNumber: number(exif.FNumber),
    iso: number(exif.ISOSpeedRatings),
    focalLength: number(exif.FocalLength),
    flash: flashFired(number(exif.Flash)),
    originalWidth: number(file?.['Image Width'] ?? pngFile?.['Image Width'] ?? exif.PixelXDimension),
    originalHeight: number(file?.['Image Height'] ?? pngFile?.['Image Height'] ?? exif.PixelYDimension),
    colorSpace: colourSpace(exif, icc),
    whiteBalance: words(exif.WhiteBalance),
    meteringMode: words(exif.MeteringMode),
    exposureMode: words(exif.ExposureMode),
    sceneCaptureType: words(exif.SceneCaptureType),
  })
}

interface Tag {
  readonly value: unknown
  readonly description?: string
  readonly computed?: unknown
}

/** `2024:06:01 12:34:56` with the fraction of a second and the UTC offset from their own tags. */
function clock(time: Tag | undefined, fraction: Tag | undefined, offset: Tag | undefined): string | null {
  const text = words(time)
  if (!text) return null
  const digits = /^\d+$/.test(words(fraction) ?? '') ? `.${words(fraction)}` : ''
  const zone = /^(?:GMT|UTC)?[+-]\d\d:\d\d$/.test(words(offset) ?? '') ? words(offset) : ''
  return `${text}${digits}${zone}`
}

function gpsTimestamp({ GPSDateStamp, GPSTimeStamp }: ExifTags): string | null {
  const date = words(GPSDateStamp)
  const time = /^\d\d:\d\d:\d\d/.exec(words(GPSTimeStamp) ?? '')?.[0]
  return date && time ? `${date} ${time}Z` : null
}

/** "Uncalibrated" in EXIF means "not sRGB"; the ICC profile names the colour space. */
function colourSpace({ ColorSpace }: ExifTags, icc: ExpandedTags['icc']): string | null {
  const space = words(ColorSpace)
  return space === null || space === 'Uncalibrated' ? (words(icc?.['ICC Description']) ?? space) : space
}

function flashFired(bits: number | null): boolean | null {
  return bits === null ? null : (bits & 1) === 1
}

function words(tag: Tag | undefined): string | null {
  const text = tag?.description?.trim()
  return text ? text : null
}

function number(tag: Tag | undefined): number | null {
  const value = tag?.computed ?? tag?.value
  return finite(Array.isArray(value) ? value[0] : value)
}

function finite(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}
