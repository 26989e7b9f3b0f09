import { z } from 'zod'
import { Latitude, Longitude } from './bounds.ts'
import { asName } from './common.ts'

/**
 * A camera's local time, with the UTC offset in minutes if the camera knew it. Stored as two values, because a photo
 * belongs to the day that the camera showed, wherever it is viewed.
 */
export interface WallClock {
  /** `2024-06-01T12:34:56`, with up to three decimals of a second. */
  readonly local: string
  readonly offsetMinutes: number | null
}

const CLOCK_TEXT =
  /^(\d{4})[-:](\d\d)[-:](\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?\s*(Z|UTC|GMT|(?:UTC|GMT)?[+-]\d\d:?\d\d)?(?:\[[\w/+-]+\])?$/

/** The oldest surviving photograph is from about 1826; scans carry the date of the scene. */
const OLDEST_YEAR = 1826

/** What the header of a video without a date says: the QuickTime epoch. */
const NO_CLOCK = '1904-01-01T00:00:00'

const LARGEST_OFFSET = 14 * 60

/** Which parts of a date are known. */
export const DatePrecision = z.enum(['year', 'month', 'day', 'time'])
export type DatePrecision = z.infer<typeof DatePrecision>

/**
 * Parses ISO and EXIF notation (`2024:06:01 12:34:56`). Undefined for dates that do not exist or are from before
 * photography. A camera's clock may be years ahead or not set: what it said is kept, and not trusted where dates are
 * found.
 */
export function parseWallClock(text: string): WallClock | undefined {
  const match = CLOCK_TEXT.exec(text.trim())
  if (!match) return undefined
  const [, year, month, day, hour, minute, second = '00', fraction, zone] = match
  const whole = `${year}-${month}-${day}T${hour}:${minute}:${second}`
  const asIfUtc = new Date(`${whole}Z`)
  // `Date` accepts 31 February and normalises it to another day.
  if (Number.isNaN(asIfUtc.getTime()) || asIfUtc.toISOString().slice(0, 19) !== whole) return undefined
  if (whole === NO_CLOCK || Number(year) < OLDEST_YEAR) return undefined
  const milliseconds = fraction?.slice(0, 3).padEnd(3, '0')
  return {
    local: milliseconds && milliseconds !== '000' ? `${whole}.${milliseconds}` : whole,
    offsetMinutes: zone === undefined ? null : offsetInMinutes(zone),
  }
}

/** Whether a photo can be from this year; the next year is allowed because clocks are sometimes wrong. */
export function isPossibleYear(year: number): boolean {
  return year >= OLDEST_YEAR && year <= new Date().getUTCFullYear() + 1
}

/** Whether a camera's clock is not years ahead. */
export function isPossibleClock({ local }: { readonly local: string }): boolean {
  return isPossibleYear(Number(local.slice(0, 4)))
}

/** The inverse of {@link parseWallClock}. */
export function formatWallClock({ local, offsetMinutes }: WallClock): string {
  if (offsetMinutes === null) return local
  const size = Math.abs(offsetMinutes)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${local}${offsetMinutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`
}

function offsetInMinutes(text: string): number | null {
  const zone = text.replace(/^(?:UTC|GMT)/, '')
  if (zone === 'Z' || zone === '') return 0
  const size = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2))
  if (size > LARGEST_OFFSET || Number(zone.slice(-2)) > 59) return null
  return zone.startsWith('-') ? -size : size
}

/** Invalid values become null: a malformed tag must never keep its photo out of the library. */
function lenient<Schema extends z.ZodType>(schema: Schema) {
  return z.catch(z.nullable(schema), null).optional()
}

const words = (longest: number) =>
  lenient(
    z
      .string()
      .overwrite(text => asName(text).slice(0, longest))
      .min(1),
  )

const wallClock = () =>
  lenient(
    z
      .string()
      .overwrite(text => {
        const clock = parseWallClock(text)
        return clock ? formatWallClock(clock) : ''
      })
      .min(1)
      .describe(
        "The camera's wall clock, with its offset where known: 2024-06-01T12:34:56 or 2024-06-01T12:34:56+02:00",
      ),
  )

const between = (smallest: number, largest: number) => lenient(z.number().min(smallest).max(largest))

const pixels = () => lenient(z.number().int().positive().max(1_000_000))

/**
 * The metadata that a camera wrote into a photo or video. The browser reads it before the upload and the server reads
 * it again from the original; where both have a value, the server's wins.
 */
export const PhotoMetadata = z
  .object({
    dateTimeOriginal: wallClock(),
    dateTimeDigitized: wallClock(),
    modifyDate: wallClock(),
    latitude: lenient(Latitude),
    longitude: lenient(Longitude),
    altitude: between(-12_000, 100_000).describe('Metres above the sea'),
    gpsTimestamp: wallClock().describe('When the position was taken, in UTC'),
    make: words(100),
    model: words(100),
    software: words(100),
    orientation: z.number().int().min(1).max(8).catch(1).optional(),
    exposureTime: between(1e-7, 1_000_000).describe('Seconds'),
    fNumber: between(0.1, 1_000),
    iso: between(0.1, 100_000_000),
    focalLength: between(0.1, 100_000).describe('Millimetres'),
    flash: lenient(z.boolean()).describe('Whether it fired'),
    originalWidth: pixels(),
    originalHeight: pixels(),
    colorSpace: words(60),
    whiteBalance: words(60),
    meteringMode: words(60),
    exposureMode: words(60),
    sceneCaptureType: words(60),
  })
  .overwrite(withoutHalfPosition)
export type PhotoMetadata = z.infer<typeof PhotoMetadata>

/** A latitude alone is no position, and receivers write 0° 0° before they have a fix. */
function withoutHalfPosition<
  Position extends { latitude?: number | null | undefined; longitude?: number | null | undefined },
>(metadata: Position): Position {
  const { latitude, longitude } = metadata
  const known = typeof latitude === 'number' && typeof longitude === 'number' && (latitude !== 0 || longitude !== 0)
  if (known || (latitude === undefined && longitude === undefined)) return metadata
  return { ...metadata, latitude: null, longitude: null }
}
