import type { z } from 'zod'
import type { Endpoint, ParsedInput } from '#contract/endpoint.ts'
import type { ErrorKey, ErrorValues, Refusal } from '#messages/errors.ts'
import { AppError, type ErrorCode } from './errors.ts'

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

/** Path parameters. A mismatch is always `malformed`, never `invalid`. */
export function parsePath<Schema extends z.ZodType>(schema: Schema, params: unknown): z.output<Schema> {
  return parse(schema, emptyToUndefined(params), () => 'malformed')
}

/** Validates a value from any part of a request. */
export function parseValue<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  return parse(schema, value, codeFor)
}

function parse<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  codeOf: (issue: z.core.$ZodIssue) => ErrorCode,
): z.output<Schema> {
  // A call without body, query or parameters ignores whatever is sent there.
  if (schema.type === 'undefined') return undefined as z.output<Schema>
  // Postgres cannot store NUL in text.
  if (holdsNul(value)) throw new AppError('malformed', 'request.notText')
  const result = schema.safeParse(value, { error: describeIssue, reportInput: true })
  if (result.success) return result.data
  const issue = result.error.issues[0]
  if (!issue) throw new AppError('malformed', 'request.notUnderstood')
  // From `describeIssue`, or from `refusal` in the contract.
  const { key, values }: Refusal = JSON.parse(issue.message)
  throw new AppError(codeOf(issue), key as ErrorKey, { ...values })
}

const kindIssues = new Set(['invalid_type', 'unrecognized_keys', 'invalid_union', 'invalid_key', 'invalid_element'])

/** A wrong type (text instead of a number) is malformed; a right type that breaks a rule is invalid. */
function codeFor(issue: z.core.$ZodIssue): ErrorCode {
  if (issue.code === 'invalid_value') return issue.values.some(hasTypeOf(issue.input)) ? 'invalid' : 'malformed'
  return kindIssues.has(issue.code) ? 'malformed' : 'invalid'
}

function hasTypeOf(input: unknown): (value: unknown) => boolean {
  return value => typeof value === typeof input
}

/** Iterative: a megabyte of nested brackets would overflow the stack of a recursive function. */
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

type Issue = z.core.$ZodRawIssue

/**
 * Says what is wrong with an input. It names the field, because most of these errors are bugs in a client whose author has
 * to find it. Messages defined in the contract take precedence.
 */
function describeIssue(issue: Issue): string {
  return JSON.stringify(refusalOf(issue))
}

function refusalOf(issue: Issue): Refusal {
  const subject = subjectOf(issue)
  if (issue.input === undefined && issue.code !== 'unrecognized_keys') return refusal('input.missing', { subject })
  switch (issue.code) {
    case 'invalid_type':
      return refusal('input.kind', { subject, kind: kinds[String(issue.expected)] ?? 'other' })
    case 'too_small':
      return outOfBounds(subject, issue, 'least', Number(issue.minimum))
    case 'too_big':
      return outOfBounds(subject, issue, 'other', Number(issue.maximum))
    case 'invalid_value':
      return notOneOf(subject, issue.values as readonly unknown[])
    case 'not_multiple_of':
      return refusal('input.multiple', { subject, divisor: String(issue.divisor) })
    case 'invalid_format':
      return refusal('input.format', { subject, format: formats.find(format => format === issue.format) ?? 'other' })
    case 'unrecognized_keys':
      return refusal('input.unknownFields', { subject, names: (issue.keys as string[]).join(', ') })
    default:
      return refusal('input.notAllowed', { subject })
  }
}

/** A value that is a text may be a part of the sentence. */
type Parts<Values> = { [Name in keyof Values]: string extends Values[Name] ? string | Refusal : Values[Name] }

function refusal<Key extends ErrorKey>(key: Key, values: Parts<ErrorValues<Key>>): Refusal {
  return { key, values }
}

function subjectOf({ path = [], code }: Issue): Refusal {
  const part = path.at(-1)
  const outer = path.slice(0, -1)
  if (part === undefined) {
    return refusal(code === 'unrecognized_keys' ? 'input.subject.request' : 'input.subject.whole', {})
  }
  if (typeof part === 'number') {
    return refusal('input.subject.entry', { entry: String(part + 1), place: placeOf(outer) })
  }
  const name = String(part)
  return outer.length === 0
    ? refusal('input.subject.field', { name })
    : refusal('input.subject.fieldIn', { name, place: placeOf(outer) })
}

/** The same where it is not the subject of the sentence. */
function placeOf(path: readonly PropertyKey[]): Refusal {
  const part = path.at(-1)
  const outer = path.slice(0, -1)
  if (part === undefined) return refusal('input.place.list', {})
  if (typeof part === 'number') return refusal('input.place.entry', { entry: String(part + 1), place: placeOf(outer) })
  const name = String(part)
  return outer.length === 0
    ? refusal('input.place.field', { name })
    : refusal('input.place.fieldIn', { name, place: placeOf(outer) })
}

const kinds: Record<string, ErrorValues<'input.kind'>['kind']> = {
  string: 'string',
  number: 'number',
  int: 'int',
  boolean: 'boolean',
  array: 'list',
  tuple: 'list',
  object: 'record',
  record: 'record',
  null: 'null',
  date: 'date',
}

const formats = ['date', 'datetime', 'email', 'url', 'uuid', 'safeint'] as const

/** Exclusive bounds are used only for positive numbers. */
function outOfBounds(
  subject: Refusal,
  { origin, inclusive, exact }: Issue,
  atLeastOrMost: 'least' | 'other',
  limit: number,
): Refusal {
  const amount = exact ? 'exactly' : atLeastOrMost
  if (origin === 'string') {
    return limit === 1 && amount === 'least'
      ? refusal('input.empty', { subject })
      : refusal('input.characters', { subject, amount, count: limit })
  }
  if (origin === 'array' || origin === 'set') return refusal('input.entries', { subject, amount, count: limit })
  const exclusive = atLeastOrMost === 'least' ? 'more' : 'less'
  return refusal('input.number', { subject, amount: inclusive === false ? exclusive : amount, limit })
}

function notOneOf(subject: Refusal, values: readonly unknown[]): Refusal {
  const names = values.map(value => `“${String(value)}”`)
  const last = names.pop()
  if (last === undefined) return refusal('input.notAllowed', { subject })
  return names.length === 0
    ? refusal('input.value', { subject, value: last })
    : refusal('input.oneOf', { subject, values: names.join(', '), last })
}
