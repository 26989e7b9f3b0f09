import { expect, onTestFinished, test, vi } from 'vitest'
import { isTimeZone, timeZoneAt, wallClockIn } from './time-zones.ts'

test.each([
  ['Europe/Berlin', '2024-01-15T12:00:00Z', '2024-01-15T13:00:00', 60],
  ['Europe/Berlin', '2024-07-15T12:00:00Z', '2024-07-15T14:00:00', 120],
  // The nights of the change: 02:00 is followed by 03:00, and in autumn 03:00 by 02:00.
  ['Europe/Berlin', '2024-03-31T00:59:59Z', '2024-03-31T01:59:59', 60],
  ['Europe/Berlin', '2024-03-31T01:00:00Z', '2024-03-31T03:00:00', 120],
  ['Europe/Berlin', '2024-10-27T00:30:00Z', '2024-10-27T02:30:00', 120],
  ['Europe/Berlin', '2024-10-27T01:30:00Z', '2024-10-27T02:30:00', 60],
  // No daylight saving time in that year.
  ['Europe/Berlin', '1975-07-15T12:00:00Z', '1975-07-15T13:00:00', 60],
  ['America/Los_Angeles', '2024-06-02T03:30:00Z', '2024-06-01T20:30:00', -420],
  ['Australia/Sydney', '2024-01-15T12:00:00Z', '2024-01-15T23:00:00', 660],
  ['Asia/Kolkata', '2024-06-01T23:34:56.780Z', '2024-06-02T05:04:56.780', 330],
  ['Pacific/Kiritimati', '2024-06-01T12:00:00Z', '2024-06-02T02:00:00', 840],
  ['UTC', '2024-06-01T12:00:00Z', '2024-06-01T12:00:00', 0],
  // Before standard time: local mean time, to the minute.
  ['Europe/Berlin', '1880-06-01T12:00:00Z', '1880-06-01T12:53:00', 53],
])('in %s %s is %s', (zone, moment, local, offsetMinutes) => {
  expect(wallClockIn(zone, Date.parse(moment))).toEqual({ local, offsetMinutes })
})

test.each([
  [48.8584, 2.2945, 'Europe/Paris'],
  [-33.8567, 151.2152, 'Australia/Sydney'],
  [40.6892, -74.0445, 'America/New_York'],
  [33.4484, -112.074, 'America/Phoenix'],
  [27.7172, 85.324, 'Asia/Kathmandu'],
  [30, -40, 'Etc/GMT+3'],
])('%d, %d is in %s', (latitude, longitude, zone) => {
  expect(timeZoneAt(latitude, longitude)).toBe(zone)
})

test('every place has a zone that this Node knows', () => {
  for (let latitude = -90; latitude <= 90; latitude += 6) {
    for (let longitude = -180; longitude <= 180; longitude += 6) {
      expect(timeZoneAt(latitude, longitude), `${latitude}, ${longitude}`).toBeDefined()
    }
  }
})

test('a moment outside of the time of photography has no wall clock', () => {
  for (const moment of [Number.NaN, Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER, Date.UTC(1700, 0)]) {
    expect(wallClockIn('Europe/Berlin', moment)).toBeUndefined()
  }
})

test.each(['Europe/Berlin', 'UTC', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5'])('%s is a zone', name => {
  expect(isTimeZone(name)).toBe(true)
})

test.each(['', 'Berlin', 'Mars/Olympus', '+02:00', 'Europe/Berlin '])('%j is none', name => {
  expect(isTimeZone(name)).toBe(false)
})

test('a name in other letters needs no other formatter', () => {
  const moment = Date.UTC(2024, 6, 1)
  const expected = wallClockIn('Europe/Lisbon', moment)
  const made = vi.spyOn(Intl, 'DateTimeFormat')
  onTestFinished(() => made.mockRestore())
  expect(wallClockIn('eUROPE/lisbon', moment)).toEqual(expected)
  expect(made).not.toHaveBeenCalled()
})
