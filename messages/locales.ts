/** The first is the one that every message exists in. */
export const locales = ['en', 'de'] as const

export type Locale = (typeof locales)[number]

/** Each in its own language, so that people who cannot read the current one find it. */
export const localeNames: Record<Locale, string> = { en: 'English', de: 'Deutsch' }

export function isLocale(value: unknown): value is Locale {
  return locales.some(locale => locale === value)
}

/** The first of the wanted languages, such as `de-AT`, that there are messages in; else English. */
export function chooseLocale(wanted: readonly string[]): Locale {
  for (const tag of wanted) {
    const language = tag.toLowerCase().split('-')[0]
    if (isLocale(language)) return language
  }
  return locales[0]
}

/** Numbers and dates are written as in the person's own country, if its language is the one of the messages. */
export function chooseRegion(locale: Locale, wanted: readonly string[]): string {
  return (
    wanted.find(tag => tag.toLowerCase().startsWith(locale) && chooseLocale([tag]) === locale && isTag(tag)) ?? locale
  )
}

/** A browser may name a language in a way that `Intl` does not take, such as `en-US@posix`. */
function isTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}
