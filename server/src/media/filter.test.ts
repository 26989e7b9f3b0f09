import { expect, test } from 'vitest'
import { searchWords } from './filter.ts'

test('a search contains each word once, longest first', () => {
  expect(searchWords('boat Norway boat')).toEqual(['norway', 'boat'])
})

test('a word that is part of another is left out', () => {
  expect(searchWords('img img_2024 2024 g')).toEqual(['img_2024'])
  expect(searchWords('a '.repeat(100))).toEqual(['a'])
})

test('very many words are limited to the longest', () => {
  const words = Array.from({ length: 26 }, (_, i) => String.fromCharCode(97 + i).repeat(1 + (i % 5)))
  expect(searchWords(words.join(' '))).toHaveLength(10)
  expect(
    searchWords(words.join(' '))
      .slice(0, 5)
      .map(word => word.length),
  ).toEqual([5, 5, 5, 5, 5])
})

test('nothing is no word', () => {
  expect(searchWords('  ')).toEqual([])
})
