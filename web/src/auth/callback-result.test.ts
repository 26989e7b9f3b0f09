import { expect, test } from 'vitest'
import { parseCallbackResult } from './callback-result.ts'

const sent = 'a'.repeat(43)
const kept = 'b'.repeat(43)

test('a token is a sign-in', () => {
  expect(parseCallbackResult(new URLSearchParams(`token=${sent}`), null)).toEqual({ kind: 'token', token: sent })
})

test('an error takes precedence over a token', () => {
  expect(parseCallbackResult(new URLSearchParams(`token=${sent}&error=access_denied`), null)).toEqual({ kind: 'error' })
})

test('an empty token is none', () => {
  expect(parseCallbackResult(new URLSearchParams('token='), null)).toEqual({ kind: 'nothing' })
  expect(parseCallbackResult(new URLSearchParams(''), null)).toEqual({ kind: 'nothing' })
})

test('a reloaded page uses the stored token, unless the URL has another result', () => {
  expect(parseCallbackResult(new URLSearchParams(''), kept)).toEqual({ kind: 'token', token: kept })
  expect(parseCallbackResult(new URLSearchParams(`token=${sent}`), kept)).toEqual({ kind: 'token', token: sent })
  expect(parseCallbackResult(new URLSearchParams('token='), kept)).toEqual({ kind: 'nothing' })
  expect(parseCallbackResult(new URLSearchParams('error=x'), kept)).toEqual({ kind: 'error' })
})

test.each(['%E2%82%AC', '%0A', '%0d%0aX:y', `${sent}%00`, `${sent}%20`, `${sent}%0A`, 'abc', 'a'.repeat(201)])(
  'a token in a format that the server does not issue (%s) is an error, also when it was stored',
  token => {
    expect(parseCallbackResult(new URLSearchParams(`token=${token}`), null)).toEqual({ kind: 'error' })
    expect(parseCallbackResult(new URLSearchParams(''), decodeURIComponent(token))).toEqual({ kind: 'error' })
  },
)
