import { expect, test } from 'vitest'
import { photoInWords } from './photo-words.ts'

test('a photo is described by its date and the first parts of its place', () => {
  const words = (edtf: string | null, location: string | null) => photoInWords({ edtf, location }, 'en-GB')
  expect(words('2020-05-03T10:00:00', 'Alfama, Lisbon, Portugal')).toBe('Sunday, 3 May 2020 · Alfama, Lisbon')
  expect(words('1974-22', null)).toBe('Summer 1974')
  expect(words(null, 'Oslo, Norway')).toBe('Oslo, Norway')
  expect(words(null, null)).toBe('')
})
