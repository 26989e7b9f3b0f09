import { locale } from '../kit/messages.ts'

/** A country of the atlas. `code`: the numeric one of ISO 3166; undefined for parts that have none. */
interface Country {
  name: string
  code: string | undefined
}

/** The atlas has short English names, such as "Bosnia and Herz."; other languages have those of the browser. */
export function withTranslatedNames<Named extends Country>(countries: Named[], language: string = locale): Named[] {
  if (language === 'en') return countries
  const names = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' })
  return countries.map(country => ({ ...country, name: nameIn(names, country.code) ?? country.name }))
}

function nameIn(names: Intl.DisplayNames, code: string | undefined): string | undefined {
  if (code === undefined) return undefined
  // A locale replaces the number by the usual code of two letters, by which names are found.
  const { region } = new Intl.Locale(`und-${code}`)
  return region === undefined ? undefined : names.of(region)
}
