import { expect, test } from 'vitest'
import { segmentsOf } from './segments.ts'

const family = new Set(['ada', 'ben.o'])
const marked = (text: string) =>
  segmentsOf(text, family).flatMap(segment => (segment.kind === 'plain' ? [] : [[segment.kind, segment.text]]))

test('the segments add up to the whole text', () => {
  const text = 'Look @ada: https://example.org/a?b=1#c, and <b>@ben.o</b>! @nobody www.example.org.'
  expect(
    segmentsOf(text, family)
      .map(segment => segment.text)
      .join(''),
  ).toBe(text)
})

test('known people are marked, others are plain words', () => {
  expect(marked('@ada, @Ben.O. and @nobody')).toEqual([
    ['mention', '@ada'],
    ['mention', '@Ben.O'],
  ])
})

test('punctuation at the end of a sentence is not part of a link', () => {
  expect(marked('See https://example.org/album. (http://example.org/a_(b)) or www.example.org!')).toEqual([
    ['link', 'https://example.org/album'],
    ['link', 'http://example.org/a_(b)'],
    ['link', 'www.example.org'],
  ])
  expect(segmentsOf('www.example.org', family)).toMatchObject([{ address: 'https://www.example.org/' }])
})

test('only web pages are linked', () => {
  expect(marked('javascript:alert(1) data:text/html,x file:///etc ftp://example.org http://')).toEqual([])
})

test('an @ in a link is part of the link', () => {
  expect(marked('https://example.org/@ada')).toEqual([['link', 'https://example.org/@ada']])
})
