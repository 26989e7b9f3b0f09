import { afterEach, describe, expect, test, vi } from 'vitest'
import { currentDay, formatDayHeading, formatFullDay, formatMonth, formatShortDay } from './format.ts'
import { texts } from './texts.ts'

afterEach(() => {
  vi.unstubAllEnvs()
})

const today = '2026-06-14'

describe('the heading of a day', () => {
  test('is formatted in the language of the person', () => {
    expect(formatDayHeading('2026-06-12', 'heading', { language: 'en-GB', today })).toMatch(/^Friday,? 12 June$/)
    expect(formatDayHeading('2026-06-12', 'heading', { language: 'en-US', today })).toBe('Friday, June 12')
    expect(formatDayHeading('2026-06-12', 'heading', { language: 'de', today })).toBe('Freitag, 12. Juni')
  })

  test('includes the year unless it is the current one', () => {
    expect(formatDayHeading('2019-12-24', 'short', { language: 'en-GB', today })).toBe('24 Dec 2019')
    expect(formatDayHeading('2026-01-01', 'short', { language: 'en-GB', today })).toBe('1 Jan')
  })

  test('is Today or Yesterday by the local clock', () => {
    expect(formatDayHeading('2026-06-14', 'heading', { language: 'en', today })).toBe('Today')
    expect(formatDayHeading('2026-06-13', 'heading', { language: 'en', today })).toBe('Yesterday')
    expect(formatDayHeading('2026-06-15', 'heading', { language: 'en-US', today })).toBe('Monday, June 15')
    expect(formatDayHeading('2026-06-13', 'heading', { language: 'fr', today })).toBe('Hier')
  })
})

test.each(['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Europe/Berlin'])('no time zone shifts a day: %s', zone => {
  vi.stubEnv('TZ', zone)
  expect(formatFullDay('2026-06-14', 'en-US')).toBe('Sunday, June 14, 2026')
  expect(formatShortDay('2026-01-01', 'en-US')).toBe('Jan 1, 2026')
  expect(formatMonth('2026-01', 'en-US')).toBe('January 2026')
  expect(formatDayHeading('2026-03-29', 'heading', { language: 'en-US', today })).toBe('Sunday, March 29')
})

test('today is the local date', () => {
  vi.stubEnv('TZ', 'Pacific/Kiritimati')
  expect(currentDay(new Date('2026-06-14T20:00:00Z'))).toBe('2026-06-15')
  vi.stubEnv('TZ', 'Pacific/Pago_Pago')
  expect(currentDay(new Date('2026-06-14T05:00:00Z'))).toBe('2026-06-13')
})

test('the delete confirmation says how long an admin can restore the file', () => {
  const question = (trashDays: number) => texts.delete.confirm('a.jpg', trashDays)
  expect(question(30)).toBe('Are you sure you want to delete "a.jpg"? An admin can restore it for 30 days.')
  expect(question(1)).toBe('Are you sure you want to delete "a.jpg"? An admin can restore it for a day.')
  expect(question(0)).toBe('Are you sure you want to delete "a.jpg"? This action cannot be undone.')
})
