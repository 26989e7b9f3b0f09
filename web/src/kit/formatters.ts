/** Formatters by language and manner. To make one takes far longer than to use it, so each is made once. */

const dates = new Map<string, Intl.DateTimeFormat>()
const numbers = new Map<string, Intl.NumberFormat>()

export function dateFormat(language: string | undefined, how: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  // A formatter keeps the zone it was made in, and a tablet travels.
  const here = how.timeZone ?? new Date().getTimezoneOffset()
  return cached(dates, JSON.stringify([language, how, here]), () => new Intl.DateTimeFormat(language, how))
}

export function numberFormat(language?: string, how: Intl.NumberFormatOptions = {}): Intl.NumberFormat {
  return cached(numbers, JSON.stringify([language, how]), () => new Intl.NumberFormat(language, how))
}

function cached<Formatter>(known: Map<string, Formatter>, name: string, make: () => Formatter): Formatter {
  const formatter = known.get(name) ?? make()
  known.set(name, formatter)
  return formatter
}
