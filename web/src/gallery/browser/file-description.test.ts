import { expect, test } from 'vitest'
import type { MediaFile } from '#contract/media.ts'
import { accessibleName } from './file-description.ts'

const file: MediaFile = {
  id: 1,
  original_name: 'Beach.jpg',
  file_type: 'image',
  mime_type: 'image/jpeg',
  file_size: 2_500_000,
  uploaded_at: '2026-06-15T08:00:00Z',
  uploaded_by: null,
  folder_id: null,
  width: 4_000,
  height: 3_000,
  duration: null,
  url: null,
  download_url: '/files/original',
  thumbnail_url: null,
  variant_urls: null,
  motion_url: null,
  animated: false,
  partly_damaged: false,
  playback_type: null,
  compatible: null,
  thumbhash: null,
  taken_at: '2026-06-14T23:30:00+02:00',
  date: '2026-06-14T23:30:00',
  latitude: null,
  longitude: null,
  location: null,
  camera: null,
  status: 'ready',
  progress: null,
  failure_reason: null,
  hash: '',
}

test('the accessible name of a photo has its name, day, kind and position', () => {
  expect(accessibleName(file, 4, 12_480, 'nothing')).toMatch(/^Beach\.jpg, .*2026.*, Photo, 5 of 12.480$/)
})

test('the accessible name of a video has its duration', () => {
  const film: MediaFile = { ...file, file_type: 'video', duration: 42 }
  expect(accessibleName(film, 0, 1, 'nothing')).toContain(', 0:42, Video, ')
})

test('visible text is repeated word for word', () => {
  expect(accessibleName(file, 0, 1, 'facts')).toMatch(/^Beach\.jpg, [^,]*14.*2026, 2.4 MB, Photo, /)
})

test('processing and failed files say so', () => {
  expect(accessibleName({ ...file, status: 'processing', progress: 40 }, 0, 1, 'nothing')).toContain('Preparing 40%')
  const failed: MediaFile = { ...file, status: 'failed', failure_reason: 'It ends in the middle.' }
  expect(accessibleName(failed, 0, 1, 'nothing')).toContain('Could not be prepared, It ends in the middle.')
})

test('the place is included if known', () => {
  expect(accessibleName({ ...file, location: 'Lagos, Nigeria' }, 0, 1, 'nothing')).toContain('Photo, Lagos, Nigeria, ')
})
