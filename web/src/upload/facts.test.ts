import { expect, test } from 'vitest'
import { camera, factsOf, position, takenOn } from './facts.ts'
import { itemWith } from './test-support/items.ts'

test('the date is the camera’s own, whatever zone it was in', () => {
  expect(takenOn({ dateTimeOriginal: '2024-06-14T23:30:00+09:00' }, 'en-GB')).toBe('14 Jun 2024, 23:30')
  expect(takenOn({ dateTimeDigitized: '2024-06-14T08:05:00' }, 'en-GB')).toBe('14 Jun 2024, 08:05')
  expect(takenOn({ dateTimeOriginal: 'yesterday' })).toBeUndefined()
})

test('a position is written in degrees, with north, south, east and west', () => {
  expect(position({ latitude: 52.52, longitude: 13.405 })).toBe('52.5200° N, 13.4050° E')
  expect(position({ latitude: -33.8688, longitude: -70.66 })).toBe('33.8688° S, 70.6600° W')
  expect(position({ latitude: 52.52 })).toBeUndefined()
})

test('a camera is summed up in a line, its maker named once', () => {
  const shot = { make: 'Canon', model: 'Canon EOS R5', fNumber: 2.8, exposureTime: 1 / 250, iso: 100 }
  expect(camera(shot)).toBe('Canon EOS R5 · f/2.8 · 1/250 s · ISO 100')
  expect(camera({ make: 'NIKON CORPORATION', model: 'NIKON D850' })).toBe('NIKON D850')
  expect(camera({ make: 'Apple', model: 'iPhone 15', exposureTime: 2 })).toBe('Apple iPhone 15 · 2 s')
  expect(camera({})).toBeUndefined()
})

test('a row tells what is known, the size always', () => {
  expect(factsOf(itemWith({ size: 2_500_000 }))).toEqual(['2.4 MB'])
  const metadata = { latitude: 1, longitude: 2, model: 'X100' }
  expect(factsOf(itemWith({ metadata }))).toEqual(['10 Bytes', '1.0000° N, 2.0000° E', 'X100'])
})
