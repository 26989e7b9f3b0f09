import { expect, test } from 'vitest'
import { suggest } from './suggest.ts'

const all = ['Beach', 'Grandma', 'Été 2024', 'Beach house', 'Dog']

test('suggests tags that contain the text, ignoring case and accents', () => {
  expect(suggest(all, 'BEA', [])).toEqual(['Beach', 'Beach house'])
  expect(suggest(all, 'ete', [])).toEqual(['Été 2024'])
})

test('suggests all tags for an empty text, except those already set', () => {
  expect(suggest(all, '', ['beach'])).toEqual(['Grandma', 'Été 2024', 'Beach house', 'Dog'])
})

test('suggests at most eight', () => {
  expect(
    suggest(
      Array.from({ length: 20 }, (_, i) => `Tag ${i}`),
      '',
      [],
    ),
  ).toHaveLength(8)
})
