import { badgeCap } from '#contract/limits.ts'
import { region } from './messages.ts'
import { texts } from './texts.ts'

/** Dates, numbers and sizes in the language of the messages, in the order of the person's own country. */

export function formatDate(moment: string, language?: string): string {
  return dateFormat(language, { dateStyle: 'long' }).format(new Date(moment))
}

export function formatDateAndTime(moment: string, language?: string): string {
  return dateFormat(language, { dateStyle: 'full', timeStyle: 'short' }).format(new Date(moment))
}

export function formatCount(count: number, language?: string): string {
  return numberFormat(language).format(count)
}

/** For a badge: at most `99+`. */
export function formatBadge(count: number, language?: string): string {
  return count > badgeCap ? `${formatCount(badgeCap, language)}+` : formatCount(count, language)
}

/** Videos count too: a family calls all of them photos. */
export function formatPhotos(count: number): string {
  return texts.photos({ count })
}

/** As in "10 photos and 2 videos"; a kind that there is none of is left out. */
export function formatKinds(photos: number, videos: number): string {
  if (photos > 0 && videos > 0) return texts.photosAndVideos({ photos, videos })
  if (videos > 0) return texts.videos({ count: videos })
  return photos > 0 ? texts.photos({ count: photos }) : texts.noPhotos
}

const sizeUnits = ['Bytes', 'KB', 'MB', 'GB'] as const

export function formatSize(bytes: number, language?: string): string {
  let [size, unit] = [bytes, 0]
  while (rounded(size) >= 1024 && unit < sizeUnits.length - 1) {
    size /= 1024
    unit += 1
  }
  return `${numberFormat(language).format(rounded(size))} ${sizeUnits[unit]}`
}

/** Three digits: 2.4 MB, 214 GB. */
function rounded(size: number): number {
  return size < 100 ? Math.round(size * 10) / 10 : Math.round(size)
}

/** A cache of formatters: creating one takes far longer than using it. */

const dates = new Map<string, Intl.DateTimeFormat>()
const numbers = new Map<string, Intl.NumberFormat>()

export function dateFormat(language: string | undefined, how: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  // A formatter keeps the time zone it was created in, which changes when the person travels.
  const here = how.timeZone ?? new Date().getTimezoneOffset()
  return cached(dates, JSON.stringify([language, how, here]), () => new Intl.DateTimeFormat(language ?? region, how))
}

export function numberFormat(language?: string, how: Intl.NumberFormatOptions = {}): Intl.NumberFormat {
  return cached(numbers, JSON.stringify([language, how]), () => new Intl.NumberFormat(language ?? region, how))
}

function cached<Formatter>(known: Map<string, Formatter>, name: string, make: () => Formatter): Formatter {
  const formatter = known.get(name) ?? make()
  known.set(name, formatter)
  return formatter
}
