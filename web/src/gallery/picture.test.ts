import { expect, test } from 'vitest'
import { pictureFor } from './picture.ts'

const photo = {
  width: 4_000,
  height: 3_000,
  thumbnail_url: 'thumbnail',
  variant_urls: { thumbnail: 'thumbnail', mobile: 'mobile', website: 'website', desktop: 'desktop' },
}

test('a thumbnail fills a small square sharply', () => {
  expect(pictureFor(photo, 200)).toBe('thumbnail')
  expect(pictureFor(photo, 260)).toBe('thumbnail')
})

test('a screen with more pixels gets the next size', () => {
  expect(pictureFor(photo, 400)).toBe('mobile')
})

test('the shorter side of the picture has to fill the square', () => {
  const panorama = { ...photo, width: 12_000, height: 2_000 }
  expect(pictureFor(panorama, 200)).toBe('mobile')
})

test('a picture that is small itself has nothing more to show', () => {
  const icon = { ...photo, width: 120, height: 120 }
  expect(pictureFor(icon, 800)).toBe('thumbnail')
})

test('a video has one picture, and a file in the making none', () => {
  expect(pictureFor({ ...photo, variant_urls: null }, 800)).toBe('thumbnail')
  expect(pictureFor({ ...photo, thumbnail_url: null, variant_urls: null }, 200)).toBeUndefined()
})
