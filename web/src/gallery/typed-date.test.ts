import { expect, test } from 'vitest'
import { readTypedDate } from './typed-date.ts'

const read = (text: string, language = 'en-GB') => readTypedDate(text, { language, today: '2026-03-01' })

test.each([
  ['2019', 2019, '2019'],
  [' May 2019 ', '2019-05', 'May 2019'],
  ['2019 may', '2019-05', 'May 2019'],
  ['sept 2019', '2019-09', 'September 2019'],
  ['2019-05', '2019-05', 'May 2019'],
  ['12 Feb 2015', '2015-02-12', '12 Feb 2015'],
  ['Feb 12th, 2015', '2015-02-12', '12 Feb 2015'],
  ['2015-02-12', '2015-02-12', '12 Feb 2015'],
  ['12.2.2015', '2015-02-12', '12 Feb 2015'],
  ['12/02/2015', '2015-02-12', '12 Feb 2015'],
  ['summer 1974', '1974-22', 'Summer 1974'],
  ['the 60s', '196X', '1960s'],
  ['about 1950', 1950, '1950'],
  ['between 1964 and 1970', '1964/1970', 'Between 1964 and 1970'],
  ['before 1939', '../1938', 'Before 1939'],
  ['since June 1964', '1964-06/..', 'After May 1964'],
  ['today', '2026-03-01', '1 Mar 2026'],
  ['Yesterday', '2026-02-28', '28 Feb 2026'],
])('%s is a date', (text, value, label) => {
  expect(read(text)).toEqual({ field: typeof value === 'number' ? 'year' : 'date', value, label })
})

test('the language of the person decides about names and order', () => {
  expect(read('12/02/2015', 'en-US')?.value).toBe('2015-12-02')
  expect(read('12. Februar 2015', 'de')?.value).toBe('2015-02-12')
  expect(read('Oktober 2015', 'de')?.value).toBe('2015-10')
  expect(read('gestern', 'de')?.value).toBe('2026-02-28')
  expect(read('October 2015', 'de')?.value).toBe('2015-10')
})

test.each([
  '',
  'beach',
  '1234',
  '20190',
  'May',
  'ma 2019',
  '30 Feb 2015',
  '2015-02-30',
  '2015-13',
  'May June 2019',
  '1 2 May 2019',
])('%s is no date', text => {
  expect(read(text)).toBeNull()
})
