import { describe, expect, test } from 'vitest'
import { dayLabel, listTime, readTime } from './times.ts'

const zones = ['UTC', 'Europe/Lisbon', 'America/Los_Angeles', 'Asia/Tokyo', 'Pacific/Kiritimati', 'America/St_Johns']
const hour = 3_600_000
const british = { language: 'en-GB', timeZone: 'UTC' }

describe('in the list a message shows', () => {
  const moment = '2026-06-14T18:05:00.000Z'
  const text = (passed: number) => listTime(moment, Date.parse(moment) + passed, british)

  test('its time of day for 24 hours, also past midnight', () => {
    expect(text(0)).toBe('18:05')
    expect(text(7 * hour)).toBe('18:05')
    expect(text(24 * hour - 1)).toBe('18:05')
  })
  test('then its date', () => expect(text(24 * hour)).toBe('14 Jun'))
  test('and the year, once it is another', () => expect(text(300 * 24 * hour)).toBe('14 Jun 2026'))
  test('its time of day where the clock that wrote it runs ahead', () => expect(text(-hour)).toBe('18:05'))

  test('the time and the date of where the person is', () => {
    const at = Date.parse(moment)
    expect(listTime(moment, at, { language: 'en-US', timeZone: 'America/Los_Angeles' })).toMatch(/^11:05.AM$/)
    expect(listTime(moment, at + 48 * hour, { language: 'en-GB', timeZone: 'Asia/Tokyo' })).toBe('15 Jun')
  })
})

describe('the heading of a day is', () => {
  test.each(zones)('Today from midnight to midnight in %s, Yesterday the day before', timeZone => {
    const place = { language: 'en-GB', timeZone }
    // Hour by hour through four days; the labels change at midnight there, and nowhere else.
    const now = Date.parse('2026-06-17T09:30:00Z')
    const today = localDay(now, timeZone)
    const yesterday = localDay(now - 24 * hour, timeZone)
    for (let back = 0; back < 96; back++) {
      const moment = now - back * hour
      const day = localDay(moment, timeZone)
      const label = dayLabel(new Date(moment).toISOString(), now, place)
      if (day === today) expect(label).toBe('Today')
      else if (day === yesterday) expect(label).toBe('Yesterday')
      else expect(label).toMatch(/^(Saturday|Sunday|Monday)/)
    }
  })

  test('the weekday and the date before that', () => {
    const now = Date.parse('2026-06-17T09:30:00Z')
    expect(dayLabel('2026-06-14T12:00:00Z', now, british)).toMatch(/^Sunday,? 14 June$/)
    expect(dayLabel('2026-06-14T12:00:00Z', now, { language: 'en-US', timeZone: 'UTC' })).toBe('Sunday, June 14')
    expect(dayLabel('2025-12-25T12:00:00Z', now, british)).toMatch(/^Thursday,? 25 December 2025$/)
  })

  test('the day in the time zone of the person', () => {
    const late = '2026-06-14T23:30:00Z'
    const now = Date.parse('2026-06-15T08:00:00Z')
    expect(dayLabel(late, now, { timeZone: 'UTC' })).toBe('Yesterday')
    expect(dayLabel(late, now, { timeZone: 'Asia/Tokyo' })).toBe('Today')
    expect(dayLabel(late, now, { timeZone: 'America/Los_Angeles' })).toBe('Yesterday')
  })

  test('Yesterday also when the night had 23 or 25 hours', () => {
    const place = { timeZone: 'Europe/Lisbon' }
    // 00:30 on the mornings after the clocks changed; 23:45 on the days before.
    expect(dayLabel('2026-03-28T23:45:00Z', Date.parse('2026-03-29T23:30:00Z'), place)).toBe('Saturday, March 28')
    expect(dayLabel('2026-03-28T23:45:00Z', Date.parse('2026-03-29T00:30:00Z'), place)).toBe('Yesterday')
    expect(dayLabel('2026-10-24T22:30:00Z', Date.parse('2026-10-25T23:30:00Z'), place)).toBe('Yesterday')
  })
})

test('the read time includes the date if it was not today', () => {
  const now = Date.parse('2026-06-17T09:30:00Z')
  expect(readTime('2026-06-17T08:02:00Z', now, british)).toBe('08:02')
  expect(readTime('2026-06-16T23:59:00Z', now, british)).toBe('16 Jun, 23:59')
})

/** Computed differently from the code under test. */
function localDay(moment: number, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, year: 'numeric', month: 'numeric', day: 'numeric' })
  return parts
    .formatToParts(moment)
    .filter(({ type }) => type !== 'literal')
    .map(({ value }) => value)
    .join()
}
