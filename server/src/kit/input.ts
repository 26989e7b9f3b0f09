import type { z } from 'zod'
import type { Endpoint, ParsedInput } from '#contract/endpoint.ts'
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
  if (holdsNul(value)) throw new AppError('malformed', 'The request holds a character that is not text.')
  const result = schema.safeParse(value, { error: describeIssue, reportInput: true })
  if (result.success) return result.data
  const issue = result.error.issues[0]
  if (!issue) throw new AppError('malformed', 'The request could not be understood.')
  throw new AppError(codeOf(issue), issue.message)
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
 * A sentence that says what is wrong with an input. It names the field, because most of these errors are bugs in a client
 * whose author has to find it. Messages defined in the contract take precedence.
 */
function describeIssue(issue: Issue): string {
  return `${subjectOf(issue)} ${predicateOf(issue)}.`
}

function subjectOf({ path, code }: Issue): string {
  if (path === undefined || path.length === 0) return code === 'unrecognized_keys' ? 'The request' : 'What was sent'
  return path.reduce<string>((name, part) => {
    if (typeof part === 'number') return `Entry ${part + 1} of ${lowerFirst(name)}`
    return name === '' ? `The field “${String(part)}”` : `The field “${String(part)}” in ${lowerFirst(name)}`
  }, '')
}

function lowerFirst(text: string): string {
  return text === '' ? 'the list' : `${text.charAt(0).toLowerCase()}${text.slice(1)}`
}

function predicateOf(issue: Issue): string {
  if (issue.input === undefined && issue.code !== 'unrecognized_keys') return 'is missing'
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${kinds[String(issue.expected)] ?? 'of another kind'}`
    case 'too_small':
      return bound(issue, 'at least', Number(issue.minimum))
    case 'too_big':
      return bound(issue, 'at most', Number(issue.maximum))
    case 'invalid_value':
      return `must be ${oneOf(issue.values as readonly unknown[])}`
    case 'not_multiple_of':
      return `must be a multiple of ${String(issue.divisor)}`
    case 'invalid_format':
      return `must be ${formats[String(issue.format)] ?? 'written in another way'}`
    case 'unrecognized_keys':
      return `has a field that is not known here: ${(issue.keys as string[]).join(', ')}`
    default:
      return 'has a value that is not allowed here'
  }
}

const kinds: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'an object with named fields',
  record: 'an object with named fields',
  null: 'empty',
  date: 'a date',
}

const formats: Record<string, string> = {
  date: 'a date such as 2024-12-31',
  datetime: 'a date and time such as 2024-12-31T23:59:59Z',
  email: 'an e-mail address',
  url: 'a web address',
  uuid: 'a UUID',
  safeint: 'a whole number',
}

/** Exclusive bounds are used only for positive numbers. */
function bound({ origin, inclusive, exact }: Issue, atMostOrLeast: string, limit: number): string {
  const amount = exact ? 'exactly' : atMostOrLeast
  const many = (noun: string) => `${limit.toLocaleString('en')} ${noun}${limit === 1 ? '' : 's'}`
  if (origin === 'string')
    return limit === 1 && amount === 'at least' ? 'must not be empty' : `must have ${amount} ${many('character')}`
  if (origin === 'array' || origin === 'set')
    return `must have ${amount} ${limit === 1 ? '1 entry' : `${limit.toLocaleString('en')} entries`}`
  if (inclusive === false)
    return `must be ${amount === 'at least' ? 'more' : 'less'} than ${limit.toLocaleString('en')}`
  return `must be ${amount} ${limit.toLocaleString('en')}`
}

function oneOf(values: readonly unknown[]): string {
  const names = values.map(value => `“${String(value)}”`)
  const last = names.pop() ?? 'another value'
  return names.length === 0 ? last : `${names.join(', ')} or ${last}`
}
