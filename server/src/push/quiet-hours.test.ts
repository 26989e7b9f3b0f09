import { expect, test } from 'vitest'
import { type QuietHours, quietHoursAt } from './quiet-hours.ts'

const night = { quiet_from: 22 * 60, quiet_until: 7 * 60, time_zone: 'Europe/Berlin' }
const noon: QuietHours = { quiet_from: 12 * 60, quiet_until: 13 * 60 + 30, time_zone: 'America/New_York' }

test.each([
  // In Berlin it is two hours later in summer.
  ['before the evening', night, '2026-07-01T19:59:59Z', undefined],
  ['in the evening', night, '2026-07-01T20:00:00Z', ['2026-07-01T20:00:00Z', '2026-07-02T05:00:00Z']],
  ['after midnight', night, '2026-07-01T23:30:20Z', ['2026-07-01T20:00:00Z', '2026-07-02T05:00:00Z']],
  ['in the last minute', night, '2026-07-02T04:59:59Z', ['2026-07-01T20:00:00Z', '2026-07-02T05:00:00Z']],
  ['in the morning', night, '2026-07-02T05:00:00Z', undefined],
  ['at noon elsewhere', noon, '2026-01-10T17:10:00Z', ['2026-01-10T17:00:00Z', '2026-01-10T18:30:00Z']],
  ['none are chosen', { ...night, quiet_from: null }, '2026-07-01T23:30:00Z', undefined],
  ['they end when they begin', { ...night, quiet_until: night.quiet_from }, '2026-07-01T23:30:00Z', undefined],
])('quiet hours: %s', (_name, hours, now, expected) => {
  const found = quietHoursAt(hours, Date.parse(now))
  expect(found && [found.since, found.end]).toEqual(expected?.map(text => Date.parse(text)))
})
