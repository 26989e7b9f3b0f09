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

/** The pace of the last half minute tells best how long the rest takes. */
const WINDOW = 30_000
const TELLS_AFTER = 4_000

/** Follows one batch. What it shows never goes backwards, although files may be added and steps begun anew. */
export class ProgressTracker {
  #shown = 0
  /** How far each item ever came, from 0 to 1, and how far it was when its sending began. */
  #furthest = new Map<number, number>()
  #sentFrom = new Map<number, number>()
  #samples: { at: number; weight: number }[] = []

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
    const samples = this.#samples
    samples.push({ at: now, weight: done })
    while (samples.length > 2 && now - (samples[1]?.at ?? now) > WINDOW) samples.shift()
    const [first] = samples
    if (first === undefined || now - first.at < TELLS_AFTER || done <= first.weight) return null
    return (left * (now - first.at)) / (done - first.weight)
  }
}
