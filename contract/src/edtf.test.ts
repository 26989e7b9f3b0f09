import { describe, expect, test } from 'vitest'
import {
  boundsOf,
  Edtf,
  formatEdtf,
  groupOf,
  groupText,
  parseEdtf,
  sortKeyOf,
  sortKeysAt,
  timelineKey,
  UNDATED_LIMIT,
  undatedKey,
} from './edtf.ts'
import { DAY } from './limits.ts'

const dayText = (day: number) => new Date(day * DAY).toISOString().slice(0, 10)
const momentText = (time: number | null) => (time === null ? null : new Date(time).toISOString().slice(0, 19))

function read(text: string) {
  const date = parseEdtf(text)
  if (!date) throw new Error(`${text} is no date`)
  const { earliest, latest } = boundsOf(date)
  const key = sortKeyOf(date, 0)
  return { from: momentText(earliest), to: momentText(latest), heading: groupText(groupOf(key), dayText), key }
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
  test('sort a date in its middle, between the days, and undated files below all', () => {
    const order = ['../1938', '1950~', '196X', '1974-24', '1974-07-01T23:59:59.999', '1974', '1974-07-03', '1974-07']
    const keys = order.map(text => read(text).key)
    expect(keys).toEqual([...keys].sort((a, b) => a - b))
    expect(new Set(keys.map(groupOf)).size).toBe(order.length)
    expect(Math.min(...keys)).toBeGreaterThan(UNDATED_LIMIT)
    expect(undatedKey(Date.UTC(2100, 0))).toBeLessThan(UNDATED_LIMIT)
    expect(undatedKey(2)).toBeGreaterThan(undatedKey(1))
  })

  test.each(['1826-01-01', '1974-07-02T23:59:59.999', '1974-07', '1974', '197X'])(
    'find %s by its timeline key',
    text => {
      const { key } = read(text)
      const { first, last } = sortKeysAt(timelineKey(groupOf(key), 'desc'))
      expect([first <= key, key <= last]).toEqual([true, true])
    },
  )

  test('have disjoint ranges of keys for headings of the same day', () => {
    const texts = ['1974-07-02', '1974', '1974-07-01/1974-07-03', '1970/1978']
    const ranges = texts.map(text => sortKeysAt(timelineKey(groupOf(read(text).key), 'asc')))
    for (const [i, a] of ranges.entries()) {
      for (const b of ranges.slice(i + 1)) expect(a.last < b.first || b.last < a.first).toBe(true)
    }
  })

  test('have undated files last in both orders', () => {
    const undated = groupOf(undatedKey(0))
    expect(timelineKey(undated, 'desc')).toBeLessThan(timelineKey(groupOf(read('1826').key), 'desc'))
    expect(timelineKey(undated, 'asc')).toBeGreaterThan(timelineKey(groupOf(read('2026').key), 'asc'))
  })
})
