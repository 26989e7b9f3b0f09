import { expect, test } from 'vitest'
import { dateInWords, spanInWords } from '../../web/src/media/date-words.ts'
import { problemWith, readDate } from './read-date.ts'

const read = (text: string, language = 'en-GB') => readDate(text, { language, today: '2026-03-01' })

test.each([
  ['1974', '1974', '1974'],
  ['in 1974', '1974', '1974'],
  ["'74", '1974', '1974'],
  ["'19", '2019', '2019'],
  ['summer 1974', '1974-22', 'Summer 1974'],
  ['Fall of 1974', '1974-23', 'Autumn 1974'],
  ['summer of 74', '1974-22', 'Summer 1974'],
  ["summer '74", '1974-22', 'Summer 1974'],
  ['Summer, 1974', '1974-22', 'Summer 1974'],
  ["March '81", '1981-03', 'March 1981'],
  ['winter 1974/75', '1975-24', 'Winter 1974/75'],
  ['about 1950', '1950~', 'About 1950'],
  ['ca. 1950', '1950~', 'About 1950'],
  ['1950?', '1950~', 'About 1950'],
  ['the 60s', '196X', '1960s'],
  ["60's", '196X', '1960s'],
  ['1960s', '196X', '1960s'],
  ['the sixties', '196X', '1960s'],
  ['2010s', '201X', '2010s'],
  ['the 00s', '200X', '2000s'],
  ['around the 1930s', '193X~', 'About the 1930s'],
  ['early 60s', '1960/1963', 'Between 1960 and 1963'],
  ['late 1974', '1974-09/1974-12', 'Between September 1974 and December 1974'],
  ['between 1964 and 1970', '1964/1970', 'Between 1964 and 1970'],
  ['1964-1970', '1964/1970', 'Between 1964 and 1970'],
  ['1964 – 70', '1964/1970', 'Between 1964 and 1970'],
  ['1920-24', '1920/1924', 'Between 1920 and 1924'],
  ['from 1964 to 1970', '1964/1970', 'Between 1964 and 1970'],
  ['June to August 1974', '1974-06/1974-08', 'Between June 1974 and August 1974'],
  ['before 1939', '../1938', 'Before 1939'],
  ['until 1938', '../1938', 'Before 1939'],
  ['after 1945', '1946/..', 'After 1945'],
  ['before winter 1973/74', '../1973-23', 'Before winter 1973/74'],
  ['after autumn 1973', '1974-24/..', 'After autumn 1973'],
  ['after winter 1974', '1974-21/..', 'After winter 1973/74'],
  ['before spring 1974', '../1974-24', 'Before spring 1974'],
  ['before March 1981', '../1981-02', 'Before March 1981'],
  ['after the 50s', '196X/..', 'After the 1950s'],
  ['March 1981', '1981-03', 'March 1981'],
  ['03/1981', '1981-03', 'March 1981'],
  ['1981-03', '1981-03', 'March 1981'],
  ['Christmas 1980', '1980-12-25~', 'About 25 Dec 1980'],
  ['Christmas 1982', '1982-12-25~', 'About 25 Dec 1982'],
  ['1974 summer', '1974-22', 'Summer 1974'],
  ['1974, christmas', '1974-12-25~', 'About 25 Dec 1974'],
  ['Easter 1970', '1970-03-29~', 'About 29 Mar 1970'],
  ['easter 2008', '2008-03-23~', 'About 23 Mar 2008'],
  ['Easter 1943', '1943-04-25~', 'About 25 Apr 1943'],
  ['195?', '195X', '1950s'],
  ['195x', '195X', '1950s'],
  ['early 1960s', '1960/1963', 'Between 1960 and 1963'],
  ['late 60s', '1967/1969', 'Between 1967 and 1969'],
  ['mid 1970s', '1974/1976', 'Between 1974 and 1976'],
  ['mid-70s', '1974/1976', 'Between 1974 and 1976'],
  ['5/1974', '1974-05', 'May 1974'],
  ['spring of 74', '1974-21', 'Spring 1974'],
  ['12 Feb 2015', '2015-02-12', '12 Feb 2015'],
  ['12.2.15', '2015-02-12', '12 Feb 2015'],
  ['12 Feb 81', '1981-02-12', '12 Feb 1981'],
  ['12 Feb 12', '2012-02-12', '12 Feb 2012'],
  ['Mar 81', '1981-03', 'March 1981'],
  ['Thursday, 12 February 2015 at 14:30', '2015-02-12T14:30:00', '12 Feb 2015'],
  ['About Wednesday, 25 December 1985', '1985-12-25~', 'About 25 Dec 1985'],
  ['Christmas Eve 1985', '1985-12-24', '24 Dec 1985'],
  ["New Year's Eve 1999", '1999-12-31', '31 Dec 1999'],
  ['New Year 1980', '1980-01-01~', 'About 1 Jan 1980'],
  ['1980/81', '1980/1981', 'Between 1980 and 1981'],
  ['1981/03', '1981-03', 'March 1981'],
  ['12/02/2015', '2015-02-12', '12 Feb 2015'],
  ['4/13/1990', '1990-04-13', '13 Apr 1990'],
  ['12th of February 2015', '2015-02-12', '12 Feb 2015'],
  ['12 Feb 2015 14:30', '2015-02-12T14:30:00', '12 Feb 2015'],
  ['12 feb 2015 at 2:30 pm', '2015-02-12T14:30:00', '12 Feb 2015'],
  ['12 feb 2015 3pm', '2015-02-12T15:00:00', '12 Feb 2015'],
  ['2015-02-12 14:30:09', '2015-02-12T14:30:09', '12 Feb 2015'],
  ['yesterday', '2026-02-28', '28 Feb 2026'],
  ['1974-22', '1974-22', 'Summer 1974'],
  ['unknown', 'XXXX', 'Undated'],
])('%s is understood', (text, edtf, words) => {
  expect(read(text)).toBe(edtf)
  expect(dateInWords(edtf, 'short', 'en-GB')).toBe(words)
})

test('the language of the person decides about names and order', () => {
  expect(read('12/02/2015', 'en-US')).toBe('2015-12-02')
  expect(read('Oktober 1974', 'de')).toBe('1974-10')
  expect(read('mar 1974', 'fi')).toBe('1974-11')
  expect(read('vor 1974', 'de')).toBeUndefined()
  expect(dateInWords('2015-02-12', 'short', 'en-US')).toBe('Feb 12, 2015')
})

test.each([
  ...[
    '',
    ' ',
    'beach',
    '74',
    '12 Feb',
    '12.2',
    '1234',
    '1799',
    '2999',
    '20190',
    '30 Feb 1974',
    '1974-13',
    'summer',
    'the 60',
    '25:00',
  ],
  ...[
    'between 1970 and 1964',
    'before',
    'between 1964',
    '12 Feb 2015 25:00',
    '12 Feb 2015 14',
    '13/13/2015',
    '12 Feb 2015 13:00 pm',
    'summer 1974/75',
  ],
  ...['before about 1950', 'about about 1950', '1974 1975', 'x'.repeat(10_000), '9'.repeat(59), '1-1-1-1-1974'],
  // Properties of every object.
  ...['constructor 1974', 'valueof 1974', '__proto__ 1974'],
])('%s is not', text => {
  expect(read(text)).toBeUndefined()
})

test.each([
  ['2027', 'future'],
  ['summer 2031', 'future'],
  ['2 March 2026', 'future'],
  ['2 March ’26', 'future'],
  ['between 1990 and 2031', 'future'],
  ['30 Feb 1974', 'no such day'],
  ['31.6.1999', 'no such day'],
  ['my 1950', 'more than a year'],
  ['grandma 1950 at the sea', 'more than a year'],
  ['between 1970 and 1964', 'unknown'],
  ['1234', 'unknown'],
  ['beach', 'unknown'],
])('%s is not, and why is known: %s', (text, kind) => {
  expect(read(text)).toBeUndefined()
  expect(problemWith(text, { language: 'en-GB', today: '2026-03-01' }).kind).toBe(kind)
})

test('a day that has begun is not the future', () => {
  expect(read('1 March 2026')).toBe('2026-03-01')
  expect(read('2026')).toBe('2026')
  expect(read('March 2026')).toBe('2026-03')
})

test.each([
  ['1974-22', 'between June and August 1974'],
  ['1975-24', 'between December 1974 and February 1975'],
  ['1950~', 'between 1948 and 1952'],
  ['196X', 'between 1960 and 1969'],
  ['1974', undefined],
  ['1964/1970', undefined],
])('%s means %s', (edtf, span) => expect(spanInWords(edtf, 'en-GB')).toBe(span))

test('an exact time is said with its zone', () => {
  const text = dateInWords('2024-06-14T23:30:00-03:30', 'time', 'en-GB').replace(',', '')
  expect(text).toBe('Friday 14 June 2024 at 23:30 (UTC−3:30)')
})
