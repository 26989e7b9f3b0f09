import { expect, test } from 'vitest'
import { thumbnailUrlFor } from './thumbnail-source.ts'

const photo = {
  width: 4_000,
  height: 3_000,
  thumbnail_url: 'thumbnail',
  variant_urls: { thumbnail: 'thumbnail', mobile: 'mobile', website: 'website', desktop: 'desktop' },
}

test('a small square uses the thumbnail', () => {
  expect(thumbnailUrlFor(photo, 200)).toBe('thumbnail')
  expect(thumbnailUrlFor(photo, 260)).toBe('thumbnail')
})

test('a high-resolution screen uses the next size', () => {
  expect(thumbnailUrlFor(photo, 400)).toBe('mobile')
})

test('the shorter side has to fill the square', () => {
  const panorama = { ...photo, width: 12_000, height: 2_000 }
  expect(thumbnailUrlFor(panorama, 200)).toBe('mobile')
})

test('a small image uses its thumbnail', () => {
  const icon = { ...photo, width: 120, height: 120 }
  expect(thumbnailUrlFor(icon, 800)).toBe('thumbnail')
})

test('a video uses its thumbnail, and an unprepared file has none', () => {
  expect(thumbnailUrlFor({ ...photo, variant_urls: null }, 800)).toBe('thumbnail')
  expect(thumbnailUrlFor({ ...photo, thumbnail_url: null, variant_urls: null }, 200)).toBeUndefined()
})
