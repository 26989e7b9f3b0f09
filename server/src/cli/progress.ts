import { printableLine } from '../kit/log.ts'
import type { Terminal } from './command.ts'

export interface Work {
  files: number
  /** 0 if only files are counted. */
  bytes: number
}

export interface Progress {
  add(files: number, bytes: number): void
  /** Prints the final state and keeps that line. */
  end(): void
}

/** On a terminal one line is redrawn; in a log file a new line is written from time to time. */
const DRAWN_EVERY_MS = 100
const SAID_EVERY_MS = 15_000
/** The speed is averaged over this time. */
const WINDOW_MS = 10_000
const BAR = 24

export function showProgress(out: Terminal, doing: string, total: Work, now = Date.now): Progress {
  const done: Work = { files: 0, bytes: 0 }
  const began = now()
  const marks: { at: number; done: number }[] = [{ at: began, done: 0 }]
  let shownAt = began

  const amount = (work: Work) => (total.bytes > 0 ? work.bytes : work.files)

  function perSecond(at: number): number {
    const oldest = marks[0] ?? { at: began, done: 0 }
    return at > oldest.at ? ((amount(done) - oldest.done) * 1000) / (at - oldest.at) : 0
  }

  function mark(at: number): void {
    marks.push({ at, done: amount(done) })
    while (marks.length > 2 && (marks[1]?.at ?? at) < at - WINDOW_MS) marks.shift()
  }

  function show(at: number): void {
    mark(at)
    const facts = factsOf(done, total, perSecond(at), at - began)
    if (out.isTTY) out.redraw(fitted(`${doing}  ${bar(share())}  ${facts}`, out.columns))
    else out.write(`${doing}: ${facts}\n`)
    shownAt = at
  }

  function share(): number {
    return amount(total) === 0 ? 1 : Math.min(amount(done) / amount(total), 1)
  }

  return {
    add(files, bytes) {
      done.files += files
      done.bytes += bytes
      const at = now()
      if (at - shownAt >= (out.isTTY ? DRAWN_EVERY_MS : SAID_EVERY_MS)) show(at)
    },
    end() {
      show(now())
      if (out.isTTY) out.write('\n')
    },
  }
}

function factsOf(done: Work, total: Work, speed: number, elapsed: number): string {
  const facts = [`${inNumber(done.files)} of ${inNumber(total.files)} files`]
  if (total.bytes > 0) facts.push(`${inBytes(done.bytes)} of ${inBytes(total.bytes)}`)
  if (speed > 0) {
    facts.push(
      total.bytes > 0 ? `${inBytes(speed)}/s` : `${speed < 10 ? speed.toFixed(1) : inNumber(Math.round(speed))}/s`,
    )
    const left = total.bytes > 0 ? total.bytes - done.bytes : total.files - done.files
    facts.push(left > 0 ? `${inTime((left / speed) * 1000)} left` : inTime(elapsed))
  }
  return facts.join(' · ')
}

function bar(share: number): string {
  const filled = Math.round(share * BAR)
  return `${'█'.repeat(filled)}${'░'.repeat(BAR - filled)} ${Math.floor(share * 100)} %`
}

/** A line that wraps could not be redrawn. */
function fitted(line: string, columns: number): string {
  return line.length < columns ? line : `${line.slice(0, columns - 2)}…`
}

/** Numbers formatted for a terminal. */

const grouped = new Intl.NumberFormat('en')

export function inCount(count: number, thing: string): string {
  return `${grouped.format(count)} ${thing}${count === 1 ? '' : 's'}`
}

export function inNumber(count: number): string {
  return grouped.format(count)
}

const units = ['bytes', 'KB', 'MB', 'GB', 'TB']

export function inBytes(bytes: number): string {
  const power = bytes < 1024 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), units.length - 1)
  const value = bytes / 1024 ** power
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[power]}`
}

function inTime(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000)
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 10) return `${minutes} min ${seconds % 60} s`
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

const MOST_LISTED = 20

/** The first lines of a long list, and how many more there are. */
export function inList(lines: readonly string[], most = MOST_LISTED): string {
  const shown = lines.slice(0, most).map(line => `  ${printableLine(line)}\n`)
  if (lines.length > most) shown.push(`  … and ${inNumber(lines.length - most)} more\n`)
  return shown.join('')
}
