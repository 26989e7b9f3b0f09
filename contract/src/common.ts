import { z } from 'zod'

export const Id = z.number().int().positive()

/**
 * A number in a path or a query, where everything is text. Only its canonical form counts: `Number()` also reads `0x1`,
 * `01`, `1e3`, `+1` and blanks around a number, so that one thing would have many addresses.
 */
export function inText<Schema extends z.ZodType<number>>(schema: Schema) {
  return z.preprocess(
    value => (typeof value === 'string' && String(Number(value)) === value ? Number(value) : value),
    schema,
  )
}

export const IdInText = inText(Id.max(Number.MAX_SAFE_INTEGER))

export const IdInPath = z.object({ id: IdInText })

/** Whether there is anything to see in a text, which blanks and characters that draw nothing are not. */
export function isVisible(text: string): boolean {
  return /[^\p{Cc}\p{Cf}\p{Cs}\p{M}\p{Z}\p{Default_Ignorable_Code_Point}]/u.test(text)
}

/** Terminals and other programs may act upon control characters; in a text only tabs and line breaks have a meaning. */
export function withoutControlCharacters(text: string): string {
  return text.replace(/(?![\t\n\r])\p{Cc}/gu, '')
}

/** A moment: ISO 8601, UTC. */
export const Moment = z.iso.datetime()

/** Every error of the product has this one shape. */
export const ErrorAnswer = z.object({
  error: z.string().describe('A sentence a person understands'),
  code: z.string().describe('A stable name for programs'),
})
export type ErrorAnswer = z.infer<typeof ErrorAnswer>
