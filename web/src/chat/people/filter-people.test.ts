import { expect, test } from 'vitest'
import { filterPeople } from './filter-people.ts'

const people = [
  { name: 'Inês Duarte', username: 'ines' },
  { name: 'Ben Okafor', username: 'ben.o' },
]
const found = (search: string) => filterPeople(people, search).map(({ username }) => username)

test('people are found by any part of their name or username', () => {
  expect(found('oka')).toEqual(['ben.o'])
  expect(found('BEN.')).toEqual(['ben.o'])
  expect(found(' duarte ')).toEqual(['ines'])
})

test('accents are ignored', () => {
  expect(found('ines d')).toEqual(['ines'])
  expect(found('inês')).toEqual(['ines'])
})

test('an empty search matches everyone', () => expect(found('')).toEqual(['ines', 'ben.o']))
