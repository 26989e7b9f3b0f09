import { z } from 'zod'

export const Id = z.number().int().positive()

/** An id as it stands in a path. */
export const IdInPath = z.object({ id: z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER) })

/** Whether there is anything to see in a text, which blanks and characters that draw nothing are not. */
export function isVisible(text: string): boolean {
  return /[^\p{Cc}\p{Cf}\p{Cs}\p{M}\p{Z}\p{Default_Ignorable_Code_Point}]/u.test(text)
}

/** A moment: ISO 8601, UTC. */
export const Moment = z.iso.datetime()

/** Every error of the product has this one shape. */
export const ErrorAnswer = z.object({
  error: z.string().describe('A sentence a person understands'),
  code: z.string().describe('A stable name for programs'),
})
export type ErrorAnswer = z.infer<typeof ErrorAnswer>
