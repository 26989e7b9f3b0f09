import { expect, test } from 'vitest'
import { firstFree, usernameFrom } from './username.ts'

test.each([
  ['ada.okafor@x.example', 'ada.okafor'],
  ['Ada_Okafor+photos@x.example', 'ada_okaforphotos'],
  ['inês.duarte@x.example', 'ines.duarte'],
  ['..dots...inside.@x.example', 'dots.inside'],
  ['奶奶@x.example', 'member'],
  ['"strange name"@x.example', 'strangename'],
  [`${'a'.repeat(60)}@x.example`, 'a'.repeat(40)],
  // The cut may not leave a dot at the end.
  [`${'a'.repeat(39)}.rest@x.example`, 'a'.repeat(39)],
])('%s becomes the username %s', (email, username) => {
  expect(usernameFrom(email)).toBe(username)
})

test('a username that is taken gets the next free number', () => {
  expect(firstFree('ada', new Set())).toBe('ada')
  expect(firstFree('ada', new Set(['ada']))).toBe('ada2')
  expect(firstFree('ada', new Set(['ada', 'ada2', 'ada4']))).toBe('ada3')
})
