import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { IdInPath } from '#contract/common.ts'
import { endpoint } from '#contract/endpoint.ts'
import { FolderName } from '#contract/folders.ts'
import { AppError } from './errors.ts'
import { parseInput, parseValue } from './input.ts'

const rename = endpoint({
  method: 'PUT',
  path: '/things/:id',
  summary: 'Give a thing another name',
  act: 'session.use',
  params: IdInPath,
  query: z.object({ limit: z.coerce.number().int().max(100).optional() }),
  body: z.object({ name: z.string().trim().min(1).max(5), labels: z.array(z.string()).optional() }),
})
const good = { params: { id: '7' }, query: {}, body: { name: ' hat ' } }

test('input comes out parsed, with nothing in it that was not asked for', () => {
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
    ['a query of the wrong kind', { ...good, query: { limit: 'many' } }],
    ['no body', { ...good, body: undefined }],
    ['a body that is a list', { ...good, body: [] }],
    ['a number where a text belongs', { ...good, body: { name: 5 } }],
    ['a missing field', { ...good, body: {} }],
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
  ])('%s', (_, raw) => {
    expect(failure(raw)).toMatchObject({ code: 'invalid', status: 422 })
  })
})

test('the sentence names the field', () => {
  expect(failure({ ...good, body: { name: 'fedora' } }).message).toMatch(/^name: /)
  expect(failure({ ...good, body: { name: 'hat', labels: ['a', 5] } }).message).toMatch(/^labels\.1: /)
})

test('a sentence that the contract wrote for people stands alone', () => {
  const refused = () => parseValue(z.object({ folder: z.object({ name: FolderName }) }), { folder: { name: ' ' } })
  expect(refused).toThrow(/^Please enter a folder name$/)
})

function failure(raw: Parameters<typeof parseInput>[1]): AppError {
  try {
    parseInput(rename, raw)
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
  throw new Error('It was accepted')
}
