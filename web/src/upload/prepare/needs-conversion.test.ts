import { expect, test } from 'vitest'
import { needsConversion } from './needs-conversion.ts'

const extensions = ['mts', 'm2ts', 'avi', 'mov', 'mkv', 'wmv', 'flv', 'm4v', 'mpg', 'mpeg', '3gp']

test.each(extensions)('a video that ends in .%s needs conversion, whatever its type says', extension => {
  expect(needsConversion({ name: `film.${extension}`, type: 'video/mp4' })).toBe(true)
  expect(needsConversion({ name: `FILM.${extension.toUpperCase()}`, type: '' })).toBe(true)
})

test.each(['video/mp4', 'video/webm', 'video/ogg'])('a video of the type %s needs none', type => {
  expect(needsConversion({ name: 'film', type })).toBe(false)
})

test('a video of any other type needs conversion', () => {
  expect(needsConversion({ name: 'film.vob', type: 'video/dvd' })).toBe(true)
})
