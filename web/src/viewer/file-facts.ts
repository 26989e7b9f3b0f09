import type { MediaFile, MediaFileWithMetadata } from '#contract/media.ts'
import { type PhotoMetadata, parseWallClock } from '#contract/metadata.ts'
import { dateFormat } from '../kit/format.ts'
import { texts } from './texts.ts'

type Dated = Pick<MediaFile, 'location' | 'date' | 'taken_at'> &
  Partial<Pick<MediaFileWithMetadata, 'date_source' | 'date_precision'>>

/** Place and day, as in "Santa Monica · 12 Feb 2015"; undefined if neither is known. */
export function fileTitle(file: Dated, language?: string): string | undefined {
  const place = file.location?.split(',')[0]?.trim()
  const parts = [place, titleDate(file, language)].filter(part => part !== undefined && part !== '')
  return parts.length === 0 ? undefined : parts.join(' · ')
}

const day = { day: 'numeric', month: 'short', year: 'numeric' } as const
const dateParts = { time: day, day, month: { month: 'long', year: 'numeric' }, year: { year: 'numeric' } } as const

/** The time of the upload or of a copy says nothing about the photo, so it is no title. */
function titleDate(file: Dated, language?: string): string | undefined {
  const { taken_at, date_source } = file
  const isKnown = taken_at !== null || date_source === 'name' || date_source === 'metadata' || date_source === 'sidecar'
  return isKnown ? listedDate(file, language) : undefined
}

/** The camera's local time, with its UTC offset if known. */
export function takenAt(text: string, language?: string): string | undefined {
  const clock = parseWallClock(text)
  if (clock === undefined) return undefined
  // Formatted in UTC, so that the browser's time zone does not shift it.
  const how = { dateStyle: 'full', timeStyle: 'short', timeZone: 'UTC' } as const
  const when = dateFormat(language, how).format(new Date(`${clock.local}Z`))
  return clock.offsetMinutes === null ? when : `${when} (${zone(clock.offsetMinutes)})`
}

/** As in UTC, UTC+2 or UTC−3:30. */
function zone(minutes: number): string {
  if (minutes === 0) return 'UTC'
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  return `UTC${minutes < 0 ? '−' : '+'}${hours}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`}`
}

/** The day by which lists sort a file, as far as it is known. */
export function listedDate({ date, date_precision }: Dated, language?: string): string {
  const how = { ...dateParts[date_precision ?? 'day'], timeZone: 'UTC' }
  return dateFormat(language, how).format(new Date(`${date}Z`))
}

/** As saved: `width` and `height` follow a saved rotation once the variants are made again. */
export function dimensions(file: Pick<MediaFile, 'width' | 'height' | 'rotation'>): string | undefined {
  const isTurned = file.rotation !== null && (file.rotation.saved - file.rotation.variants) % 180 !== 0
  const [width, height] = isTurned ? [file.height, file.width] : [file.width, file.height]
  if (width === null || height === null) return undefined
  const megapixels = Math.round((width * height) / 100_000) / 10
  const size = `${width} × ${height}`
  return megapixels < 0.1 ? size : `${size}, ${texts.details.megapixels(megapixels)}`
}

/** As in "1/250 s · f/2.8 · ISO 400 · 35 mm · flash". */
export function exposure(metadata: PhotoMetadata): string | undefined {
  const { exposureTime, fNumber, iso, focalLength, flash } = metadata
  const parts = [
    exposureTime ? `${seconds(exposureTime)} s` : undefined,
    fNumber ? `f/${rounded(fNumber)}` : undefined,
    iso ? `ISO ${iso}` : undefined,
    focalLength ? `${rounded(focalLength)} mm` : undefined,
    flash === true ? texts.details.flash : undefined,
  ].filter(part => part !== undefined)
  return parts.length === 0 ? undefined : parts.join(' · ')
}

/** Short times as a fraction, as in 1/250. */
function seconds(time: number): string {
  return time >= 0.4 ? String(rounded(time)) : `1/${Math.round(1 / time)}`
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10
}
