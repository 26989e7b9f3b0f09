import { expect, test } from 'vitest'
import type { GridFile } from '#contract/grid.ts'
import { accessibleName } from './file-description.ts'

const file: GridFile = {
  id: 1,
  original_name: 'Beach.jpg',
  file_type: 'image',
  file_size: 2_500_000,
  day: '2026-06-14',
  ratio: 4 / 3,
  thumbhash: null,
  thumbnail_url: null,
  mobile_url: null,
  status: 'ready',
  hearts: 0,
  hearted: false,
}

test('the accessible name of a photo has its name, day, kind and position', () => {
  expect(accessibleName(file, 4, 12_480, 'nothing')).toMatch(/^Beach\.jpg, .*2026.*, Photo, 5 of 12.480$/)
})

test('the accessible name says who loves it', () => {
  const loved = { ...file, hearts: 3, hearted: true }
  expect(accessibleName(loved, 4, 12_480, 'nothing')).toMatch(/, Photo, Favourites, loved by 3 people, 5 of 12.480$/)
})

test('the accessible name of a video has its duration', () => {
  const film: GridFile = { ...file, file_type: 'video', duration: 42 }
  expect(accessibleName(film, 0, 1, 'nothing')).toContain(', 0:42, Video, ')
})

test('a photo with a clip is a Live Photo', () => {
  expect(accessibleName({ ...file, live: true }, 0, 1, 'nothing')).toContain(', Live Photo, ')
})

test('visible text is repeated word for word', () => {
  expect(accessibleName(file, 0, 1, 'facts')).toMatch(/^Beach\.jpg, [^,]*14.*2026, 2.4 MB, Photo, /)
})

test('processing and failed files say so', () => {
  expect(accessibleName({ ...file, status: 'processing', progress: 40 }, 0, 1, 'nothing')).toContain('Preparing 40%')
  const failed: GridFile = { ...file, status: 'failed', failure_reason: 'It ends in the middle.' }
  expect(accessibleName(failed, 0, 1, 'nothing')).toContain('Could not be prepared, It ends in the middle.')
})

test('the place is included if known', () => {
  expect(accessibleName({ ...file, location: 'Lagos, Nigeria' }, 0, 1, 'nothing')).toContain('Photo, Lagos, Nigeria, ')
})
