import { z } from 'zod'
import { idsInQuery } from './limits.ts'
import { refusal } from './refusal.ts'

export const Id = z.number().int().positive()

/**
 * A number in a path or query parameter. Only the canonical form is valid: `Number()` also accepts `0x1`, `01`,
 * `1e3`, `+1` and surrounding spaces, which would give one resource many URLs.
 */
export function inText<Schema extends z.ZodType<number>>(schema: Schema) {
  return z.preprocess(
    value => (typeof value === 'string' && String(Number(value)) === value ? Number(value) : value),
    schema,
  )
}

export const IdInText = inText(Id.max(Number.MAX_SAFE_INTEGER))

export const IdInPath = z.object({ id: IdInText })

/** In a query parameter. */
export const IdsInText = z
  .string()
  .regex(
    new RegExp(`^[1-9]\\d{0,14}(,[1-9]\\d{0,14}){0,${idsInQuery - 1}}$`),
    refusal('request.ids', { count: idsInQuery }),
  )

/** Whether a text has any visible character: not only spaces (the empty Braille cell too), control or zero-width ones. */
export function isVisible(text: string): boolean {
  return /[^\p{Cc}\p{Cf}\p{Cs}\p{M}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text)
}

/**
 * Terminals and other programs may interpret control characters; only tabs and line breaks are legitimate in a text.
 */
export function withoutControlCharacters(text: string): string {
  return text.replace(/(?![\t\n\r])\p{Cc}/gu, '')
}

/** Direction controls turn the text around them; the others make a name that looks like another one. */
const INVISIBLE = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g

/** A name or title is one line, shown between other texts. Words of all scripts need no invisible characters here. */
export function asName(text: string): string {
  return withoutControlCharacters(text.replace(INVISIBLE, '').replace(/\s/g, ' ')).replace(/ +/g, ' ').trim()
}

/** Equal for names that people read as the same: whatever their case, their spaces and what cannot be seen in them. */
export function comparableName(name: string): string {
  const visible = name.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, '')
  // Upper and then lower case, so that STRASSE equals Straße.
  return asName(visible.replaceAll('\u2800', ' ')).toUpperCase().toLowerCase()
}

/** A timestamp: ISO 8601, UTC. */
export const Moment = z.iso.datetime()

/** What a browser calls something that it sends, so that sending it twice makes one. */
export const ClientId = z.string().min(8).max(64)

/** Whether the secret address of a link or invitation can be shown again. */
export const StoredAddress = z.enum(['stored', 'not_stored', 'other_key']).default('not_stored').catch('not_stored')
export type StoredAddress = z.infer<typeof StoredAddress>

/** Beside an English sentence, for pages in another language. */
export const SentenceKey = z
  .string()
  .optional()
  .catch(undefined)
  .describe('Which sentence this is, to say it in another language')
export const SentenceValues = z
  .record(z.string(), z.unknown())
  .optional()
  .catch(undefined)
  .describe('What the sentence names; a value with a `key` is a part of it')

/** The response body of every error. */
export const ErrorAnswer = z.object({
  error: z.string().describe('A sentence a person understands, in English'),
  code: z.string().describe('A stable name for programs'),
  key: SentenceKey,
  values: SentenceValues,
})
export type ErrorAnswer = z.infer<typeof ErrorAnswer>
