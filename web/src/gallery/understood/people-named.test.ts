import { expect, test } from 'vitest'
import { peopleBeginningWith, withoutLastName } from './people-named.ts'

test.each([
  ['Kof', ''],
  ['photos by Kof', ''],
  ['Fotos von Kof', ''],
  ['Lisbon photos by Kof', 'Lisbon'],
  ['2015  Lisbon Kof ', '2015 Lisbon'],
])('of %s the words that do not belong to the name stay', (draft, left) => {
  expect(withoutLastName(draft)).toBe(left)
})

test('people are offered for the beginning of a name, but not as uploaders after “loved by”', () => {
  const vocabulary = { people: [{ id: 2, name: 'Kofi Mensah', username: 'kofi' }] }
  expect(peopleBeginningWith('photos by kof', vocabulary)).toEqual([{ value: 2, label: 'Kofi Mensah' }])
  expect(peopleBeginningWith('photos by men', vocabulary)).toEqual([{ value: 2, label: 'Kofi Mensah' }])
  expect(peopleBeginningWith('photos loved by kof', vocabulary)).toEqual([])
  expect(peopleBeginningWith('Favoriten von kof', vocabulary)).toEqual([])
  expect(peopleBeginningWith('k', vocabulary)).toEqual([])
})
