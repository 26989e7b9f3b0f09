import { expect, test } from 'vitest'
import { thumbnailUrlFor } from './thumbnail-source.ts'

const photo = { ratio: 4 / 3, thumbnail_url: 'thumbnail', mobile_url: 'mobile' }

const urlFor = (file: Parameters<typeof thumbnailUrlFor>[0], side: number) =>
  thumbnailUrlFor(file, { width: side / 2, height: side / 2 }, 2)

test('a small square uses the thumbnail', () => {
  expect(urlFor(photo, 200)).toBe('thumbnail')
  expect(urlFor(photo, 260)).toBe('thumbnail')
})

test('a high-resolution screen uses the next size', () => {
  expect(urlFor(photo, 400)).toBe('mobile')
})

test('the shorter side has to fill the square', () => {
  expect(urlFor({ ...photo, ratio: 3.5 }, 200)).toBe('mobile')
  expect(urlFor({ ...photo, ratio: 1 / 3.5 }, 200)).toBe('mobile')
})

test('a file with one picture uses that one, and an unprepared file has none', () => {
  expect(urlFor({ ...photo, mobile_url: null }, 800)).toBe('thumbnail')
  expect(urlFor({ ...photo, thumbnail_url: null, mobile_url: null }, 200)).toBeUndefined()
})

test('a tile with the proportions of the photo needs less than a square', () => {
  expect(thumbnailUrlFor(photo, { width: 320, height: 240 }, 1)).toBe('thumbnail')
  expect(thumbnailUrlFor(photo, { width: 320, height: 240 }, 2)).toBe('mobile')
})
