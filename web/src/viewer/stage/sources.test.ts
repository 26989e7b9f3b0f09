import { expect, test } from 'vitest'
import { pictureFor, samePicture } from './sources.ts'

const variant_urls = { thumbnail: 't', mobile: 'm', website: 'w', desktop: 'd' }
const photo = {
  file_type: 'image',
  mime_type: 'image/jpeg',
  url: 'full',
  width: 6000,
  height: 4000,
  animated: false,
} as const

test.each([
  [390, 'm'],
  [800, 'm'],
  [900, 'm'],
  [1000, 'w'],
  [2000, 'w'],
  [2880, 'd'],
  [3300, 'd'],
  [3400, 'full'],
])('at %d pixels a photo of 6000 shows %s', (pixels, address) => {
  expect(pictureFor({ ...photo, variant_urls }, pixels)).toBe(address)
})

test('a picture that is itself small needs no more than it has', () => {
  expect(pictureFor({ ...photo, width: 640, height: 480, variant_urls }, 4000)).toBe('m')
})

test('without variants the full-size file is shown, and nothing where that is not made yet', () => {
  expect(pictureFor({ ...photo, variant_urls: null }, 400)).toBe('full')
  expect(pictureFor({ ...photo, url: null, variant_urls: null }, 400)).toBeUndefined()
})

test('what moves is shown as it came', () => {
  for (const mime_type of ['image/webp', 'image/png', 'image/avif']) {
    expect(pictureFor({ ...photo, mime_type, animated: true, variant_urls }, 400)).toBe('full')
    expect(pictureFor({ ...photo, mime_type, variant_urls }, 400)).toBe('m')
  }
  expect(pictureFor({ ...photo, mime_type: 'image/gif', variant_urls }, 400)).toBe('full')
})

test('what moves is a still for people who want no motion', () => {
  expect(pictureFor({ ...photo, animated: true, variant_urls }, 400, { still: true })).toBe('m')
})

test('a film is pictured by its variants alone', () => {
  expect(pictureFor({ ...photo, file_type: 'video', variant_urls }, 9000)).toBe('d')
})

test('two signatures of one picture are one picture', () => {
  expect(samePicture('/files/a.jpg?s=1', '/files/a.jpg?s=2')).toBe(true)
  expect(samePicture('/files/a.jpg?s=1', '/files/b.jpg?s=1')).toBe(false)
  expect(samePicture(undefined, undefined)).toBe(false)
})
