import { parseEdtf } from '#contract/edtf.ts'
import { formatWallClock, isPossibleClock, PhotoMetadata, type WallClock } from '#contract/metadata.ts'
import { dateFromTags, dateTags, modifiedAt, type PartialDate, type Tags } from './dates/date-from-tags.ts'
import { isDigital, isUnset } from './dates/unset-clocks.ts'
import { describedBy, descriptionTags, notesIn, titledBy } from './description.ts'

export interface ExtractedMetadata {
  readonly metadata: PhotoMetadata
  /** When it was taken, in camera time. */
  readonly takenAt: WallClock | null
  /** Instead of `takenAt` if only the year, month or day is known. */
  readonly takenOn: PartialDate | null
  /** When the file itself says that it was changed. */
  readonly modifiedAt: WallClock | null
  /** What an export of Heirloom says of a date that is less exact, in EDTF: "about 1950". */
  readonly edtf: string | null
  /** Maker and model: "Canon EOS R6", "Apple iPhone 7". */
  readonly camera: string | null
  /** Seconds, of a video. */
  readonly duration: number | null
  /** Degrees clockwise that players rotate a video by. */
  readonly rotation: number | null
  /** The same in both halves of a Live Photo. */
  readonly contentIdentifier: string | null
  readonly keywords: readonly string[]
  /** What somebody wrote about it. */
  readonly description: string | null
  readonly title: string | null
  /** Of a sidecar that Heirloom has exported. */
  readonly notes: string | null
}

export const noMetadata: ExtractedMetadata = {
  metadata: {},
  takenAt: null,
  takenOn: null,
  modifiedAt: null,
  edtf: null,
  camera: null,
  duration: null,
  rotation: null,
  contentIdentifier: null,
  keywords: [],
  description: null,
  title: null,
  notes: null,
}

/** The requested tags; `#` requests a number instead of text. */
export const wantedTags = [
  ...dateTags,
  ...['Composite:GPSLatitude#', 'Composite:GPSLongitude#', 'Composite:GPSAltitude#'],
  ...['XMP:GPSLatitude#', 'XMP:GPSLongitude#', 'XMP:GPSAltitude#'],
  ...['TagsList', 'HierarchicalSubject', 'Keywords', 'Subject', ...descriptionTags],
  ...['Make', 'Model', 'AndroidMake', 'AndroidModel', 'Software', 'Orientation#', 'ImageSize#'],
  ...['ExposureTime#', 'FNumber#', 'ISO#', 'FocalLength#', 'Flash#', 'ColorSpace', 'ProfileDescription'],
  ...['WhiteBalance', 'MeteringMode', 'ExposureMode', 'SceneCaptureType', 'Duration#', 'Rotation#'],
  ...['ContentIdentifier', 'Edtf'],
]

/** Facts about a file that are not in its content. */
export interface FileContext {
  readonly name: string
  readonly homeTimeZone: string
}

export function metadataFromTags(
  tags: Tags,
  { name, homeTimeZone }: FileContext = { name: '', homeTimeZone: 'UTC' },
): ExtractedMetadata {
  const [width, height] = numbers(tags['Composite:ImageSize'])
  const metadata = PhotoMetadata.parse({
    dateTimeDigitized: text(tags['Composite:SubSecCreateDate'] ?? tags['EXIF:CreateDate'] ?? tags['XMP:CreateDate']),
    modifyDate: text(tags['Composite:SubSecModifyDate'] ?? tags['EXIF:ModifyDate'] ?? tags['XMP:ModifyDate']),
    latitude: number(tags['Composite:GPSLatitude'] ?? tags['XMP:GPSLatitude']),
    longitude: number(tags['Composite:GPSLongitude'] ?? tags['XMP:GPSLongitude']),
    altitude: number(tags['Composite:GPSAltitude'] ?? tags['XMP:GPSAltitude']),
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
  const { latitude, longitude } = metadata
  const duration = durationOf(tags)
  const taken = dateFromTags(tags, {
    ...{ name, latitude, longitude, duration, homeTimeZone },
    isDigital: isDigital(metadata, name, duration !== null),
  })
  const takenAt = taken && 'offsetMinutes' in taken ? taken : null
  return {
    metadata: { dateTimeOriginal: takenAt && formatWallClock(takenAt), ...metadata },
    takenAt,
    takenOn: taken && 'precision' in taken ? taken : null,
    modifiedAt: modifiedAt(tags),
    edtf: inexactDate(text(tags['XMP:Edtf'])),
    camera: cameraName(metadata.make, metadata.model),
    duration,
    rotation: number(find(tags, 'Rotation')),
    contentIdentifier: text(find(tags, 'ContentIdentifier'))?.trim().toUpperCase() || null,
    keywords: keywordsOf(tags),
    description: describedBy(tags, { ...metadata, name }),
    title: titledBy(tags, { ...metadata, name }),
    notes: notesIn(tags),
  }
}

/** Only the first tag that exists is used, since programs write the same keywords into all. `Places/Cornwall` is "Cornwall". */
const keywordTags = [
  { tag: 'XMP:TagsList', separator: '/' },
  { tag: 'XMP:HierarchicalSubject', separator: '|' },
  { tag: 'IPTC:Keywords', separator: undefined },
  { tag: 'XMP:Subject', separator: undefined },
]

function keywordsOf(tags: Tags): string[] {
  const found = keywordTags.find(({ tag }) => tags[tag] !== undefined)
  if (!found) return []
  const words = [tags[found.tag]].flat().map(value => text(value) ?? '')
  const { separator } = found
  const leaves = separator === undefined ? words : words.map(word => word.split(separator).at(-1) ?? '')
  return [...new Set(leaves.map(word => word.trim()).filter(Boolean))]
}

const companyWords = /\b(corporation|corp|co|ltd|inc|company|camera|electronics|optical|imaging|digital)\b[.,]?/gi

/** "NIKON CORPORATION" and "NIKON D90" become "NIKON D90"; "Apple" and "iPhone 7" become "Apple iPhone 7". */
export function cameraName(make?: string | null, model?: string | null): string | null {
  if (!model) return make?.trim() || null
  const maker = (make ?? '')
    .replace(companyWords, '')
    .replace(/[\s,.]+$/, '')
    .trim()
  const [firstWord = ''] = maker.split(/\s+/)
  const repeated = firstWord !== '' && model.toLowerCase().startsWith(firstWord.toLowerCase())
  return maker && !repeated ? `${maker} ${model}` : model
}

/** "Uncalibrated" in EXIF means "not sRGB"; then the name of the ICC profile is used. */
function colourSpace(tags: Tags): unknown {
  const space = tags['EXIF:ColorSpace'] ?? tags['XMP:ColorSpace']
  return space === undefined || space === 'Uncalibrated' ? (tags['ICC_Profile:ProfileDescription'] ?? space) : space
}

function flashFired(flash: unknown): boolean | null {
  const bits = number(flash)
  return bits === null ? null : (bits & 1) === 1
}

/** A broken header has any number. */
function durationOf(tags: Tags): number | null {
  const seconds = number(find(tags, 'Duration'))
  return seconds !== null && seconds > 0 && seconds <= LONGEST_VIDEO ? seconds : null
}

/** A year. */
const LONGEST_VIDEO = 366 * 86_400

/** Tags of the camera take precedence over those added by programs. */
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

export interface MetadataWithSidecar {
  readonly metadata: ExtractedMetadata
  readonly dateFromSidecar: boolean
}

/**
 * Programs write a person's corrections into a sidecar (`photo.jpg.xmp`), so its date, position and description win over those
 * in the file. Its other fields are used only if the file lacks them.
 */
export function withSidecar(file: ExtractedMetadata, sidecar: ExtractedMetadata): MetadataWithSidecar {
  const { edtf } = sidecar
  const dateFromSidecar = edtf !== null || (isDated(sidecar) && !agrees(file, sidecar))
  const { takenAt, takenOn } = dateFromSidecar && edtf === null ? sidecar : file
  const { latitude, longitude, altitude } = sidecar.metadata
  const place = latitude != null && longitude != null ? { latitude, longitude, altitude } : {}
  const dateTimeOriginal = takenAt && formatWallClock(takenAt)
  const metadata = { ...known(sidecar.metadata), ...known(file.metadata), ...place, dateTimeOriginal }
  const description = sidecar.description ?? sidecar.title ?? file.description
  return { metadata: { ...file, metadata, takenAt, takenOn, edtf, description }, dateFromSidecar }
}

/** Exact times are in tags that every program knows. */
function inexactDate(edtf: string | null): string | null {
  const date = edtf === null ? undefined : parseEdtf(edtf)
  return date && date.precision !== 'time' ? edtf : null
}

function isDated({ takenAt, takenOn }: ExtractedMetadata): boolean {
  return takenOn !== null || (takenAt !== null && isPossibleClock(takenAt) && !isUnset(takenAt.local, false))
}

const knownLetters = { year: '1985'.length, month: '1985-07'.length, day: '1985-07-12'.length }

/**
 * Most sidecars repeat the file's date, often without offset and fraction of a second. Those of videos often repeat it in
 * UTC, without saying so. Then the file's date is used.
 */
function agrees(file: ExtractedMetadata, { takenAt, takenOn }: ExtractedMetadata): boolean {
  if (file.takenAt && takenAt && !takenAt.offsetMinutes && isInUtc(takenAt, file.takenAt)) return true
  const text = takenAt ? takenAt.local.slice(0, 19) : takenOn?.local.slice(0, knownLetters[takenOn.precision])
  return text !== undefined && (file.takenAt?.local.startsWith(text) ?? false)
}

function isInUtc(utc: WallClock, { local, offsetMinutes }: WallClock): boolean {
  if (offsetMinutes === null) return false
  const moment = Date.parse(`${local}Z`) - offsetMinutes * 60_000
  return Math.abs(Date.parse(`${utc.local}Z`) - moment) < 1_000
}

function known<Fields extends object>(fields: Fields): Partial<Fields> {
  const entries = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined)
  return Object.fromEntries(entries) as Partial<Fields>
}
