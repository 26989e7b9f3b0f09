import { isPossibleClock, type PhotoMetadata, parseWallClock } from '#contract/metadata.ts'
import { dateFormat, formatSize, numberFormat } from '../kit/format.ts'
import { formatCoordinates } from '../media/format.ts'
import { texts } from './texts.ts'
import { totalSize, type UploadItem } from './upload-items.ts'
import type { Progress } from './upload-progress.ts'

/** The status text of a row. */
export function statusText(item: UploadItem): string {
  const { status, progress, duplicateOf } = item
  if (item.offline) return texts.waiting
  if (status === 'error') return item.error ?? texts.errors.process
  if (status === 'duplicate') {
    return texts.duplicate[duplicateOf?.where ?? 'library']({ name: duplicateOf?.name ?? item.name })
  }
  if (status === 'pending' && !item.inspected) return texts.notInspected
  if (status === 'hashing') {
    return progress ? texts.status.hashingInPart({ percent: toPercent(progress) }) : texts.status.hashing
  }
  if (status === 'transcoding' || status === 'uploading') {
    return texts.status[status]({ percent: toPercent(progress ?? 0) })
  }
  return texts.status[status]
}

/** Whole percents, of which 100 means that nothing is left. */
export function toPercent(progress: number): number {
  return Math.floor(progress * 100)
}

const MINUTE = 60_000

/** Rounded, as in "About 5 minutes left". */
export function timeLeftText({ timeLeft }: Progress): string | null {
  if (timeLeft === null) return null
  if (timeLeft < MINUTE) return texts.overall.lessThanAMinute
  const minutes = Math.round(timeLeft / MINUTE)
  if (minutes < 90) return texts.overall.minutes({ count: minutes })
  return texts.overall.hours({ count: Math.round(minutes / 60) })
}

/** Size and date taken, and with `details` position and camera, where known. */
export function itemFacts(item: UploadItem, { details }: { details: boolean }): string[] {
  const { metadata } = item
  const more = details ? [position(metadata), camera(metadata)] : []
  return [formatSize(totalSize(item)), takenOn(metadata), ...more].filter(fact => fact !== undefined)
}

/** Formatted in UTC, so that the browser's time zone does not shift the camera's time. */
export function takenOn(metadata: PhotoMetadata | null, language?: string): string | undefined {
  const taken = metadata?.dateTimeOriginal ?? metadata?.dateTimeDigitized
  const clock = taken ? parseWallClock(taken) : undefined
  if (!clock || !isPossibleClock(clock)) return undefined
  const asIfUtc = new Date(`${clock.local}Z`)
  const options = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' } as const
  return dateFormat(language, options).format(asIfUtc)
}

export function position(metadata: PhotoMetadata | null): string | undefined {
  const { latitude, longitude } = metadata ?? {}
  if (typeof latitude !== 'number' || typeof longitude !== 'number') return undefined
  return formatCoordinates(latitude, longitude)
}

/** As in "Canon EOS R5 · f/2.8 · 1/250 s · ISO 100". */
export function camera(metadata: PhotoMetadata | null): string | undefined {
  if (!metadata) return undefined
  const { fNumber, exposureTime, iso } = metadata
  const summary = [
    cameraName(metadata),
    fNumber ? `f/${rounded(fNumber)}` : undefined,
    exposureTime ? exposure(exposureTime) : undefined,
    iso ? `ISO ${iso}` : undefined,
  ].filter(part => part !== undefined)
  return summary.length > 0 ? summary.join(' · ') : undefined
}

function cameraName({ make, model }: PhotoMetadata): string | undefined {
  if (!make || !model) return make ?? model ?? undefined
  const [brand = make] = make.split(' ')
  // Most makers repeat their name in the model.
  return model.toLowerCase().startsWith(brand.toLowerCase()) ? model : `${make} ${model}`
}

function exposure(seconds: number): string {
  return seconds >= 0.3 ? `${rounded(seconds)} s` : `1/${Math.round(1 / seconds)} s`
}

function rounded(value: number): string {
  return numberFormat(undefined, { maximumFractionDigits: 1, useGrouping: false }).format(value)
}
