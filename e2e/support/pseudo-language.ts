import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { BrowserContext } from '@playwright/test'
import { type Catalogue, type CompiledCatalogue, compile } from '../../messages/compile.ts'

type CompiledMessage = Exclude<CompiledCatalogue[string], CompiledCatalogue>

/**
 * Serves English with words that are 40 % longer, between ⟦ and ⟧, in place of German: what does not fit is seen to overflow,
 * and a text without the brackets comes from no catalogue.
 */
export async function usePseudoLanguage(device: BrowserContext): Promise<void> {
  const body = `export default ${JSON.stringify(pseudoCatalogues())}`
  await device.route(/\/assets\/de-[^/]*\.js$/, route => route.fulfill({ contentType: 'text/javascript', body }))
}

function pseudoCatalogues(): Record<string, CompiledCatalogue> {
  return Object.fromEntries(
    globSync('messages/en/*.json').map(file => {
      const catalogue: Catalogue = JSON.parse(readFileSync(file, 'utf8'))
      return [basename(file, '.json'), pseudoGroup(compile(catalogue), catalogue)]
    }),
  )
}

function pseudoGroup(compiled: CompiledCatalogue, catalogue: Catalogue): CompiledCatalogue {
  return Object.fromEntries(
    Object.entries(compiled).map(([key, value]) => {
      const source = catalogue[key]
      if (typeof source === 'string') return [key, pseudoMessage(value as CompiledMessage)]
      return [key, pseudoGroup(value as CompiledCatalogue, source ?? {})]
    }),
  )
}

function pseudoMessage(message: CompiledMessage): CompiledMessage {
  if (typeof message === 'string') return `⟦${longer(message)}⟧`
  return ['⟦', ...message.map(pseudoNode), '⟧'] as CompiledMessage
}

/** Texts are strings; a placeholder is an array of its name, its type and, for a choice, the texts of each. */
function pseudoNode(node: unknown): unknown {
  if (typeof node === 'string') return longer(node)
  if (!Array.isArray(node)) return node
  const [name, type, choices] = node
  if (typeof choices !== 'object' || choices === null) return node
  return [name, type, Object.fromEntries(Object.entries(choices).map(([key, choice]) => [key, pseudoChoice(choice)]))]
}

function pseudoChoice(choice: unknown): unknown {
  return Array.isArray(choice) ? choice.map(pseudoNode) : pseudoNode(choice)
}

/** Every second and third letter of a word twice: 40 % more, and the words stay readable. */
function longer(text: string): string {
  return text.replace(/\p{L}+/gu, word =>
    [...word].map((letter, i) => (i % 5 === 1 || i % 5 === 3 ? letter + letter : letter)).join(''),
  )
}
