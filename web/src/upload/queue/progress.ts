import { isFinished, sizeOf, type UploadItem } from './item.ts'

/** What every file costs whatever its size, as if it were so many bytes: calls, and the pause between files. */
const COST_OF_A_FILE = 256 * 1024

/** How much of a file's way its preparation is. */
const PREPARED = { transcoding: 0.4, processing: 0.1 } as const
/** All of it is sent, and the server has not yet said that it is safe. */
const SENT = 0.98

export interface Progress {
  /** From 0 to 1. */
  done: number
  /** The number of the file that is at it now, from 1. */
  current: number
  total: number
  /** In milliseconds; null as long as there is no telling. */
  timeLeft: number | null
}

/** The pace is an exponential moving average: progress this old has about a third of the weight of new progress. */
const AVERAGED_OVER_MS = 15_000
/** There is no estimate before this, nor after so long without progress. */
const ESTIMATED_AFTER_MS = 4_000
const STALLED_AFTER_MS = 30_000

/** Follows one batch. What it shows never goes backwards, although files may be added and steps begun anew. */
export class ProgressTracker {
  #shown = 0
  /** How far each item ever came, from 0 to 1, and how far it was when its sending began. */
  #furthest = new Map<number, number>()
  #sentFrom = new Map<number, number>()
  #pace: Pace | undefined

  follow(batch: readonly UploadItem[], now: number): Progress {
    let [total, done] = [0, 0]
    for (const item of batch) {
      const weight = sizeOf(item) + COST_OF_A_FILE
      total += weight
      done += weight * this.#furthestOf(item)
    }
    this.#shown = Math.max(this.#shown, total === 0 ? 0 : done / total)
    return {
      done: this.#shown,
      current: Math.min(batch.filter(isFinished).length + 1, batch.length),
      total: batch.length,
      timeLeft: this.#timeLeft(done, total - done, now),
    }
  }

  #furthestOf(item: UploadItem): number {
    const before = this.#furthest.get(item.id) ?? 0
    const furthest = Math.max(before, this.#doneOf(item, before))
    this.#furthest.set(item.id, furthest)
    return furthest
  }

  #doneOf(item: UploadItem, before: number): number {
    const step = item.progress ?? 0
    if (isFinished(item)) return 1
    if (item.status === 'transcoding' || item.status === 'processing') return PREPARED[item.status] * step
    if (item.status !== 'uploading') return 0
    const from = this.#sentFrom.get(item.id) ?? before
    this.#sentFrom.set(item.id, from)
    return from + (SENT - from) * step
  }

  #timeLeft(done: number, left: number, now: number): number | null {
    this.#pace ??= new Pace(done, now)
    const pace = this.#pace.measure(done, now)
    return pace === null ? null : left / pace
  }
}

/** How fast a batch proceeds. */
class Pace {
  readonly #began: number
  #last: { at: number; done: number }
  #progressedAt: number
  /** Averaged twice, since progress is reported in bursts: one average alone rises and falls with each of them. */
  #average = 0
  #smoothed = 0

  constructor(done: number, now: number) {
    this.#began = now
    this.#last = { at: now, done }
    this.#progressedAt = now
  }

  /** Per millisecond; null while it cannot be estimated. */
  measure(done: number, now: number): number | null {
    const passed = now - this.#last.at
    if (passed > 0) {
      const gained = Math.max(0, done - this.#last.done)
      if (gained > 0) this.#progressedAt = now
      // Until enough time has passed, this is the plain average since the beginning.
      const share = Math.max(1 - Math.exp(-passed / AVERAGED_OVER_MS), passed / (now - this.#began))
      this.#average += share * (gained / passed - this.#average)
      this.#smoothed += share * (this.#average - this.#smoothed)
      this.#last = { at: now, done }
    }
    const known = now - this.#began >= ESTIMATED_AFTER_MS && now - this.#progressedAt <= STALLED_AFTER_MS
    return known && this.#smoothed > 0 ? this.#smoothed : null
  }
}
