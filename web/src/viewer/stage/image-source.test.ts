import { expect, test } from 'vitest'
import { imageUrlFor, isSameImage } from './image-source.ts'

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
])('at %d pixels a photo of 6000 uses %s', (pixels, address) => {
  expect(imageUrlFor({ ...photo, variant_urls }, pixels)).toBe(address)
})

test('a small image uses its own size', () => {
  expect(imageUrlFor({ ...photo, width: 640, height: 480, variant_urls }, 4000)).toBe('m')
})

test('without variants the full-size file is used, or nothing', () => {
  expect(imageUrlFor({ ...photo, variant_urls: null }, 400)).toBe('full')
  expect(imageUrlFor({ ...photo, url: null, variant_urls: null }, 400)).toBeUndefined()
})

test('an animated image uses the original', () => {
  for (const mime_type of ['image/webp', 'image/png', 'image/avif']) {
    expect(imageUrlFor({ ...photo, mime_type, animated: true, variant_urls }, 400)).toBe('full')
    expect(imageUrlFor({ ...photo, mime_type, variant_urls }, 400)).toBe('m')
  }
  expect(imageUrlFor({ ...photo, mime_type: 'image/gif', variant_urls }, 400)).toBe('full')
})

test('an animated image uses a still with reduced motion', () => {
  expect(imageUrlFor({ ...photo, animated: true, variant_urls }, 400, { still: true })).toBe('m')
})

test('a video uses its variants only', () => {
  expect(imageUrlFor({ ...photo, file_type: 'video', variant_urls }, 9000)).toBe('d')
})

test('URLs that differ in their signature are the same image', () => {
  expect(isSameImage('/files/a.jpg?s=1', '/files/a.jpg?s=2')).toBe(true)
  expect(isSameImage('/files/a.jpg?s=1', '/files/b.jpg?s=1')).toBe(false)
  expect(isSameImage(undefined, undefined)).toBe(false)
})
