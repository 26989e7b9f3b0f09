import { expect, test } from 'vitest'
import { z } from 'zod'
import { formatWallClock, PhotoMetadata, parseWallClock } from './metadata.ts'

test('a wall clock keeps the offset the camera gave, and invents none', () => {
  expect(parseWallClock('2024-06-01T12:34:56')).toEqual({ local: '2024-06-01T12:34:56', offsetMinutes: null })
  expect(parseWallClock('2024-06-01T12:34:56+02:00')).toEqual({ local: '2024-06-01T12:34:56', offsetMinutes: 120 })
  expect(parseWallClock('2024-06-01T12:34:56-03:30')).toEqual({ local: '2024-06-01T12:34:56', offsetMinutes: -210 })
  expect(parseWallClock('2024-06-01T12:34:56Z')).toEqual({ local: '2024-06-01T12:34:56', offsetMinutes: 0 })
})

test('a wall clock is read in EXIF spelling, and its hundredths are kept', () => {
  expect(parseWallClock('2024:06:01 12:34:56')).toEqual({ local: '2024-06-01T12:34:56', offsetMinutes: null })
  expect(parseWallClock('2024:06:01 12:34:56.78+0200')).toEqual({
    local: '2024-06-01T12:34:56.780',
    offsetMinutes: 120,
  })
})

test('what a clock says that nobody has set is kept', () => {
  expect(parseWallClock('1970:01:01 00:00:00')).toEqual({ local: '1970-01-01T00:00:00', offsetMinutes: null })
})

test.each([
  '0000:00:00 00:00:00',
  '1904-01-01T00:00:00',
  '2024-02-31T12:00:00',
  '2024-06-01T25:00:00',
  '1700-01-01T12:00:00',
  '    :  :     :  :  ',
  'yesterday',
  '',
])('the date %j cannot be and is dropped', text => {
  expect(parseWallClock(text)).toBeUndefined()
  expect(PhotoMetadata.parse({ dateTimeOriginal: text })).toEqual({ dateTimeOriginal: null })
})

test.each([
  ['2024-06-01T12:34:56 GMT+02:00', 120],
  ['2024:06:01 12:34:56GMT-0330', -210],
  ['2024-06-01 12:34:56 UTC', 0],
  ['2024-06-01 12:34:56 GMT', 0],
])('the zone of %s is %d minutes from UTC', (text, offsetMinutes) => {
  expect(parseWallClock(text)).toEqual({ local: '2024-06-01T12:34:56', offsetMinutes })
})

test('a clock that is years ahead is kept, so that people see what the camera said', () => {
  expect(PhotoMetadata.parse({ dateTimeOriginal: '2098:01:01 12:00:00' })).toEqual({
    dateTimeOriginal: '2098-01-01T12:00:00',
  })
})

test('an impossible offset is dropped and the clock kept', () => {
  expect(parseWallClock('2024-06-01T12:34:56+99:00')).toEqual({ local: '2024-06-01T12:34:56', offsetMinutes: null })
})

test.each(['2024-06-01T12:34:56', '2024-06-01T12:34:56.780-09:30', '2024-06-01T12:34:56+05:45'])(
  '%s is written as it was read',
  text => {
    const clock = parseWallClock(text)
    expect(clock && formatWallClock(clock)).toBe(text)
  },
)

test('absurd values are dropped and the rest is kept', () => {
  const parsed = PhotoMetadata.parse({
    make: '  Canon\u0000\u202e ',
    model: 'M'.repeat(5_000),
    software: { evil: true },
    iso: -1,
    fNumber: Number.NaN,
    exposureTime: 0.004,
    flash: 'yes',
    orientation: 42,
    originalWidth: 4032.5,
    originalHeight: 3024,
    __proto__: { polluted: true },
    unheardOf: 'x',
  })
  expect(parsed).toEqual({
    make: 'Canon',
    model: 'M'.repeat(100),
    software: null,
    iso: null,
    fNumber: null,
    exposureTime: 0.004,
    flash: null,
    orientation: 1,
    originalWidth: null,
    originalHeight: 3024,
  })
})

test.each([
  { latitude: 0, longitude: 0 },
  { latitude: 91, longitude: 10 },
  { latitude: 10, longitude: -181 },
  { latitude: 10 },
  { longitude: 10 },
])('%j is no position', position => {
  const { latitude, longitude } = PhotoMetadata.parse(position)
  expect([latitude, longitude]).toEqual([null, null])
})

test('a position on the equator or the zero meridian is kept', () => {
  expect(PhotoMetadata.parse({ latitude: 0, longitude: 32.5 })).toEqual({ latitude: 0, longitude: 32.5 })
  expect(PhotoMetadata.parse({ latitude: 51.48, longitude: 0 })).toEqual({ latitude: 51.48, longitude: 0 })
})

test('parsing what was parsed changes nothing', () => {
  const once = PhotoMetadata.parse({ dateTimeOriginal: '2024:06:01 12:34:56', make: ' Nikon ', latitude: 1, iso: 0 })
  expect(PhotoMetadata.parse(once)).toEqual(once)
})

test('the shape can be documented', () => {
  expect(z.toJSONSchema(PhotoMetadata, { io: 'output' })).toHaveProperty('properties.latitude')
})
