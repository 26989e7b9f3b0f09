import type { z } from 'zod'
import type { Endpoint, ParsedInput } from '#contract/endpoint.ts'
import { AppError } from './errors.ts'

interface RawInput {
  params: unknown
  query: unknown
  body: unknown
}

export function parseInput<E extends Endpoint>(endpoint: E, raw: RawInput): ParsedInput<E> {
  return {
    params: parse(endpoint.params, emptyToUndefined(raw.params)),
    query: parse(endpoint.query, emptyToUndefined(raw.query)),
    body: parse(endpoint.body, raw.body ?? undefined),
  } as ParsedInput<E>
}

function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  // A call that takes no body, query or parameters ignores what is sent there.
  if (schema.type === 'undefined') return undefined as z.output<Schema>
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw inputError(result.error)
}

/** Wrong in kind (a text where a number belongs) is malformed; right in kind but outside the rules is invalid. */
function inputError(error: z.ZodError): AppError {
  const kinds = new Set(['invalid_type', 'unrecognized_keys', 'invalid_union', 'invalid_key', 'invalid_element'])
  const issue = error.issues[0]
  if (!issue) return new AppError('malformed', 'The request could not be understood.')
  const where = issue.path.join('.')
  const sentence = where ? `${where}: ${issue.message}` : issue.message
  return new AppError(kinds.has(issue.code) ? 'malformed' : 'invalid', sentence)
}

function emptyToUndefined(value: unknown): unknown {
  return value && typeof value === 'object' && Object.keys(value).length > 0 ? value : {}
}
