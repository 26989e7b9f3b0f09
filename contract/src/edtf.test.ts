import { describe, expect, test } from 'vitest'
import {
  boundsOf,
  Edtf,
  formatEdtf,
  groupText,
  listedDate,
  parseEdtf,
  readTimelineKey,
  timelineKey,
  UNDATED_LIMIT,
  undated,
} from './edtf.ts'
import { DAY } from './limits.ts'

const dayText = (day: number) => new Date(day * DAY).toISOString().slice(0, 10)
const momentText = (time: number | null) => (time === null ? null : new Date(time).toISOString().slice(0, 19))

function read(text: string) {
  const date = parseEdtf(text)
  if (!date) throw new Error(`${text} is no date`)
  const { earliest, latest } = boundsOf(date)
  const listed = listedDate(date, 0)
  return { from: momentText(earliest), to: momentText(latest), heading: groupText(listed, dayText), listed }
}

test.each([
  ['2019-05-12T10:11:12', '2019-05-12T10:11:12', '2019-05-12T10:11:12', '2019-05-12'],
  ['2019-05-12T10:11:12+02:00', '2019-05-12T10:11:12', '2019-05-12T10:11:12', '2019-05-12'],
  ['2019-05-12', '2019-05-12T00:00:00', '2019-05-12T23:59:59', '2019-05-12'],
  ['1980-12-25~', '1980-12-25T00:00:00', '1980-12-25T23:59:59', '1980-12'],
  ['1985-07', '1985-07-01T00:00:00', '1985-07-31T23:59:59', '1985-07'],
  ['1974', '1974-01-01T00:00:00', '1974-12-31T23:59:59', '1974'],
  ['1950~', '1948-01-01T00:00:00', '1952-12-31T23:59:59', '1950'],
  ['1974-21', '1974-03-01T00:00:00', '1974-05-31T23:59:59', '1974'],
  ['1974-22', '1974-06-01T00:00:00', '1974-08-31T23:59:59', '1974'],
  ['1974-23', '1974-09-01T00:00:00', '1974-11-30T23:59:59', '1974'],
  ['1974-24', '1973-12-01T00:00:00', '1974-02-28T23:59:59', '1974'],
  ['196X', '1960-01-01T00:00:00', '1969-12-31T23:59:59', '196X'],
  ['1964/1970', '1964-01-01T00:00:00', '1970-12-31T23:59:59', '196X'],
  ['1974-06/1974-07', '1974-06-01T00:00:00', '1974-07-31T23:59:59', '1974'],
  ['1974-06-03/1974-06-12', '1974-06-03T00:00:00', '1974-06-12T23:59:59', '1974-06'],
  ['../1938', null, '1938-12-31T23:59:59', '193X'],
  ['1946/..', '1946-01-01T00:00:00', null, '194X'],
  ['XXXX', null, null, 'XXXX'],
])('%s is from %s to %s, under %s', (text, from, to, heading) => {
  expect(read(text)).toMatchObject({ from, to, heading })
  const date = parseEdtf(text)
  expect(date && formatEdtf(date)).toBe(text)
})

test.each([
  ...['', ' ', '74', '1825', '2999', '1974-13', '1974-20', '1974-25', '1974-02-30', '1974-6', '19XX', '1974?', '~1974'],
  ...['../..', '1970/1964', '1974/1974/1975', '1974/', '/1974', '1974-01-01T25:00:00', '1974-01-01T10:00', 'XXXX~'],
  ...['2019-05-12T10:11:12/2020', `1974${'~'.repeat(50)}`, '１９７４', '1974\n', '-1974', '1974-06-03/xyz'],
])('%j is no date', text => {
  expect(parseEdtf(text)).toBeUndefined()
  expect(Edtf.safeParse(text).success).toBe(false)
})

describe('lists', () => {
  test('sort a date in its middle, behind the photos of that day, and undated files below all', () => {
    const order = ['../1938', '1950~', '196X', '1974-24', '1974-07-02T23:59:59.999', '1974', '1974-07-03', '1974-07']
    const listed = order.map(text => read(text).listed)
    const sorted = listed.toSorted((a, b) => a.date_sort - b.date_sort || a.heading_rank - b.heading_rank)
    expect(sorted).toEqual(listed)
    expect(Math.min(...listed.map(({ date_sort }) => date_sort))).toBeGreaterThan(UNDATED_LIMIT)
    expect(undated(Date.UTC(2100, 0)).date_sort).toBeLessThan(UNDATED_LIMIT)
    expect(undated(2).date_sort).toBeGreaterThan(undated(1).date_sort)
  })

  test('keep the milliseconds of a time, up to the last of a day', () => {
    expect(read('1974-07-02T23:59:59.999').listed.date_sort).toBe(Date.UTC(1974, 6, 2, 23, 59, 59, 999))
  })

  test.each(['1826-01-01', '1969-12-31', '1974-07-02T23:59:59.999', '1974-07', '1974', '197X', 'XXXX'])(
    'find the group of %s by its timeline key',
    text => {
      const { day, heading_rank } = read(text).listed
      for (const order of ['asc', 'desc'] as const) {
        expect(readTimelineKey(timelineKey({ day, heading_rank }, order))).toEqual({ day, heading_rank })
      }
    },
  )

  test('have the headings of a day in order, between that day and the next', () => {
    const texts = ['1974-07-02', '1974-07-01/1974-07-03', '1974', '1970/1978', '1974-07-03']
    const keys = texts.map(text => timelineKey(read(text).listed, 'asc'))
    expect(keys.map(Math.floor)).toEqual([1643, 1643, 1643, 1643, 1644])
    expect(keys).toEqual(keys.toSorted((a, b) => a - b))
    expect(new Set(keys).size).toBe(keys.length)
  })

  test('have undated files last in both orders', () => {
    expect(timelineKey(undated(0), 'desc')).toBeLessThan(timelineKey(read('1826').listed, 'desc'))
    expect(timelineKey(undated(0), 'asc')).toBeGreaterThan(timelineKey(read('2026').listed, 'asc'))
  })
})
