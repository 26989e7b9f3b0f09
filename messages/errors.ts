import { inWords, type KeyOf, type ValuesOf } from './keys.ts'
import type { Messages } from './types.ts'

type Errors = Messages['errors']

/** A message about what went wrong, such as `albums.changedSince`. */
export type ErrorKey = KeyOf<Errors>

export type ErrorValues<Key extends ErrorKey> = ValuesOf<Errors, Key>

/** The values as the last argument of a function: none for a message that takes none. */
export type ErrorArguments<Key extends ErrorKey> =
  Record<never, never> extends ErrorValues<Key> ? [] : [values: ErrorValues<Key>]

/** A reference to an error message, formatted later in the language of its reader. A value may be a message in turn. */
export interface Refusal {
  key: string
  values?: Readonly<Record<string, unknown>> | undefined
}

/** The formatted message; undefined if these texts have none with this key. */
export function refusalInWords(texts: object, { key, values = {} }: Refusal): string | undefined {
  const words: Record<string, string | number> = {}
  for (const [name, value] of Object.entries(values)) {
    const word = isRefusal(value) ? refusalInWords(texts, value) : value
    if (typeof word !== 'string' && typeof word !== 'number') return undefined
    words[name] = word
  }
  return inWords(texts, { key, values: words })
}

function isRefusal(value: unknown): value is Refusal {
  return typeof value === 'object' && value !== null && 'key' in value && typeof value.key === 'string'
}
