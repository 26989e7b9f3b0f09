import { expect, test } from 'vitest'
import { suggest } from './suggest.ts'

const all = ['Beach', 'Grandma', 'Été 2024', 'Beach house', 'Dog']

test('tags that contain what was typed, whatever case or accents', () => {
  expect(suggest(all, 'BEA', [])).toEqual(['Beach', 'Beach house'])
  expect(suggest(all, 'ete', [])).toEqual(['Été 2024'])
})

test('all of them before anything is typed, and none that is there already', () => {
  expect(suggest(all, '', ['beach'])).toEqual(['Grandma', 'Été 2024', 'Beach house', 'Dog'])
})

test('never more than eight', () => {
  expect(
    suggest(
      Array.from({ length: 20 }, (_, i) => `Tag ${i}`),
      '',
      [],
    ),
  ).toHaveLength(8)
})
