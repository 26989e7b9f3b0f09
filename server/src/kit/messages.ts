import { readFileSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { compile } from '#messages/compile.ts'
import { chooseLocale, type Locale } from '#messages/locales.ts'
import { createTexts } from '#messages/texts.ts'
import type { Messages } from '#messages/types.ts'

const loaded = new Map<string, object>()

/** The texts of a catalogue in a language, for what the server itself puts into words. Read at the first use. */
export function textsIn<Name extends keyof Messages & string>(name: Name, locale: Locale): Messages[Name] {
  const path = `${locale}/${name}.json`
  const texts = loaded.get(path) ?? read(path, locale)
  loaded.set(path, texts)
  // types.ts is generated from these catalogues.
  return texts as Messages[Name]
}

/** Not imported, because tests import catalogues as the pages do, compiled already. */
function read(path: string, locale: Locale): object {
  const catalogue = readFileSync(new URL(`../../../messages/${path}`, import.meta.url), 'utf8')
  return createTexts(compile(JSON.parse(catalogue)), locale, locale)
}

/** For what a browser shows without a page of ours, which knows the language that the person has chosen. */
export function localeOf({ headers }: { headers: IncomingHttpHeaders }): Locale {
  return chooseLocale(acceptedLanguages(headers['accept-language']))
}

/** Those that are wanted most come first. */
function acceptedLanguages(header = ''): string[] {
  return header
    .slice(0, LONGEST_HEADER)
    .split(',')
    .map(part => {
      const [tag = '', ...parameters] = part.split(';').map(text => text.trim())
      const weight = parameters.find(text => text.startsWith('q='))
      return { tag, weight: weight === undefined ? 1 : Number(weight.slice(2)) }
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag)
}

const LONGEST_HEADER = 1000
