import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { IdInPath, inText } from '#contract/common.ts'
import { endpoint } from '#contract/endpoint.ts'
import { FolderName } from '#contract/folders.ts'
import { endpoints } from '#contract/index.ts'
import { AppError } from './errors.ts'
import { parseInput, parseValue } from './input.ts'

const rename = endpoint({
  method: 'PUT',
  path: '/things/:id',
  summary: 'Give a thing another name',
  act: 'session.use',
  params: IdInPath,
  query: z.object({ limit: inText(z.number().int().max(100)).optional() }),
  body: z.object({
    name: z.string().trim().min(1).max(5),
    labels: z.array(z.string()).optional(),
    rotation: z.literal([0, 90]).optional(),
  }),
})
const good = { params: { id: '7' }, query: {}, body: { name: ' hat ' } }

test('input is parsed, and unknown fields are removed', () => {
  const parsed = parseInput(rename, { ...good, body: { name: ' hat ', secret: 1 } })
  expect(parsed).toEqual({ params: { id: 7 }, query: {}, body: { name: 'hat' } })
})

test('a call that takes no input ignores what is sent', () => {
  const bare = endpoint({ method: 'POST', path: '/bare', summary: 'Nothing', act: 'session.use' })
  const parsed = parseInput(bare, { params: {}, query: { a: '1' }, body: '\0' })
  expect(parsed).toEqual({ params: undefined, query: undefined, body: undefined })
})

describe('what cannot be understood is malformed', () => {
  test.each([
    ['an id that is a word', { ...good, params: { id: 'hat' } }],
    ['an id below one', { ...good, params: { id: '0' } }],
    ['an id past every id', { ...good, params: { id: '9007199254740993' } }],
    ...['0x1', '01', '1e3', ' 7', '7 ', '7\n', '+7', '-7', '7.0', '1.5', '\u0667', '', 'NaN', 'Infinity'].map(
      (id): [string, typeof good] => [`the id ${JSON.stringify(id)}`, { ...good, params: { id } }],
    ),
    ['a limit in another way of writing', { ...good, query: { limit: '0x10' } }],
    ['a query of the wrong kind', { ...good, query: { limit: 'many' } }],
    ['no body', { ...good, body: undefined }],
    ['a body that is a list', { ...good, body: [] }],
    ['a number where a text belongs', { ...good, body: { name: 5 } }],
    ['a missing field', { ...good, body: {} }],
    ['a text in place of one of some numbers', { ...good, body: { name: 'hat', rotation: '90' } }],
    ['the character NUL', { ...good, body: { name: 'h\0t' } }],
    ['brackets within brackets without end', { ...good, body: JSON.parse('['.repeat(500_000) + ']'.repeat(500_000)) }],
    ['the character NUL deep inside', { ...good, body: { name: 'hat', labels: ['a', '\0'] } }],
  ])('%s', (_, raw) => {
    expect(failure(raw)).toMatchObject({ code: 'malformed', status: 400 })
  })
})

describe('what is understood but against the rules is invalid', () => {
  test.each([
    ['too long a name', { ...good, body: { name: 'fedora' } }],
    ['a name of blanks', { ...good, body: { name: '   ' } }],
    ['too large a limit', { ...good, query: { limit: '101' } }],
    ['a number that is not one of some', { ...good, body: { name: 'hat', rotation: 45 } }],
  ])('%s', (_, raw) => {
    expect(failure(raw)).toMatchObject({ code: 'invalid', status: 422 })
  })
})

test('the sentence names the field', () => {
  const sentence = (raw: Partial<typeof good>) => failure({ ...good, ...raw }).message
  const of = (body: unknown) => sentence({ body } as Partial<typeof good>)
  expect(of({ name: 'fedora' })).toBe('The field “name” must have at most 5 characters.')
  expect(of({ name: ' ' })).toBe('The field “name” must not be empty.')
  expect(of({})).toBe('The field “name” is missing.')
  expect(of({ name: null })).toBe('The field “name” must be text.')
  expect(of([])).toBe('What was sent must be an object with named fields.')
  expect(of(undefined)).toBe('What was sent is missing.')
  expect(of({ name: 'hat', labels: ['a', 5] })).toBe('Entry 2 of the field “labels” must be text.')
  expect(sentence({ query: { limit: 'many' } })).toBe('The field “limit” must be a number.')
  expect(sentence({ query: { limit: '1.5' } })).toBe('The field “limit” must be a whole number.')
  expect(sentence({ query: { limit: '101' } })).toBe('The field “limit” must be at most 100.')
  expect(sentence({ params: { id: 'hat' } })).toBe('The field “id” must be a number.')
  expect(sentence({ params: { id: '0' } })).toBe('The field “id” must be more than 0.')
})

test('every part of the sentence is named, for pages in other languages', () => {
  expect(failure({ ...good, body: { name: 'fedora' } })).toMatchObject({
    key: 'input.characters',
    values: { subject: { key: 'input.subject.field', values: { name: 'name' } }, amount: 'other', count: 5 },
  })
  const nested = z.object({ places: z.array(z.object({ name: z.string() })) })
  const refused = () => parseValue(nested, { places: [{ name: 'Oslo' }, {}] })
  expect(refused).toThrow(/^The field “name” in entry 2 of the field “places” is missing\.$/)
})

test('a sentence of the contract is used unchanged', () => {
  const refused = () => parseValue(z.object({ folder: z.object({ name: FolderName }) }), { folder: { name: ' ' } })
  expect(refused).toThrow(/^Please enter a folder name$/)
})

describe('no endpoint answers in the words of a library', () => {
  const wrong = [
    undefined,
    null,
    'hat',
    '',
    -1,
    0,
    1.5,
    1e300,
    Number.NaN,
    true,
    [],
    [null],
    ['hat'],
    [{}],
    {},
    'x'.repeat(100_000),
  ]
  expect(endpoints.length).toBeGreaterThan(40)

  test.each(endpoints.map(one => [`${one.method} ${one.path}`, one] as const))('%s', (_, { params, query, body }) => {
    for (const schema of [params, query, body]) {
      for (const value of [...wrong, ...withEachField(schema, wrong)]) {
        const sentence = refusal(schema, value)
        if (sentence === undefined) continue
        expect(sentence).toMatch(/^[A-Z].{5,200}$/)
        // Without the names of fields, one of which is “expected”.
        expect(sentence.replace(/“\w+”/g, '')).not.toMatch(/Invalid|expected|received|NaN|undefined|regex|>=|<=|input:/)
      }
    }
  })
})

/** Objects in which one field at a time has one of these values and the others are missing. */
function withEachField(schema: z.ZodType, values: readonly unknown[]): Record<string, unknown>[] {
  const shape = schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
  return shape.flatMap(name => values.map(value => ({ [name]: value })))
}

function refusal(schema: z.ZodType, value: unknown): string | undefined {
  try {
    parseValue(schema, value)
    return undefined
  } catch (error) {
    if (error instanceof AppError) return error.message
    throw error
  }
}

function failure(raw: Parameters<typeof parseInput>[1]): AppError {
  try {
    parseInput(rename, raw)
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
  throw new Error('It was accepted')
}
