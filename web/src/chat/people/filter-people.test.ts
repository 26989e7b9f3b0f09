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

test('nobody has to know how an accent is typed', () => {
  expect(found('ines d')).toEqual(['ines'])
  expect(found('inês')).toEqual(['ines'])
})

test('everyone is there before anything is typed', () => expect(found('')).toEqual(['ines', 'ben.o']))
