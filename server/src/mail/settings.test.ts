import { expect, test } from 'vitest'
import { plainName } from './render.ts'
import { isSendable, parseSender, parseSmtpUrl } from './settings.ts'
import { createPace } from './transport.ts'

test('the address of a mail server says how to reach it', () => {
  const plain = { secure: false, auth: undefined, requireTLS: false }
  expect(parseSmtpUrl('smtp://mail.example')).toEqual({ host: 'mail.example', port: 587, ...plain })
  expect(parseSmtpUrl('smtp://[::1]:2525/')).toEqual({ host: '::1', port: 2525, ...plain })
  expect(parseSmtpUrl('smtps://me%40mail.example:p%2Fw%25@mail.example')).toEqual({
    ...{ host: 'mail.example', port: 465, secure: true, requireTLS: true },
    auth: { user: 'me@mail.example', pass: 'p/w%' },
  })
})

test.each(['mail.example', 'http://mail.example', 'smtp://', 'smtp://a:%zz@b', 'smtp://a?tls=off', 'smtp://a/b'])(
  '%s is no address of a mail server',
  text => expect(parseSmtpUrl(text)).toBeUndefined(),
)

test('a password is never sent without TLS to another machine', () => {
  expect(parseSmtpUrl('smtp://me:secret@mail.example')?.requireTLS).toBe(true)
  expect(parseSmtpUrl('smtp://me:secret@127.0.0.1')?.requireTLS).toBe(false)
})

test('the sender has an address, and a name if it says one', () => {
  expect(parseSender('Our photos <photos@family.example>')).toEqual({
    name: 'Our photos',
    address: 'photos@family.example',
  })
  expect(parseSender('photos@family.example')).toEqual({ name: '', address: 'photos@family.example' })
  for (const text of ['photos', 'a <b> <c@d>', 'A\r\nBcc: x <c@d>', 'a@b, c@d', '']) {
    expect(parseSender(text)).toBeUndefined()
  }
})

test('an address that could be read as several, or end a line, gets no mail', () => {
  for (const address of ['kofi@family.example', "o'neil+photos@family.example", 'zoë@family.example']) {
    expect([address, isSendable(address)]).toEqual([address, true])
  }
  const hostile = [
    'a@b,c@d',
    'a@b\r\nBcc: c@d',
    'a@b c@d',
    '<a@b>',
    '"a b"@c',
    'a@b;c',
    'a@b\u202e',
    'a(c)@b',
    'a',
    '@',
  ]
  for (const address of hostile) expect([address, isSendable(address)]).toEqual([address, false])
})

test('a name becomes no link, no second line and no endless text', () => {
  expect(plainName('https://evil.example/x')).toBe('https: / / evil. example/ x')
  expect(plainName('J.R.R. Tolkien')).toBe('J. R. R. Tolkien')
  expect(plainName('Ann\r\nBcc: all@x.example\u202e')).toBe('Ann Bcc: all@ x. example')
  expect(plainName('x'.repeat(500))).toHaveLength(61)
})

test('a server sends so many mails in a minute, and the next one when the first is a minute ago', async () => {
  let now = 1_000
  const pace = createPace(() => now, 2)
  const { signal } = new AbortController()
  await pace(signal)
  now += 59_999
  await pace(signal)
  // The first is a minute ago in a millisecond.
  const third = pace(signal)
  now += 1
  await third
  const stopping = new AbortController()
  const fourth = pace(stopping.signal)
  stopping.abort()
  await expect(fourth).rejects.toThrow('aborted')
})
