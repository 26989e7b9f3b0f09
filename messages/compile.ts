import compileMessage from 'icu-minify/compile'
import type { CompiledMessage } from 'icu-minify/format'

/** A catalogue as it is in its JSON file: messages in ICU MessageFormat, grouped by nested keys. */
export interface Catalogue {
  [key: string]: string | Catalogue
}

export interface CompiledCatalogue {
  [key: string]: CompiledMessage | CompiledCatalogue
}

/** Parses the messages once, so that no parser is needed where they are shown. */
export function compile(catalogue: Catalogue): CompiledCatalogue {
  return Object.fromEntries(
    Object.entries(catalogue).map(([key, value]) => [
      key,
      typeof value === 'string' ? compileMessage(value) : compile(value),
    ]),
  )
}
