import { expect, test } from 'vitest'
import { plainWords, quoted, readSearch, replacePart, type SearchVocabulary } from './read-search.ts'

const vocabulary: SearchVocabulary = {
  me: 1,
  people: [
    { id: 1, name: 'Ada Admin', username: 'ada' },
    { id: 2, name: 'Kofi Mensah', username: 'kofi.m' },
    { id: 3, name: 'Rose', username: 'rose' },
    { id: 4, name: 'May Lin', username: 'may' },
    { id: 5, name: 'José Núñez', username: 'jose' },
    { id: 6, name: 'Rose Marie', username: 'rm' },
    { id: 7, name: 'Ada Other', username: 'other' },
    { id: 8, name: 'Jonas', username: 'jonas' },
  ],
  places: [
    { name: 'Lisbon', area: 'Lisbon, Portugal' },
    { name: 'London', area: 'London, United Kingdom' },
    { name: 'Paris', area: 'Paris, France' },
    { name: 'Paris, Texas', area: 'Paris, Texas, United States' },
  ],
  tags: [
    { id: 9, name: 'Beach' },
    { id: 10, name: 'Jonas' },
  ],
  cameras: ['Canon EOS 80D', 'Leica M6'],
}
const date = { language: 'en-GB', today: '2026-11-19' }
const read = (search: string) => {
  const { parts, filter } = readSearch(search, { vocabulary, date })
  return [parts.map(({ kind, words }) => `${kind}: ${words}`), filter]
}

test.each([
  ['2015 london', ['date: 2015', 'place: london'], { year: 2015, search: 'london' }],
  ['Kofi summer 1974', ['person: Kofi', 'date: summer 1974'], { uploader: 2, date: '1974-22' }],
  ['videos Lisbon', ['type: videos', 'place: Lisbon'], { type: 'video', search: 'Lisbon' }],
  ['favourites 2019', ['loved: favourites', 'date: 2019'], { hearted_by: 1, year: 2019 }],
  ['canon 2016', ['camera: canon', 'date: 2016'], { year: 2016, search: 'canon' }],
  ['undated', ['undated: undated'], { undated: 'true' }],
  [
    'Kofi in Lisbon last summer',
    ['person: Kofi', 'place: in Lisbon', 'date: last summer'],
    { uploader: 2, area: 'Lisbon, Portugal', date: '2026-22' },
  ],
  ['kofi', ['person: kofi'], { uploader: 2 }],
  ['KOFI MENSAH', ['person: KOFI MENSAH'], { uploader: 2 }],
  ['kofi.m', ['person: kofi.m'], { uploader: 2 }],
  ['photos by Kofi', ['person: photos by Kofi'], { uploader: 2 }],
  ['from Kofi 2019', ['person: from Kofi', 'date: 2019'], { uploader: 2, year: 2019 }],
  ['Kofis Fotos', ['person: Kofis Fotos'], { uploader: 2 }],
  ["Kofi's photos dog", ["person: Kofi's photos"], { uploader: 2, search: 'dog' }],
  ['Kofi’s', ['person: Kofi’s'], { uploader: 2 }],
  ['von Kofi im Sommer 1974', ['person: von Kofi', 'date: im Sommer 1974'], { uploader: 2, date: '1974-22' }],
  ['Jonas’ Fotos', ['person: Jonas’ Fotos'], { uploader: 8 }],
  ['jose', ['person: jose'], { uploader: 5 }],
  ['NÚÑEZ', ['person: NÚÑEZ'], { uploader: 5 }],
  ['mensah 2019', ['person: mensah', 'date: 2019'], { uploader: 2, year: 2019 }],
  ['Rose 1990', ['person: Rose', 'date: 1990'], { uploader: 3, year: 1990 }],
  ['loved by Kofi', ['loved: loved by Kofi'], { hearted_by: 2 }],
  ['Kofis Favoriten', ['loved: Kofis Favoriten'], { hearted_by: 2 }],
  ['meine Favoriten aus den 60ern', ['loved: meine Favoriten', 'date: aus den 60ern'], { hearted_by: 1, date: '196X' }],
  ['nur Videos von Kofi', ['type: nur Videos', 'person: von Kofi'], { type: 'video', uploader: 2 }],
  ['#beach 2015', ['tag: #beach', 'date: 2015'], { tag: 9, year: 2015 }],
  ['beach 2015', ['tag: beach', 'date: 2015'], { search: 'beach', year: 2015 }],
  // A name that is both: the word finds the tag, and "by Jonas" what he added.
  ['jonas', ['tag: jonas'], { search: 'jonas' }],
  ['by jonas', ['person: by jonas'], { uploader: 8 }],
  ['May 2019', [], { search: 'May 2019' }],
  ['may', ['person: may'], { uploader: 4 }],
  ['all the photos in Lisbon and 2015', ['place: in Lisbon', 'date: 2015'], { area: 'Lisbon, Portugal', year: 2015 }],
  // Two people are called so, and two places.
  ['ada', ['person: ada'], { uploader: 1 }],
  ['Paris 2015', ['date: 2015'], { search: 'Paris', year: 2015 }],
  // The second of a kind is a word.
  ['2015 2016', ['date: 2015'], { year: 2015, search: '2016' }],
  ['"kofi" 2015', ['date: 2015'], { year: 2015, search: 'kofi' }],
  ['„Kofi Mensah“ 2015', ['date: 2015'], { year: 2015, search: 'Kofi Mensah' }],
  ['"kofi"', [], { search: 'kofi' }],
  // What was so before: a date alone finds what is called so, too.
  ['summer 1974', [], { search: 'summer 1974' }],
  ['dog beach house', ['tag: beach'], { search: 'dog beach house' }],
  ['dog house', [], { search: 'dog house' }],
  ['photos', [], { search: 'photos' }],
  ['12" vinyl', [], { search: '12" vinyl' }],
  ['', [], { search: '' }],
])('reads %s', (search, parts, filter) => {
  expect(read(search)).toEqual([parts, filter])
})

test('a filter that is set already is not set again', () => {
  const { parts, filter } = readSearch('kofi 2015', { vocabulary, date, given: ['year', 'uploader'] })
  expect([parts, filter]).toEqual([[], { search: 'kofi 2015' }])
})

test('a part can be removed, or become words again', () => {
  const search = 'Kofi  in Lisbon 2015'
  const [person, place] = readSearch(search, { vocabulary, date }).parts
  if (!person || !place) throw new Error('not understood')
  expect(replacePart(search, person, '')).toBe('in Lisbon 2015')
  const asWords = replacePart(search, person, quoted(person.words))
  expect(asWords).toBe('"Kofi" in Lisbon 2015')
  expect(read(asWords)).toEqual([['place: in Lisbon', 'date: 2015'], expect.objectContaining({ search: 'Kofi' })])
  expect(plainWords('"Kofi" in  Lisbon')).toBe('Kofi in Lisbon')
})

test('takes a bounded time for any text', () => {
  const hostile = [
    Array(100).fill('a').join(' '),
    Array(24).fill('last summer').join(' ').slice(0, 200),
    "'s ".repeat(66),
    '"'.repeat(200),
    '1 '.repeat(24),
    'between '.repeat(24),
    'x'.repeat(200),
  ]
  const started = performance.now()
  for (const search of hostile) readSearch(search, { vocabulary, date })
  expect(performance.now() - started).toBeLessThan(2_000)
})
