import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser'
import type { Catalogue } from '../../messages/compile.ts'

/** A catalogue file with its messages by their full keys, such as `add.success`. */
export interface MessageFile {
  path: string
  /** As in `messages/en/tags.json`: `tags`. */
  name: string
  messages: Map<string, Message>
}

export interface Message {
  text: string
  placeholders: Map<string, Placeholder>
  /** The keys of each plural in it. */
  plurals: Plural[]
  /** Why the text is not valid ICU MessageFormat. */
  problem: string | undefined
}

export type Placeholder = { type: 'text' } | { type: 'number' } | { type: 'choice'; choices: string[] }

export interface Plural {
  type: 'cardinal' | 'ordinal'
  forms: string[]
}

export function readMessageFiles(root: string, locale: string): MessageFile[] {
  return globSync(`messages/${locale}/*.json`, { cwd: root })
    .map(path => path.replaceAll('\\', '/'))
    .sort()
    .map(path => ({ path, name: basename(path, '.json'), messages: readMessages(join(root, path)) }))
}

function readMessages(file: string): Map<string, Message> {
  const messages = new Map<string, Message>()
  const add = (group: Catalogue, prefix: string): void => {
    for (const [key, value] of Object.entries(group)) {
      if (typeof value === 'string') messages.set(prefix + key, readMessage(value))
      else add(value, `${prefix}${key}.`)
    }
  }
  add(JSON.parse(readFileSync(file, 'utf8')), '')
  return messages
}

function readMessage(text: string): Message {
  const message: Message = { text, placeholders: new Map(), plurals: [], problem: undefined }
  try {
    collect(parse(text, { ignoreTag: true }), message)
  } catch (error) {
    message.problem = error instanceof Error ? error.message : String(error)
  }
  return message
}

function collect(elements: readonly MessageFormatElement[], message: Message): void {
  const { placeholders, plurals } = message
  for (const element of elements) {
    if (element.type === TYPE.argument) add(placeholders, element.value, { type: 'text' })
    if (element.type === TYPE.number) add(placeholders, element.value, { type: 'number' })
    if (element.type === TYPE.select) {
      add(placeholders, element.value, { type: 'choice', choices: Object.keys(element.options) })
    }
    if (element.type === TYPE.plural) {
      add(placeholders, element.value, { type: 'number' })
      plurals.push({ type: element.pluralType ?? 'cardinal', forms: Object.keys(element.options) })
    }
    if (element.type === TYPE.select || element.type === TYPE.plural) {
      for (const { value } of Object.values(element.options)) collect(value, message)
    }
  }
}

/** A placeholder that occurs twice has the choices of both; a number stays one where it is also written as it is. */
function add(placeholders: Map<string, Placeholder>, name: string, placeholder: Placeholder): void {
  const known = placeholders.get(name)
  if (known?.type === 'choice' && placeholder.type === 'choice') {
    known.choices = [...new Set([...known.choices, ...placeholder.choices])]
  } else if (!known || known.type === 'text') {
    placeholders.set(name, placeholder)
  }
}
