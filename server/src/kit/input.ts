import type { z } from 'zod'
import type { Endpoint, ParsedInput } from '#contract/endpoint.ts'
import { AppError, type ErrorCode } from './errors.ts'
import { describeIssue } from './input-sentences.ts'

interface RawInput {
  params: unknown
  query: unknown
  body: unknown
}

export function parseInput<E extends Endpoint>(endpoint: E, raw: RawInput): ParsedInput<E> {
  return {
    params: parsePath(endpoint.params, raw.params),
    query: parseValue(endpoint.query, emptyToUndefined(raw.query)),
    body: parseValue(endpoint.body, raw.body ?? undefined),
  } as ParsedInput<E>
}

/** The parameters of a path. What does not fit there is malformed, never a matter of rules. */
export function parsePath<Schema extends z.ZodType>(schema: Schema, params: unknown): z.output<Schema> {
  return parse(schema, emptyToUndefined(params), () => 'malformed')
}

/** What a client sent, wherever in a request it stands. */
export function parseValue<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  return parse(schema, value, codeFor)
}

function parse<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  codeOf: (issue: z.core.$ZodIssue) => ErrorCode,
): z.output<Schema> {
  // A call that takes no body, query or parameters ignores what is sent there.
  if (schema.type === 'undefined') return undefined as z.output<Schema>
  // No database text can hold it, and nobody means it.
  if (holdsNul(value)) throw new AppError('malformed', 'The request holds a character that is not text.')
  const result = schema.safeParse(value, { error: describeIssue })
  if (result.success) return result.data
  const issue = result.error.issues[0]
  if (!issue) throw new AppError('malformed', 'The request could not be understood.')
  throw new AppError(codeOf(issue), issue.message)
}

const kindIssues = new Set(['invalid_type', 'unrecognized_keys', 'invalid_union', 'invalid_key', 'invalid_element'])

/** Wrong in kind (a text where a number belongs) is malformed; right in kind but outside the rules is invalid. */
function codeFor(issue: z.core.$ZodIssue): ErrorCode {
  return kindIssues.has(issue.code) ? 'malformed' : 'invalid'
}

/** Keeps a list of its own: brackets within brackets, a megabyte of them, would exhaust the stack. */
function holdsNul(value: unknown): boolean {
  const unseen = [value]
  while (unseen.length > 0) {
    const next = unseen.pop()
    if (typeof next === 'string' && next.includes('\0')) return true
    if (typeof next === 'object' && next !== null) for (const inner of Object.values(next)) unseen.push(inner)
  }
  return false
}

function emptyToUndefined(value: unknown): unknown {
  return value && typeof value === 'object' && Object.keys(value).length > 0 ? value : {}
}
