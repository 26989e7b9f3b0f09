import { DAY } from '#contract/limits.ts'
import type { MediaFilter } from '#contract/media.ts'
import { searchable } from '../kit/searchable.ts'
import type { ListFilter } from './list.sql.ts'

/** Days since 1970, inclusive. */
export interface DayRange {
  fromDay: number | undefined
  toDay: number | undefined
}

const noRange: DayRange = { fromDay: undefined, toDay: undefined }

/** The filter of a request as queries need it. */
export function filterOf(query: MediaFilter, range: DayRange = noRange): ListFilter {
  const year = query.year === undefined ? noRange : daysOfYear(query.year)
  return {
    words: searchWords(query.search ?? ''),
    type: query.type,
    folder: query.folder_id,
    place: query.place,
    camera: query.camera,
    tagId: query.tag,
    uploaderId: query.uploader,
    heartedBy: query.hearted_by,
    fromDay: pick(Math.max, year.fromDay, range.fromDay),
    toDay: pick(Math.min, year.toDay, range.toDay),
  }
}

/** Each word is a search of its own, so more of them would keep the database busy for seconds. */
const MAX_WORDS = 10

/**
 * The words that a file must contain, longest first. A word that is part of another one is left out, since every match of
 * the longer one contains it. Of very many words the shortest are ignored.
 */
export function searchWords(search: string): string[] {
  const longestFirst = searchable(search)
    .split(' ')
    .filter(Boolean)
    .toSorted((a, b) => b.length - a.length)
  const words: string[] = []
  for (const word of longestFirst) if (!words.some(longer => longer.includes(word))) words.push(word)
  return words.slice(0, MAX_WORDS)
}

function daysOfYear(year: number): DayRange {
  return { fromDay: firstDayOf(year), toDay: firstDayOf(year + 1) - 1 }
}

/** `Date.UTC` takes years below 100 as those of the 20th century. */
function firstDayOf(year: number): number {
  return new Date(0).setUTCFullYear(year, 0, 1) / DAY
}

function pick(choose: (a: number, b: number) => number, a: number | undefined, b: number | undefined) {
  return a === undefined || b === undefined ? (a ?? b) : choose(a, b)
}
