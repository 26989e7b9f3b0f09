import { uploadDialog } from '#contract/limits.ts'
import { isBusy, isFinished, totalSize, type UploadItem } from './upload-items.ts'

/** Fixed cost of a file in bytes, for its requests and the pause after it. */
const COST_PER_FILE = 256 * 1024

/** Share of a file's progress bar that is used for preparation. */
const PREPARATION_SHARE = { transcoding: 0.4, processing: 0.1 } as const
/** Progress when all bytes are sent and the server has not confirmed yet. */
const SENT_SHARE = 0.98

export interface Progress {
  done: number
  /** Number of the current file, from 1. */
  current: number
  total: number
  /** In milliseconds; null until it can be estimated. */
  timeLeft: number | null
}

/** The speed is an exponential moving average: progress this old has about a third of the weight of new progress. */
const AVERAGED_OVER_MS = 15_000
/** No estimate is shown before this time, nor after this long without progress. */
const ESTIMATED_AFTER_MS = 4_000
const STALLED_AFTER_MS = 30_000

/** Computes the progress of a batch. It never decreases, even if files are added or steps are repeated. */
export class ProgressTracker {
  #shown = 0
  /** Highest progress of each item, and its progress when its upload started; both from 0 to 1. */
  #highest = new Map<number, number>()
  #uploadStart = new Map<number, number>()
  #speed: SpeedEstimate | undefined

  update(batch: readonly UploadItem[], now: number): Progress {
    let [total, done] = [0, 0]
    for (const item of batch) {
      const weight = totalSize(item) + COST_PER_FILE
      total += weight
      done += weight * this.#highestOf(item)
    }
    this.#shown = Math.max(this.#shown, total === 0 ? 0 : done / total)
    return {
      done: this.#shown,
      current: Math.min(batch.filter(isFinished).length + 1, batch.length),
      total: batch.length,
      timeLeft: this.#timeLeft(done, total - done, now),
    }
  }

  #highestOf(item: UploadItem): number {
    const before = this.#highest.get(item.id) ?? 0
    const furthest = Math.max(before, this.#doneOf(item, before))
    this.#highest.set(item.id, furthest)
    return furthest
  }

  #doneOf(item: UploadItem, before: number): number {
    const step = item.progress ?? 0
    if (isFinished(item)) return 1
    if (item.status === 'transcoding' || item.status === 'processing') return PREPARATION_SHARE[item.status] * step
    if (item.status !== 'uploading') return 0
    const from = this.#uploadStart.get(item.id) ?? before
    this.#uploadStart.set(item.id, from)
    return from + (SENT_SHARE - from) * step
  }

  #timeLeft(done: number, left: number, now: number): number | null {
    this.#speed ??= new SpeedEstimate(done, now)
    const speed = this.#speed.measure(done, now)
    return speed === null ? null : left / speed
  }
}

/** Estimates how fast a batch proceeds. */
class SpeedEstimate {
  readonly #startedAt: number
  #last: { at: number; done: number }
  #progressedAt: number
  /** Averaged twice, because progress is reported in bursts that a single average would follow. */
  #average = 0
  #smoothed = 0

  constructor(done: number, now: number) {
    this.#startedAt = now
    this.#last = { at: now, done }
    this.#progressedAt = now
  }

  /** Per millisecond; null while it cannot be estimated. */
  measure(done: number, now: number): number | null {
    const passed = now - this.#last.at
    if (passed > 0) {
      const gained = Math.max(0, done - this.#last.done)
      if (gained > 0) this.#progressedAt = now
      // At first this is the plain average since the start.
      const share = Math.max(1 - Math.exp(-passed / AVERAGED_OVER_MS), passed / (now - this.#startedAt))
      this.#average += share * (gained / passed - this.#average)
      this.#smoothed += share * (this.#average - this.#smoothed)
      this.#last = { at: now, done }
    }
    const known = now - this.#startedAt >= ESTIMATED_AFTER_MS && now - this.#progressedAt <= STALLED_AFTER_MS
    return known && this.#smoothed > 0 ? this.#smoothed : null
  }
}

export interface Counts {
  total: number
  /** Waiting for their turn or for a press on Upload. */
  ready: number
  duplicates: number
  uploaded: number
  failed: number
  /** Rejected by the file picker: no photos or videos. */
  rejected: number
  /** Files whose end is missing; included in `uploaded` or `duplicates`. */
  incomplete: number
  busy: number
  /** Finished in one way or another. */
  processed: number
  /** What a press on Upload would send. */
  toUpload: number
}

export function countItems(items: readonly UploadItem[]): Counts {
  const counts = {
    total: items.length,
    ready: 0,
    duplicates: 0,
    uploaded: 0,
    failed: 0,
    rejected: 0,
    incomplete: 0,
    busy: 0,
  }
  for (const item of items) {
    if (item.status === 'pending') counts.ready++
    else if (item.status === 'duplicate') counts.duplicates++
    else if (item.status === 'success') counts.uploaded++
    else if (item.status === 'error' && item.rejectedByPicker) counts.rejected++
    else if (item.status === 'error') counts.failed++
    else if (isBusy(item)) counts.busy++
    if (item.incomplete !== null) counts.incomplete++
  }
  const processed = counts.duplicates + counts.uploaded + counts.failed + counts.rejected
  return { ...counts, processed, toUpload: counts.total - processed }
}

export interface Insights {
  small: number
  optimal: number
  large: number
  batchSize: number
}

/** Counts the files still to be uploaded by size class. */
export function insightsOf(items: readonly UploadItem[]): Insights {
  const { smallBelow, optimalFrom, optimalTo, largeAbove } = uploadDialog.sizes
  const insights = { small: 0, optimal: 0, large: 0, batchSize: 0 }
  for (const item of items) {
    if (item.rejectedByPicker || item.status === 'duplicate') continue
    const size = totalSize(item)
    insights.batchSize += size
    if (size < smallBelow) insights.small++
    else if (size > largeAbove) insights.large++
    else if (size >= optimalFrom && size <= optimalTo) insights.optimal++
  }
  return insights
}

export interface BatchResult {
  succeeded: number
  failed: number
  incomplete: number
}

/** No success text is shown beside a file that was not uploaded or not whole; the picker may have rejected it. */
export function isCompleteSuccess(items: readonly UploadItem[]): boolean {
  const { uploaded, failed, rejected, incomplete } = countItems(items)
  return uploaded > 0 && failed + rejected + incomplete === 0
}

/** Skipped duplicates count as neither. */
export function resultOf(batch: readonly UploadItem[]): BatchResult {
  const { uploaded, failed, incomplete } = countItems(batch)
  return { succeeded: uploaded, failed, incomplete }
}
