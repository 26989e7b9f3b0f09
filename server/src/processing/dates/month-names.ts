import { monthsByName, plain as plainWord, seasonsByName } from '#contract/date-words/lookup.ts'
import type { Season } from '#contract/edtf.ts'

const languages = ['en', 'de', 'fr', 'es', 'it', 'nl']

/** Months by their names in six languages, without accents and in lower case. */
export const longMonths = namesOf('long', [...monthsByName])
export const shortMonths = namesOf('short', [['sept', 9]])

function namesOf(month: 'long' | 'short', others: [string, number][]): ReadonlyMap<string, number> {
  const names = languages.flatMap(language => {
    const format = new Intl.DateTimeFormat(language, { month, timeZone: 'UTC' })
    return Array.from({ length: 12 }, (_, i): [string, number] => [plain(format.format(Date.UTC(2000, i))), i + 1])
  })
  return new Map([...names, ...others])
}

export const seasons: ReadonlyMap<string, Season> = new Map([
  ...seasonsByName,
  ...['printemps', 'primavera', 'lente', 'voorjaar'].map((word): [string, Season] => [word, 1]),
  ...['ete', 'verano', 'estate', 'zomer'].map((word): [string, Season] => [word, 2]),
  ...['automne', 'otono', 'autunno', 'herfst', 'najaar'].map((word): [string, Season] => [word, 3]),
  ...['hiver', 'invierno', 'inverno'].map((word): [string, Season] => [word, 4]),
])

/** Without accents, in lower case; Intl ends abbreviations with a dot. */
export function plain(word: string): string {
  return plainWord(word, 'en').replace(/\.$/, '')
}
