import format, { type CompiledMessage, type FormatOptions, type FormatValues } from 'icu-minify/format'
import type { CompiledCatalogue } from './compile.ts'

/**
 * The messages as the code uses them: a message without placeholders is a string, one with placeholders a function of their
 * values. `types.ts` has the type of each catalogue.
 */
export function createTexts(catalogue: CompiledCatalogue, locale: string, region: string): object {
  const options = formatOptions(region)
  const texts = (group: CompiledCatalogue): object =>
    Object.fromEntries(
      Object.entries(group).map(([key, value]) => {
        if (typeof value === 'string') return [key, value]
        if (!isMessage(value)) return [key, texts(value)]
        return [key, (values: FormatValues) => String(format(value, locale, values, options))]
      }),
    )
  return texts(catalogue)
}

function isMessage(value: CompiledMessage | CompiledCatalogue): value is CompiledMessage {
  return Array.isArray(value)
}

/** Numbers are formatted for the region, plurals chosen by the language of the message. */
function formatOptions(region: string): FormatOptions {
  const numbers = new Map<string, Intl.NumberFormat>()
  const plurals = new Map<string, Intl.PluralRules>()
  return {
    formatters: {
      getNumberFormat: (_, how) => cached(numbers, JSON.stringify(how), () => new Intl.NumberFormat(region, how)),
      getPluralRules: (locale, how) =>
        cached(plurals, JSON.stringify([locale, how]), () => new Intl.PluralRules(locale, how)),
      getDateTimeFormat: (_, how) => new Intl.DateTimeFormat(region, how),
    },
  }
}

/** Creating a formatter takes far longer than using it. */
function cached<Formatter>(known: Map<string, Formatter>, name: string, make: () => Formatter): Formatter {
  const formatter = known.get(name) ?? make()
  known.set(name, formatter)
  return formatter
}
