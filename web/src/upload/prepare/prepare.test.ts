import { expect, test } from 'vitest'
import { needsConversion } from './prepare.ts'

const extensions = ['mts', 'm2ts', 'avi', 'mov', 'mkv', 'wmv', 'flv', 'm4v', 'mpg', 'mpeg', '3gp']

test.each(extensions)('a video with the extension .%s needs conversion whatever its type', extension => {
  expect(needsConversion({ name: `film.${extension}`, type: 'video/mp4' })).toBe(true)
  expect(needsConversion({ name: `FILM.${extension.toUpperCase()}`, type: '' })).toBe(true)
})

test.each(['video/mp4', 'video/webm', 'video/ogg'])('a video of the type %s needs no conversion', type => {
  expect(needsConversion({ name: 'film', type })).toBe(false)
})

test('a video of any other type needs conversion', () => {
  expect(needsConversion({ name: 'film.vob', type: 'video/dvd' })).toBe(true)
})
