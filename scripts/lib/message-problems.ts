import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { locales } from '../../messages/locales.ts'
import { type Message, type MessageFile, readMessageFiles } from './message-files.ts'
import { findSentences } from './sentences.ts'

/** Sentences that name a file and what is wrong in it; empty if all is well. */
export function messageProblems(root: string): string[] {
  const [first, ...others] = locales
  const english = readMessageFiles(root, first)
  return [
    ...english.flatMap(file => problemsOfTexts(file, first)),
    ...others.flatMap(locale => problemsOfTranslation(readMessageFiles(root, locale), english, locale)),
    ...unusedMessages(english, readSources(root)),
    ...sentencesInCode(root),
  ]
}

function problemsOfTexts({ path, messages }: MessageFile, locale: string): string[] {
  return [...messages].flatMap(([key, { text, problem, plurals }]) => {
    if (problem) return [`${path}: ${key} is not valid: ${problem}`]
    if (text.trim() === '') return [`${path}: ${key} has no text`]
    return plurals.flatMap(({ type, forms }) => {
      const needed = new Intl.PluralRules(locale, { type }).resolvedOptions().pluralCategories
      const missing = needed.filter(form => !forms.includes(form))
      return missing.length === 0 ? [] : [`${path}: ${key} lacks the plural form ${missing.join(', ')}`]
    })
  })
}

function problemsOfTranslation(
  translated: readonly MessageFile[],
  english: readonly MessageFile[],
  locale: string,
): string[] {
  const pathOf = (name: string) => `messages/${locale}/${name}.json`
  const extra = translated.filter(({ name }) => !english.some(file => file.name === name))
  return [
    ...extra.map(({ path }) => `${path} has no English catalogue`),
    ...english.flatMap(({ name, messages }) => {
      const file = translated.find(one => one.name === name)
      if (!file) return [`${pathOf(name)} is missing`]
      return [...problemsOfTexts(file, locale), ...differences(file, messages)]
    }),
  ]
}

function differences({ path, messages }: MessageFile, english: ReadonlyMap<string, Message>): string[] {
  const missing = [...english.keys()].filter(key => !messages.has(key))
  const extra = [...messages.keys()].filter(key => !english.has(key))
  const differing = [...messages].flatMap(([key, message]) => {
    const source = english.get(key)
    if (!source || source.problem || message.problem) return []
    const [wanted, found] = [placeholdersOf(source), placeholdersOf(message)]
    return wanted === found
      ? []
      : [`${path}: ${key} has the placeholders ${found || 'none'}, in English ${wanted || 'none'}`]
  })
  return [
    ...missing.map(key => `${path}: ${key} is missing`),
    ...extra.map(key => `${path}: ${key} is not in the English catalogue`),
    ...differing,
  ]
}

/** A number may be written as it is in one language, and choose a plural in the other. */
function placeholdersOf({ placeholders }: Message): string {
  return [...placeholders]
    .map(
      ([name, value]) =>
        `{${[name, value.type, ...(value.type === 'choice' ? value.choices.toSorted() : [])].join(' ')}}`,
    )
    .sort()
    .join(' ')
}

/**
 * Messages whose key no code mentions. A group that is indexed by a value (`texts.kinds[kind]`) counts as used with all that
 * is in it, so a few unused messages are not found.
 */
function unusedMessages(files: readonly MessageFile[], sources: string): string[] {
  const words = new Set(sources.match(/[\w$]+/g))
  const indexed = new Set([...sources.matchAll(/([\w$]+)\??\.?\[(?!\])/g)].map(match => match[1]))
  return files.flatMap(({ path, name, messages }) =>
    [...messages.keys()].flatMap(key => {
      const segments = key.split('.')
      const isIndexed = [name, ...segments.slice(0, -1)].some(segment => indexed.has(segment))
      return isIndexed || segments.every(segment => words.has(segment)) ? [] : [`${path}: no code uses ${key}`]
    }),
  )
}

function readSources(root: string): string {
  return sourceFiles(root, '{web,server,contract}/src/**/*.{ts,tsx,js}')
    .map(file => readFileSync(join(root, file), 'utf8'))
    .join('\n')
}

/** Names that are the same in every language, and what no person reads. */
const untranslated = new Set([
  'Bearer …',
  'CC BY 4.0',
  'Display P3',
  'GPL or Artistic Licence',
  'Ho Chi Minh City',
  'ICC Description',
  'ISO …',
  'Image Height',
  'Image Width',
  'LGPL-2.1 or CDDL-1.0',
  'Natural Earth',
  'Source Sans 3',
  'Source Sans 3 Variable',
  '"Source Sans 3 Variable", sans-serif',
])

function sentencesInCode(root: string): string[] {
  return sourceFiles(root, 'web/src/**/*.{ts,tsx}').flatMap(file =>
    findSentences(file, readFileSync(join(root, file), 'utf8'))
      .filter(({ text }) => !untranslated.has(text))
      .map(({ line, text }) => `${file}:${line} has a text outside the catalogues: ${text}`),
  )
}

function sourceFiles(root: string, pattern: string): string[] {
  return globSync(pattern, { cwd: root })
    .map(file => file.replaceAll('\\', '/'))
    .filter(file => !/\.(test|contract)\.\w+$|\/test-/.test(file))
    .sort()
}
