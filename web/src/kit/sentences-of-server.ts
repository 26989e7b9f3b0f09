import type { CompiledCatalogue } from '#messages/compile.ts'
import { inWords } from '#messages/keys.ts'
import { createTexts } from '#messages/texts.ts'
import { formatCount } from './format.ts'
import { locale } from './messages.ts'

interface Known {
  key: string
  pattern: RegExp
}

/**
 * Translates sentences that the server keeps in English, such as why a file could not be prepared months ago: a message of
 * the catalogue, found by its English words. Others stay as they are. What is put into one may be another.
 */
export function sentenceTranslator(texts: object, english: unknown): (sentence: string) => string {
  let known: Known[] | undefined
  const translate = (sentence: string): string => {
    if (locale === 'en') return sentence
    known ??= Object.entries(createTexts(english as CompiledCatalogue, 'en', 'en')).map(([key, message]) => ({
      key,
      pattern: patternOf(message),
    }))
    for (const { key, pattern } of known) {
      const found = pattern.exec(sentence)
      if (!found) continue
      const values = Object.entries(found.groups ?? {}).map(([name, value]) => [name, translate(inRegion(value))])
      return inWords(texts, { key, values: Object.fromEntries(values) }) ?? sentence
    }
    return sentence
  }
  return translate
}

/** Marks a placeholder; no message contains it. */
const MARK = '\0'

function patternOf(message: string | ((values: object) => string)): RegExp {
  const marked = new Proxy({}, { has: () => true, get: (_, name) => `${MARK}${String(name)}${MARK}` })
  const parts = (typeof message === 'string' ? message : message(marked)).split(MARK)
  const source = parts.map((part, index) => (index % 2 === 0 ? escaped(part) : `(?<${part}>.+)`))
  return new RegExp(`^${source.join('')}$`, 's')
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

/** "2,000" as it is written in the person's region. */
function inRegion(value: string): string {
  return /^\d[\d,]*$/.test(value) ? formatCount(Number(value.replaceAll(',', ''))) : value
}
