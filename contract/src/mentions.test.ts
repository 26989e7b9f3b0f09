import { expect, test } from 'vitest'
import { mentionsIn } from './mentions.ts'

const family = new Set(['ada', 'ada.b', 'ben', 'grand_ma', 'dot.', '007'])

function mentioned(text: string): string[] {
  return mentionsIn(text, family).map(({ username }) => username)
}

test('a mention is an @ followed by a known username', () => {
  expect(mentioned('@ada look, @ben and @grand_ma and @007!')).toEqual(['ada', 'ben', 'grand_ma', '007'])
  expect(mentioned('nobody is called @zoe, and ada alone is a word')).toEqual([])
  expect(mentioned('@adam is not ada, @ben_ is not ben, @be is not either')).toEqual([])
})

test('case does not matter, and the person is named as they are called', () => {
  expect(mentioned('@ADA and @Grand_Ma')).toEqual(['ada', 'grand_ma'])
})

test('a dot that ends the sentence is no part of a name, one within it is', () => {
  expect(mentioned('I asked @ada.')).toEqual(['ada'])
  expect(mentioned('I asked @ben...')).toEqual(['ben'])
  expect(mentioned('I asked @ada.b.')).toEqual(['ada.b'])
  expect(mentioned('I asked @ada.c')).toEqual([])
  expect(mentioned('@dot. has a name that ends so, @dot has not')).toEqual(['dot.'])
})

test('the position of each is returned, so that it can be highlighted', () => {
  const text = '🎂 (@Ada.), @ben'
  const marked = mentionsIn(text, family).map(({ start, end }) => text.slice(start, end))
  expect(marked).toEqual(['@Ada', '@ben'])
})

test('an e-mail address mentions nobody', () => {
  expect(mentioned('write to kofi@ada, josé@ben or jose\u0301@ben or 東@ben or me_@ben')).toEqual([])
  expect(mentioned('@ada@ben')).toEqual(['ada'])
})

test('brackets, quotes, dots and line breaks may precede it', () => {
  expect(mentioned('(@ada) "@ben" …@ada ...@ben\n@grand_ma\t@ada,@ben')).toEqual([
    'ada',
    'ben',
    'ada',
    'ben',
    'grand_ma',
    'ada',
    'ben',
  ])
})

test('odd texts mention nobody and take no time', () => {
  expect(mentioned('')).toEqual([])
  expect(mentioned('@ @. @.. @_ @@@ada'.replace('ada', ''))).toEqual([])
  const began = performance.now()
  expect(mentioned(`@${'.'.repeat(5_000)}`)).toEqual([])
  expect(mentioned('@a.'.repeat(5_000))).toEqual([])
  if (process.env.LONG) expect(performance.now() - began).toBeLessThan(1_000)
})

test('dots by the thousand are passed over at once, and a name before them is still found', () => {
  const people = new Set(['ada', 'dot..'])
  const dots = '.'.repeat(200_000)
  const found = (text: string) => mentionsIn(text, people).map(mention => mention.username)
  const began = performance.now()
  expect(found(`@ada${dots}`)).toEqual(['ada'])
  expect(found(`@dot${dots}`)).toEqual(['dot..'])
  expect(found(`@${dots}`)).toEqual([])
  expect(found(`@ada${dots}x @ada.`)).toEqual(['ada'])
  // A quadratic algorithm takes most of a minute here.
  if (process.env.LONG) expect(performance.now() - began).toBeLessThan(5_000)
})
