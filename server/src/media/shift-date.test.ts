import { expect, test } from 'vitest'
import { formatEdtf, parseEdtf } from '#contract/edtf.ts'
import { shifted } from './shift-date.ts'

const shift = (edtf: string, months: number, minutes = 0) => {
  const date = parseEdtf(edtf)
  const moved = date && shifted(date, { months, minutes })
  return moved && formatEdtf(moved)
}

test.each([
  ['2019-01-31T10:11:12', 1, 0, '2019-02-28T10:11:12'],
  ['2020-01-31T10:11:12+02:00', 1, 0, '2020-02-29T10:11:12+02:00'],
  ['2020-02-29T23:30:00', -12, 60, '2019-03-01T00:30:00'],
  ['2019-03-31', -1, 0, '2019-02-28'],
  ['2019-12-31', 2, 0, '2020-02-29'],
  ['2019-05-12~', 12 * 4, 0, '2023-05-12~'],
  ['2019-05-12', 1, 24 * 60 + 30, '2019-06-13'],
  ['2019-05-12', 0, 30, undefined],
  ['1985-07', 7, 0, '1986-02'],
  ['1985-07~', -12, 60, '1984-07~'],
  ['1985-07', 0, 24 * 60, undefined],
  ['1974-22', 12, 0, '1975-22'],
  ['1974', 30, 0, '1976'],
  ['1974', 3, 0, undefined],
  ['1950~', -120, 0, '1940~'],
  ['196X', 120, 0, '197X'],
  ['196X', 12, 0, undefined],
  ['1964/1970', 24, 0, '1966/1972'],
  ['../1938', -12, 0, '../1937'],
  ['1964-06/1970', 3, 0, undefined],
  ['XXXX', 12, 0, undefined],
])('%s shifted by %d months and %d minutes is %s', (edtf, months, minutes, expected) => {
  expect(shift(edtf, months, minutes)).toBe(expected)
})
