import { expect, test } from 'vitest'
import { locales } from '#messages/locales.ts'
import { localeOf, textsIn } from './messages.ts'

test.each([
  [undefined, 'en'],
  ['', 'en'],
  ['de', 'de'],
  ['de-AT,de;q=0.9,en;q=0.8', 'de'],
  ['en-GB,en;q=0.9,de;q=0.8', 'en'],
  ['en;q=0.1, de;q=0.7', 'de'],
  ['fr-CH, fr;q=0.9, de;q=0.7, en;q=0.3, *;q=0.1', 'de'],
  ['de;q=0, en', 'en'],
  ['fr', 'en'],
  ['*', 'en'],
  [';;,q=x,de;q=x', 'en'],
])('of %s it is %s', (header, locale) => {
  expect(localeOf({ headers: { 'accept-language': header } })).toBe(locale)
})

test.each(locales)('the texts of the server are there (%s)', locale => {
  const { demo } = textsIn('server-pages', locale)
  expect(demo.text({ library: 'The Okafors' })).toContain('The Okafors')
  expect(textsIn('server-pages', locale)).toBe(textsIn('server-pages', locale))
})
