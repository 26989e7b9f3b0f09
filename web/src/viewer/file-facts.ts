import { UNKNOWN_DATE } from '#contract/edtf.ts'
import type { MediaFile, MediaFileWithMetadata } from '#contract/media.ts'
import type { PhotoMetadata } from '#contract/metadata.ts'
import { numberFormat } from '../kit/format.ts'
import { dateInWords } from '../media/date-words.ts'
import type { TilePicture } from '../media/viewed-file.ts'
import { texts } from './texts.ts'

type Dated = Pick<MediaFile, 'location' | 'edtf' | 'taken_at'> & Partial<Pick<MediaFileWithMetadata, 'date_source'>>

/** Place and day, as in "Santa Monica · 12 Feb 2015"; undefined if neither is known. */
export function fileTitle(file: Dated, language?: string): string | undefined {
  const place = file.location?.split(',')[0]?.trim()
  const parts = [place, titleDate(file, language)].filter(part => part !== undefined && part !== '')
  return parts.length === 0 ? undefined : parts.join(' · ')
}

/** The same of what its tile knows: without a connection, nothing else may be known of a file. */
export function tileTitle({ location, edtf, day, original_name }: TilePicture, language?: string): string {
  const taken_at = day === UNKNOWN_DATE ? null : day
  return fileTitle({ location: location ?? null, edtf: edtf ?? taken_at, taken_at }, language) ?? original_name
}

/** The time of a copy may say nothing about the photo, so it is no title. */
function titleDate({ edtf, taken_at, date_source }: Dated, language?: string): string | undefined {
  const isKnown = taken_at !== null || (date_source != null && date_source !== 'file' && date_source !== 'modified')
  return isKnown && edtf !== null ? dateInWords(edtf, 'short', language) : undefined
}

/** As saved: `width` and `height` follow a saved rotation once the variants are made again. */
export function dimensions(file: Pick<MediaFile, 'width' | 'height' | 'rotation'>): string | undefined {
  const isTurned = file.rotation !== null && (file.rotation.saved - file.rotation.variants) % 180 !== 0
  const [width, height] = isTurned ? [file.height, file.width] : [file.width, file.height]
  if (width === null || height === null) return undefined
  const megapixels = Math.round((width * height) / 100_000) / 10
  const size = `${width} × ${height}`
  return megapixels < 0.1 ? size : `${size}, ${texts.details.megapixels({ count: megapixels })}`
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
  return time >= 0.4 ? rounded(time) : `1/${Math.round(1 / time)}`
}

function rounded(value: number): string {
  return numberFormat(undefined, { maximumFractionDigits: 1, useGrouping: false }).format(value)
}
