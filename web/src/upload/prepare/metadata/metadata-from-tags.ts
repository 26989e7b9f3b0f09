import type { ExpandedTags } from 'exifreader'
import { PhotoMetadata } from '#contract/metadata.ts'

type ExifTags = NonNullable<ExpandedTags['exif']>

/** What exifreader found, in the contract's words; what makes no sense is left out. */
export function metadataFromTags({ exif = {}, gps, icc, file, pngFile }: ExpandedTags): PhotoMetadata {
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

/** `2024:06:01 12:34:56`, with the fraction of a second and the offset from UTC that stand in tags of their own. */
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

/** "Uncalibrated" is EXIF for "not sRGB": the profile knows which. */
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
