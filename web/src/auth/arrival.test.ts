import { expect, test } from 'vitest'
import { readArrival } from './arrival.ts'

const sent = 'a'.repeat(43)
const kept = 'b'.repeat(43)

test('a token is a sign-in', () => {
  expect(readArrival(new URLSearchParams(`token=${sent}`), null)).toEqual({ kind: 'token', token: sent })
})

test('an error wins over a token', () => {
  expect(readArrival(new URLSearchParams(`token=${sent}&error=access_denied`), null)).toEqual({ kind: 'error' })
})

test('an empty token is none', () => {
  expect(readArrival(new URLSearchParams('token='), null)).toEqual({ kind: 'nothing' })
  expect(readArrival(new URLSearchParams(''), null)).toEqual({ kind: 'nothing' })
})

test('a page that was reloaded goes on with its token, unless the address brings another answer', () => {
  expect(readArrival(new URLSearchParams(''), kept)).toEqual({ kind: 'token', token: kept })
  expect(readArrival(new URLSearchParams(`token=${sent}`), kept)).toEqual({ kind: 'token', token: sent })
  expect(readArrival(new URLSearchParams('token='), kept)).toEqual({ kind: 'nothing' })
  expect(readArrival(new URLSearchParams('error=x'), kept)).toEqual({ kind: 'error' })
})

test.each(['%E2%82%AC', '%0A', '%0d%0aX:y', `${sent}%00`, `${sent}%20`, `${sent}%0A`, 'abc', 'a'.repeat(201)])(
  'a token that the server cannot have issued (%s) is a failed sign-in, also when it was kept',
  token => {
    expect(readArrival(new URLSearchParams(`token=${token}`), null)).toEqual({ kind: 'error' })
    expect(readArrival(new URLSearchParams(''), decodeURIComponent(token))).toEqual({ kind: 'error' })
  },
)
