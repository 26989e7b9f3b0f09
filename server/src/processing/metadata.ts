import { formatWallClock, PhotoMetadata, parseWallClock, type WallClock } from '#contract/metadata.ts'

/** What exiftool says of a file: values by `Group:Tag`. */
export type Tags = Readonly<Record<string, unknown>>

export interface FileMetadata {
  readonly metadata: PhotoMetadata
  /** When it was taken, by the camera's clock. */
  readonly takenAt: WallClock | null
  /** Maker and model as a person would say them: "Canon EOS R6", "Apple iPhone 7". */
  readonly camera: string | null
  /** Seconds, of a video. */
  readonly duration: number | null
  /** Degrees clockwise that a player turns a video by. */
  readonly rotation: number | null
  /** What both halves of a Live Photo carry. */
  readonly contentIdentifier: string | null
}

export const nothingKnown: FileMetadata = {
  metadata: {},
  takenAt: null,
  camera: null,
  duration: null,
  rotation: null,
  contentIdentifier: null,
}

/** The tags that are asked for; `#` asks for the number rather than for words. */
export const wantedTags = [
  ...['SubSecDateTimeOriginal', 'DateTimeOriginal', 'SubSecCreateDate', 'CreateDate', 'SubSecModifyDate', 'ModifyDate'],
  ...['CreationDate', 'DateCreated', 'MediaCreateDate', 'AndroidTimeZone', 'GPSDateTime'],
  ...['Composite:GPSLatitude#', 'Composite:GPSLongitude#', 'Composite:GPSAltitude#'],
  ...['Make', 'Model', 'AndroidMake', 'AndroidModel', 'Software', 'Orientation#', 'ImageSize#'],
  ...['ExposureTime#', 'FNumber#', 'ISO#', 'FocalLength#', 'Flash#', 'ColorSpace', 'ProfileDescription'],
  ...['WhiteBalance', 'MeteringMode', 'ExposureMode', 'SceneCaptureType', 'Duration#', 'Rotation#'],
  'ContentIdentifier',
]

export function metadataFromTags(tags: Tags): FileMetadata {
  const takenAt = readTakenAt(tags)
  const [width, height] = numbers(tags['Composite:ImageSize'])
  const metadata = PhotoMetadata.parse({
    dateTimeOriginal: takenAt && formatWallClock(takenAt),
    dateTimeDigitized: text(tags['Composite:SubSecCreateDate'] ?? tags['EXIF:CreateDate'] ?? tags['XMP:CreateDate']),
    modifyDate: text(tags['Composite:SubSecModifyDate'] ?? tags['EXIF:ModifyDate'] ?? tags['XMP:ModifyDate']),
    latitude: number(tags['Composite:GPSLatitude']),
    longitude: number(tags['Composite:GPSLongitude']),
    altitude: number(tags['Composite:GPSAltitude']),
    gpsTimestamp: text(tags['Composite:GPSDateTime']),
    make: text(find(tags, 'Make') ?? find(tags, 'AndroidMake')),
    model: text(find(tags, 'Model') ?? find(tags, 'AndroidModel')),
    software: text(find(tags, 'Software')),
    orientation: number(find(tags, 'Orientation')),
    exposureTime: number(find(tags, 'ExposureTime')),
    fNumber: number(find(tags, 'FNumber')),
    iso: number(find(tags, 'ISO')),
    focalLength: number(find(tags, 'FocalLength')),
    flash: flashFired(find(tags, 'Flash')),
    originalWidth: width ?? null,
    originalHeight: height ?? null,
    colorSpace: text(colourSpace(tags)),
    whiteBalance: text(find(tags, 'WhiteBalance')),
    meteringMode: text(find(tags, 'MeteringMode')),
    exposureMode: text(find(tags, 'ExposureMode')),
    sceneCaptureType: text(find(tags, 'SceneCaptureType')),
  })
  return {
    metadata,
    takenAt,
    camera: cameraName(metadata.make, metadata.model),
    duration: number(find(tags, 'Duration')),
    rotation: number(find(tags, 'Rotation')),
    contentIdentifier: text(find(tags, 'ContentIdentifier'))?.trim().toUpperCase() || null,
  }
}

/** Where the time a photo or film was taken stands, best first. */
const takenTags = [
  'Composite:SubSecDateTimeOriginal',
  'EXIF:DateTimeOriginal',
  'XMP:DateTimeOriginal',
  'QuickTime:CreationDate',
  'QuickTime:DateTimeOriginal',
  'H264:DateTimeOriginal',
  'RIFF:DateTimeOriginal',
  'XMP:DateCreated',
  'Composite:SubSecCreateDate',
  'EXIF:CreateDate',
  'XMP:CreateDate',
  // The first digital cameras of Canon and Sigma have notes of their own and nothing else.
  'MakerNotes:DateTimeOriginal',
  'SigmaRaw:DateTimeOriginal',
]

/** The same where the format prescribes UTC and has no place for an offset. */
const takenInUtcTags = [
  'Matroska:DateTimeOriginal',
  'ASF:CreationDate',
  'QuickTime:MediaCreateDate',
  'QuickTime:CreateDate',
]

function readTakenAt(tags: Tags): WallClock | null {
  for (const tag of takenTags) {
    // Camcorders add the word for summer time behind the offset that already holds it.
    const clock = parseWallClock(text(tags[tag])?.replace(/ DST$/, '') ?? '')
    if (clock) return clock
  }
  for (const tag of takenInUtcTags) {
    const clock = parseWallClock(text(tags[tag]) ?? '')
    if (clock) return inZone(clock.local, text(tags['QuickTime:AndroidTimeZone']))
  }
  return null
}

/** A time in UTC as the wall clock showed it, where a phone wrote down its zone (`+0200`); else as it is, in UTC. */
function inZone(utc: string, zone: string | null): WallClock {
  const offsetMinutes = (zone && parseWallClock(`${utc}${zone}`)?.offsetMinutes) || 0
  const moved = new Date(Date.parse(`${utc}Z`) + offsetMinutes * 60_000).toISOString()
  return { ...(parseWallClock(moved) ?? { local: utc }), offsetMinutes }
}

const ownWords = /\b(corporation|corp|co|ltd|inc|company|camera|electronics|optical|imaging|digital)\b[.,]?/gi

/** "NIKON CORPORATION" and "NIKON D90" are one "NIKON D90"; "Apple" and "iPhone 7" are two words of one name. */
export function cameraName(make?: string | null, model?: string | null): string | null {
  if (!model) return make?.trim() || null
  const maker = (make ?? '')
    .replace(ownWords, '')
    .replace(/[\s,.]+$/, '')
    .trim()
  const [firstWord = ''] = maker.split(/\s+/)
  const repeated = firstWord !== '' && model.toLowerCase().startsWith(firstWord.toLowerCase())
  return maker && !repeated ? `${maker} ${model}` : model
}

/** "Uncalibrated" is EXIF for "not sRGB": the profile knows which. */
function colourSpace(tags: Tags): unknown {
  const space = tags['EXIF:ColorSpace'] ?? tags['XMP:ColorSpace']
  return space === undefined || space === 'Uncalibrated' ? (tags['ICC_Profile:ProfileDescription'] ?? space) : space
}

function flashFired(flash: unknown): boolean | null {
  const bits = number(flash)
  return bits === null ? null : (bits & 1) === 1
}

/** The camera's own words before what programs added later. */
const groups = ['EXIF', 'XMP', 'QuickTime']

function find(tags: Tags, name: string): unknown {
  const preferred = groups.map(group => tags[`${group}:${name}`]).find(value => value !== undefined)
  if (preferred !== undefined) return preferred
  const key = Object.keys(tags).find(key => key.endsWith(`:${name}`))
  return key && tags[key]
}

function text(value: unknown): string | null {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null
}

function number(value: unknown): number | null {
  return numbers(value)[0] ?? null
}

/** A tag may hold several numbers in one text ("4032 3024"). */
function numbers(value: unknown): number[] {
  return (text(value) ?? '')
    .split(/[\sx]+/)
    .filter(Boolean)
    .map(Number)
    .filter(Number.isFinite)
}
