import type { z } from 'zod'

type Issue = z.core.$ZodRawIssue

/**
 * What is wrong with an input, in a sentence for the person who sent it. It names the field, because most of these are
 * mistakes of a program, whose author has to find it. A sentence that the contract has of its own is used instead.
 */
export function describeIssue(issue: Issue): string {
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

/** An exclusive bound is only ever that of a positive number. */
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
