import { DAY } from '#contract/limits.ts'
import type { PhotoMetadata } from '#contract/metadata.ts'

const MINUTE = 60_000

/** Where clocks begin that nobody has set. */
const epochs = [1904, 1970, 1980]

const FIRST_DIGITAL_CAMERAS = 1990

/**
 * Whether a clock was surely not set: on the first day of 1970 or 1980, or in the first minute of 2000. Clocks run on, so
 * with digital recordings, which did not exist then, it is doubtful in the first two years of each epoch.
 */
export function isUnset(local: string, isDigital: boolean): boolean {
  const time = Date.parse(`${local}Z`)
  const within = (year: number, length: number) => time >= Date.UTC(year, 0) && time < Date.UTC(year, 0) + length
  if (within(1970, DAY) || within(1980, DAY) || within(2000, MINUTE)) return true
  return isDigital && epochs.some(year => within(year, Date.UTC(year + 2, 0) - Date.UTC(year, 0)))
}

/** Words that scanners and their programs write, and people give to scans. */
const SCANNED = /scan|epson|perfection|opticfilm|plustek|silverfast|vuescan|negativ|\bslides?\b|\bdias?\b/i

export function isScan(metadata: PhotoMetadata | null, name: string): boolean {
  const described = [metadata?.make, metadata?.model, metadata?.software, name]
  return described.some(text => text != null && SCANNED.test(text))
}

/**
 * Whether a digital camera or phone has recorded the file: any video, and a photo that names its camera. Not where the
 * date when it was digitised is another one: then somebody has dated a picture of an old print.
 */
export function isDigital(metadata: PhotoMetadata | null, name: string, isVideo: boolean): boolean {
  if (isVideo) return true
  if (!metadata?.make || !metadata.model || isScan(metadata, name)) return false
  return !(Number(metadata.dateTimeDigitized?.slice(0, 4)) >= FIRST_DIGITAL_CAMERAS)
}
