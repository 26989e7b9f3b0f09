import { describe, expect, test } from 'vitest'
import { readDate } from '#contract/read-date.ts'
import germanWords from '#messages/de/date-words.json' with { type: 'json' }
import { createTexts } from '#messages/texts.ts'
import type { Messages } from '#messages/types.ts'
import { type DateStyle, dateInWords, rangeInWords, spanInWords } from './date-words.ts'

// Catalogues are compiled when they are imported.
const catalogue = germanWords as unknown as Parameters<typeof createTexts>[0]
const german = createTexts(catalogue, 'de', 'de') as Messages['date-words']

const inGerman = (edtf: string | null, style: DateStyle = 'short') => dateInWords(edtf, style, 'de', german)

const dates = [
  ['1974', '1974', '1974'],
  ['1974-21', 'Spring 1974', 'Frühling 1974'],
  ['1974-22', 'Summer 1974', 'Sommer 1974'],
  ['1974-23', 'Autumn 1974', 'Herbst 1974'],
  ['1975-24', 'Winter 1974/75', 'Winter 1974/75'],
  ['1974-22~', 'About summer 1974', 'Etwa Sommer 1974'],
  ['1981-03', 'March 1981', 'März 1981'],
  ['1981-03~', 'About March 1981', 'Etwa März 1981'],
  ['1974-05', 'May 1974', 'Mai 1974'],
  ['1950~', 'About 1950', 'Um 1950'],
  ['195X', '1950s', '1950er'],
  ['200X', '2000s', '2000er'],
  ['193X~', 'About the 1930s', 'Um die 1930er'],
  ['1964/1970', 'Between 1964 and 1970', 'Zwischen 1964 und 1970'],
  ['1980/1981', 'Between 1980 and 1981', 'Zwischen 1980 und 1981'],
  ['195X/196X', 'Between the 1950s and the 1960s', 'Zwischen den 1950ern und den 1960ern'],
  ['1974-06/1974-08', 'Between June 1974 and August 1974', 'Zwischen Juni 1974 und August 1974'],
  ['1973-24/1974-22', 'Between winter 1972/73 and summer 1974', 'Zwischen dem Winter 1972/73 und dem Sommer 1974'],
  [
    '1974-09-11/1974-09-20',
    'Between 11 Sept 1974 and 20 Sept 1974',
    'Zwischen dem 11. Sept. 1974 und dem 20. Sept. 1974',
  ],
  ['../1938', 'Before 1939', 'Vor 1939'],
  ['1946/..', 'After 1945', 'Nach 1945'],
  ['../1973-23', 'Before winter 1973/74', 'Vor dem Winter 1973/74'],
  ['1974-24/..', 'After autumn 1973', 'Nach dem Herbst 1973'],
  ['1974-21/..', 'After winter 1973/74', 'Nach dem Winter 1973/74'],
  ['../1974-24', 'Before spring 1974', 'Vor dem Frühling 1974'],
  ['../1981-02', 'Before March 1981', 'Vor März 1981'],
  ['1981-03-13/..', 'After 12 Mar 1981', 'Nach dem 12. März 1981'],
  ['196X/..', 'After the 1950s', 'Nach den 1950ern'],
  ['../196X', 'Before the 1970s', 'Vor den 1970ern'],
  ['2015-02-12', '12 Feb 2015', '12. Feb. 2015'],
  ['1985-12-24', '24 Dec 1985', '24. Dez. 1985'],
  ['1980-12-25~', 'About 25 Dec 1980', 'Etwa 25. Dez. 1980'],
  ['XXXX', 'Undated', 'Ohne Datum'],
] as const

describe('a date', () => {
  test.each(dates)('%s is written %s, in German %s, and read again', (edtf, english, deutsch) => {
    expect([dateInWords(edtf, 'short', 'en-GB'), inGerman(edtf)]).toEqual([english, deutsch])
    for (const text of [english, deutsch]) {
      for (const language of ['en-GB', 'de']) expect(readDate(text, { language })).toBe(edtf)
    }
  })

  test('is read again with the day of the week and the time', () => {
    const long = { 'en-GB': dateInWords('1985-12-25~', 'long', 'en-GB'), de: inGerman('1985-12-25~', 'long') }
    // Whether a comma follows the day of the week depends on the version of the language data.
    expect(long['en-GB'].replace(',', '')).toBe('About Wednesday 25 December 1985')
    expect(long.de).toBe('Etwa Mittwoch, 25. Dezember 1985')
    const moment = '2015-02-12T14:30:00'
    const time = { 'en-GB': dateInWords(moment, 'time', 'en-GB'), de: inGerman(moment, 'time') }
    expect(time.de).toBe('Donnerstag, 12. Februar 2015 um 14:30')
    for (const language of ['en-GB', 'de'] as const) {
      expect(readDate(long[language], { language })).toBe('1985-12-25~')
      expect(readDate(time[language], { language })).toBe(moment)
    }
  })

  test('with a time is the day where there is little room', () => {
    expect([dateInWords('2015-02-12T14:30:00', 'short', 'en-US'), inGerman('2015-02-12T14:30:00')]).toEqual([
      'Feb 12, 2015',
      '12. Feb. 2015',
    ])
  })

  test('that nobody knows is undated', () => {
    expect([dateInWords(null), inGerman(null)]).toEqual(['Undated', 'Ohne Datum'])
  })

  test('with a time is said with its zone', () => {
    const moment = '2024-06-14T23:30:00-03:30'
    const text = dateInWords(moment, 'time', 'en-GB').replace(',', '')
    expect(text).toBe('Friday 14 June 2024 at 23:30 (UTC−3:30)')
    expect(inGerman(moment, 'time')).toBe('Freitag, 14. Juni 2024 um 23:30 (UTC−3:30)')
  })
})

test.each([
  ['1974-22', 'between June and August 1974', 'zwischen Juni und August 1974'],
  ['1975-24', 'between December 1974 and February 1975', 'zwischen Dezember 1974 und Februar 1975'],
  ['1950~', 'between 1948 and 1952', 'zwischen 1948 und 1952'],
  ['196X', 'between 1960 and 1969', 'zwischen 1960 und 1969'],
  ['1974', undefined, undefined],
  ['1964/1970', undefined, undefined],
])('%s means %s, in German %s', (edtf, english, deutsch) => {
  expect([spanInWords(edtf, 'en-GB'), spanInWords(edtf, 'de', german)]).toEqual([english, deutsch])
})

test.each([
  ['196X', '1974-01-05', '1960s – 1974', '1960er – 1974'],
  ['1964', '196X', '1960s', '1960er'],
  ['1974', '1974', '1974', '1974'],
  ['1985-07-03', '1985-07', 'July 1985', 'Juli 1985'],
])('from %s to %s is %s, in German %s', (first, last, english, deutsch) => {
  expect([rangeInWords(first, last, 'en-GB'), rangeInWords(first, last, 'de', german)]).toEqual([english, deutsch])
})
