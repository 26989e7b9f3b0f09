import { formatWallClock } from '#contract/metadata.ts'
import type { ExtractedMetadata } from './metadata.ts'

export interface MetadataWithSidecar {
  readonly metadata: ExtractedMetadata
  readonly dateFromSidecar: boolean
}

/**
 * A sidecar (`photo.jpg.xmp`) is where programs write what a person corrected: its date and place win over those in the
 * file. Of everything else it only adds what the file does not say.
 */
export function withSidecar(file: ExtractedMetadata, sidecar: ExtractedMetadata): MetadataWithSidecar {
  const dateFromSidecar = isDated(sidecar) && !agrees(file, sidecar)
  const { takenAt, takenOn } = dateFromSidecar ? sidecar : file
  const { latitude, longitude, altitude } = sidecar.metadata
  const place = latitude != null && longitude != null ? { latitude, longitude, altitude } : {}
  const dateTimeOriginal = takenAt && formatWallClock(takenAt)
  const metadata = { ...known(sidecar.metadata), ...known(file.metadata), ...place, dateTimeOriginal }
  return { metadata: { ...file, metadata, takenAt, takenOn }, dateFromSidecar }
}

function isDated({ takenAt, takenOn }: ExtractedMetadata): boolean {
  return takenAt !== null || takenOn !== null
}

const knownLetters = { year: '1985'.length, month: '1985-07'.length, day: '1985-07-12'.length }

/** Most sidecars repeat the file's date, often without its offset and fraction of a second: then the file's is kept. */
function agrees(file: ExtractedMetadata, { takenAt, takenOn }: ExtractedMetadata): boolean {
  const text = takenAt ? takenAt.local.slice(0, 19) : takenOn?.local.slice(0, knownLetters[takenOn.precision])
  return text !== undefined && (file.takenAt?.local.startsWith(text) ?? false)
}

function known<Fields extends object>(fields: Fields): Partial<Fields> {
  const entries = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined)
  return Object.fromEntries(entries) as Partial<Fields>
}
