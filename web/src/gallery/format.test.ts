import { afterEach, describe, expect, test, vi } from 'vitest'
import { currentDay } from '#contract/read-date.ts'
import { rangeInWords } from '../media/date-words.ts'
import {
  formatDayLabel,
  formatDayWithin,
  formatFullDay,
  formatMonth,
  formatMonthWithin,
  formatShortDay,
} from './format.ts'

afterEach(() => {
  vi.unstubAllEnvs()
})

const today = '2026-06-14'

describe('the label of a day', () => {
  test('is formatted in the language of the person, without the year, which is in the heading of its month', () => {
    expect(formatDayLabel('2026-06-12', { language: 'en-GB', today })).toBe('12 Jun')
    expect(formatDayLabel('2019-12-24', { language: 'en-US', today })).toBe('Dec 24')
    expect(formatDayLabel('2026-06-12', { language: 'de', today })).toBe('12. Juni')
  })

  test('is Today or Yesterday by the local clock', () => {
    expect(formatDayLabel('2026-06-14', { language: 'en', today })).toBe('Today')
    expect(formatDayLabel('2026-06-13', { language: 'en', today })).toBe('Yesterday')
    expect(formatDayLabel('2026-06-15', { language: 'en-US', today })).toBe('Jun 15')
    expect(formatDayLabel('2026-06-13', { language: 'fr', today })).toBe('Hier')
  })
})

test.each(['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Europe/Berlin'])('no time zone shifts a day: %s', zone => {
  vi.stubEnv('TZ', zone)
  expect(formatFullDay('2026-06-14', 'en-US')).toBe('Sunday, June 14, 2026')
  expect(formatShortDay('2026-01-01', 'en-US')).toBe('Jan 1, 2026')
  expect(formatMonth('2026-01', 'en-US')).toBe('January 2026')
  expect(rangeInWords('2026-01', '2026-03', 'en-US')).toBe('January\u2009–\u2009March 2026')
  expect(formatDayLabel('2026-03-29', { language: 'en-US', today })).toBe('Mar 29')
})

test('today is the local date', () => {
  vi.stubEnv('TZ', 'Pacific/Kiritimati')
  expect(currentDay(new Date('2026-06-14T20:00:00Z'))).toBe('2026-06-15')
  vi.stubEnv('TZ', 'Pacific/Pago_Pago')
  expect(currentDay(new Date('2026-06-14T05:00:00Z'))).toBe('2026-06-13')
})

test('the labels of the scrubber name no day that nobody knows', () => {
  const labels = ['2026-06', '1985-07', '1974', '196X', 'XXXX'].map(month => formatMonth(month, 'en-GB'))
  expect(labels).toEqual(['June 2026', 'July 1985', '1974', '1960s', 'Undated'])
})

test('the heading of a month is shorter above a narrow photo, so that it is not cut', () => {
  const within = (rem: number) => ['2023-09', '1974', '196X'].map(month => formatMonthWithin(month, rem, 'en-GB'))
  expect(within(9)).toEqual(['September 2023', '1974', '1960s'])
  expect(within(6)).toEqual(['Sept 2023', '1974', '1960s'])
  expect(within(3.5)).toEqual(['09/23', '1974', '1960s'])
})

test('the heading above a narrow photo has the words of any date', () => {
  const dates = ['1974-22', '1964/1970', '1985-07~', '1950~', '../1939', '1974-06-30/1974-07-02']
  expect(dates.map(date => formatMonthWithin(date, 3.5, 'en-GB'))).toEqual(
    dates.map(date => formatMonth(date, 'en-GB')),
  )
})

test('the label of a day is shorter above a narrow photo, so that it is not cut', () => {
  expect(formatDayWithin('15 Mar', '2025-03-15', 4, 'en-GB')).toBe('15 Mar')
  expect(formatDayWithin('15 Mar', '2025-03-15', 2.5, 'en-GB')).toBe('15/03')
  expect(formatDayWithin('15. März', '2025-03-15', 3, 'de')).toBe('15.3.')
  expect(formatDayWithin('December', '1969-12', 2.5, 'en-GB')).toBe('December')
})
