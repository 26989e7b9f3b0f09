import type { Season } from '../edtf.ts'
import type { HolidayName } from '../holidays.ts'
import type { DateWords } from './date-words.ts'
import { german } from './de.ts'
import { english } from './en.ts'

/** Understood whatever the language of the page: families write dates in more than one. */
const tables: readonly DateWords[] = [english, german]

export const languagesWithWords: readonly string[] = tables.map(({ language }) => language)

/** In lower case, without accents and with straight apostrophes, as the words below are. */
export function plain(text: string, language?: string): string {
  return (
    text
      .toLocaleLowerCase(language)
      .normalize('NFD')
      // Only those of alphabets: in other scripts marks are vowels.
      .replace(/[\u0300-\u036f]/g, '')
      .normalize('NFC')
      .replaceAll('ß', 'ss')
      .replace(/[‘’`]/g, "'")
  )
}

/** "Frühling" is also written "Fruhling" and "Fruehling". */
function spellings(word: string): string[] {
  return [word, word.replace(/[äöü]/gi, letter => ({ ä: 'ae', ö: 'oe', ü: 'ue' })[letter.toLowerCase()] ?? letter)].map(
    spelling => plain(spelling, 'en'),
  )
}

type List = { [Key in keyof DateWords]: DateWords[Key] extends readonly string[] ? Key : never }[keyof DateWords]

function wordsOf(pick: (table: DateWords) => readonly string[]): string[] {
  return [...new Set(tables.flatMap(pick).flatMap(spellings))]
}

/** A regular expression of all words of this kind, in all languages; the longest first. */
export function anyOf(kind: List): string {
  const words = wordsOf(table => table[kind]).sort((a, b) => b.length - a.length)
  return `(?:${words.map(word => word.replace(/[.?*+^$()[\]{}|\\]/g, '\\$&')).join('|')})`
}

export function setOf(kind: List): ReadonlySet<string> {
  return new Set(wordsOf(table => table[kind]))
}

/** By the words without apostrophes, which many people leave out. */
function mapOf<Value>(rows: readonly [Value, (table: DateWords) => readonly string[]][]): ReadonlyMap<string, Value> {
  const named = rows.flatMap(([value, pick]) => wordsOf(pick).map(word => [word.replaceAll("'", ''), value] as const))
  return new Map(named)
}

export const seasonsByName = mapOf<Season>([
  [1, ({ seasons }) => seasons.spring],
  [2, ({ seasons }) => seasons.summer],
  [3, ({ seasons }) => seasons.autumn],
  [4, ({ seasons }) => seasons.winter],
])

export const decadesByName = mapOf<number>([
  [1920, ({ decades }) => decades.twenties],
  [1930, ({ decades }) => decades.thirties],
  [1940, ({ decades }) => decades.forties],
  [1950, ({ decades }) => decades.fifties],
  [1960, ({ decades }) => decades.sixties],
  [1970, ({ decades }) => decades.seventies],
  [1980, ({ decades }) => decades.eighties],
  [1990, ({ decades }) => decades.nineties],
])

/** "März" and "Mrz", whose other names `Intl` knows: month by name. */
export const monthsByName = mapOf<number>(
  Array.from({ length: 12 }, (_, i) => [i + 1, ({ months }) => months[i + 1] ?? []]),
)

export const holidaysByName = mapOf<HolidayName>(
  (Object.keys(english.holidays) as HolidayName[]).map(name => [name, ({ holidays }) => holidays[name]]),
)
