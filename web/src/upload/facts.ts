import { type PhotoMetadata, parseWallClock } from '#contract/metadata.ts'
import { dateFormat, formatSize } from '../kit/format.ts'
import { sizeOf, type UploadItem } from './queue/item.ts'

/** What a row tells of its file: size, date taken, place and camera, as far as they are known. */
export function factsOf(item: UploadItem): string[] {
  const { metadata } = item
  const known = [takenOn(metadata), position(metadata), camera(metadata)].filter(fact => fact !== undefined)
  return [formatSize(sizeOf(item)), ...known]
}

/** The camera's own clock, whatever zone this browser is in. */
export function takenOn(metadata: PhotoMetadata | null, language?: string): string | undefined {
  const said = metadata?.dateTimeOriginal ?? metadata?.dateTimeDigitized
  const clock = said ? parseWallClock(said) : undefined
  if (!clock) return undefined
  const asIfUtc = new Date(`${clock.local}Z`)
  const options = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' } as const
  return dateFormat(language, options).format(asIfUtc)
}

export function position(metadata: PhotoMetadata | null): string | undefined {
  const { latitude, longitude } = metadata ?? {}
  if (typeof latitude !== 'number' || typeof longitude !== 'number') return undefined
  return `${degrees(latitude, 'N', 'S')}, ${degrees(longitude, 'E', 'W')}`
}

function degrees(value: number, positive: string, negative: string): string {
  return `${Math.abs(value).toFixed(4)}° ${value < 0 ? negative : positive}`
}

/** Canon EOS R5 · f/2.8 · 1/250 s · ISO 100 */
export function camera(metadata: PhotoMetadata | null): string | undefined {
  if (!metadata) return undefined
  const { fNumber, exposureTime, iso } = metadata
  const summary = [
    nameOfCamera(metadata),
    fNumber ? `f/${round(fNumber)}` : undefined,
    exposureTime ? exposure(exposureTime) : undefined,
    iso ? `ISO ${iso}` : undefined,
  ].filter(part => part !== undefined)
  return summary.length > 0 ? summary.join(' · ') : undefined
}

function nameOfCamera({ make, model }: PhotoMetadata): string | undefined {
  if (!make || !model) return make ?? model ?? undefined
  const [brand = make] = make.split(' ')
  // Most makers write their name into the model too.
  return model.toLowerCase().startsWith(brand.toLowerCase()) ? model : `${make} ${model}`
}

function exposure(seconds: number): string {
  return seconds >= 0.3 ? `${round(seconds)} s` : `1/${Math.round(1 / seconds)} s`
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
