import { inBytes, inCount, inList, inNumber } from '../progress.ts'

/** Why a file was skipped, as the summary says it. */
const reasons = {
  'not a photo or video': 'neither photo nor video',
  'sound without a picture': 'sound without a picture, so neither photo nor video',
  unreadable: 'could not be read',
  link: 'links, which are not followed',
  special: 'no ordinary files',
  hidden: 'hidden, or left by a system',
} as const
export type SkipReason = keyof typeof reasons

/** Expected skips, so they are counted but not listed. */
const UNLISTED: ReadonlySet<SkipReason> = new Set(['hidden'])

export interface Tally {
  added: number
  addedBytes: number
  alreadyThere: number
  deletedSince: number
  /** Files that were added although their end is missing. */
  incomplete: string[]
  skipped: Map<SkipReason, string[]>
  add(bytes: number): void
  skip(reason: SkipReason, path: string, cause?: unknown): void
}

export function newTally(): Tally {
  return {
    added: 0,
    addedBytes: 0,
    alreadyThere: 0,
    deletedSince: 0,
    incomplete: [],
    skipped: new Map(),
    add(bytes) {
      this.added++
      this.addedBytes += bytes
    },
    skip(reason, path, cause) {
      const line = cause instanceof Error ? `${path} (${cause.message})` : path
      const known = this.skipped.get(reason)
      if (known) known.push(line)
      else this.skipped.set(reason, [line])
    },
  }
}

export function inSummary(tally: Tally, options: { listAll: boolean }): string {
  const lines = [`${inCount(tally.added, 'file')} added (${inBytes(tally.addedBytes)})`]
  lines.push(`${inNumber(tally.alreadyThere)} already in the library`)
  if (tally.deletedSince > 0) {
    lines.push(
      `${inNumber(tally.deletedSince)} deleted in the library since an earlier import: left out (--again takes them in)`,
    )
  }
  const mostListed = options.listAll ? Number.POSITIVE_INFINITY : undefined
  let text = lines.map(line => `${line}\n`).join('')
  if (tally.incomplete.length > 0) {
    text += `${inCount(tally.incomplete.length, 'added file')} incomplete: the end is missing. Look for a whole copy before you delete anything\n`
    text += inList(tally.incomplete, mostListed)
  }
  for (const [reason, paths] of tally.skipped) {
    text += `${inNumber(paths.length)} skipped: ${reasons[reason]}\n`
    if (!UNLISTED.has(reason)) text += inList(paths, mostListed)
  }
  return text
}
