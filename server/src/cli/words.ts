import { printableLine } from '../kit/printable.ts'

/** Figures as people read them in a terminal. */

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

export function inTime(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000)
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 10) return `${minutes} min ${seconds % 60} s`
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

const MOST_LISTED = 20

/** The first of many, and how many more there are. */
export function inList(lines: readonly string[], most = MOST_LISTED): string {
  const shown = lines.slice(0, most).map(line => `  ${printableLine(line)}\n`)
  if (lines.length > most) shown.push(`  … and ${inNumber(lines.length - most)} more\n`)
  return shown.join('')
}
