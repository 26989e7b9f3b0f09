import type { Season } from '#contract/edtf.ts'

const languages = ['en', 'de', 'fr', 'es', 'it', 'nl']

/** Months by their names in six languages, without accents and in lower case. */
export const longMonths = namesOf('long', [
  ['jaenner', 1],
  ['janner', 1],
  ['maerz', 3],
])
export const shortMonths = namesOf('short', [
  ['mrz', 3],
  ['sept', 9],
])

function namesOf(month: 'long' | 'short', others: [string, number][]): ReadonlyMap<string, number> {
  const names = languages.flatMap(language => {
    const format = new Intl.DateTimeFormat(language, { month, timeZone: 'UTC' })
    return Array.from({ length: 12 }, (_, i): [string, number] => [plain(format.format(Date.UTC(2000, i))), i + 1])
  })
  return new Map([...names, ...others])
}

export const seasons: ReadonlyMap<string, Season> = new Map([
  ...['spring', 'fruhling', 'fruehling', 'fruhjahr', 'fruehjahr', 'printemps', 'primavera', 'lente', 'voorjaar'].map(
    (word): [string, Season] => [word, 1],
  ),
  ...['summer', 'sommer', 'ete', 'verano', 'estate', 'zomer'].map((word): [string, Season] => [word, 2]),
  ...['autumn', 'fall', 'herbst', 'automne', 'otono', 'autunno', 'herfst', 'najaar'].map((word): [string, Season] => [
    word,
    3,
  ]),
  ...['winter', 'hiver', 'invierno', 'inverno'].map((word): [string, Season] => [word, 4]),
])

/** Without accents, in lower case; Intl ends abbreviations with a dot. */
export function plain(word: string): string {
  return word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replace(/\.$/, '')
}
