import { expect, test } from 'vitest'
import { readArrival } from './arrival.ts'

test('a token is a sign-in', () => {
  expect(readArrival(new URLSearchParams('token=abc'), null)).toEqual({ kind: 'token', token: 'abc' })
})

test('an error wins over a token', () => {
  expect(readArrival(new URLSearchParams('token=abc&error=access_denied'), null)).toEqual({ kind: 'error' })
})

test('an empty token is none', () => {
  expect(readArrival(new URLSearchParams('token='), null)).toEqual({ kind: 'nothing' })
  expect(readArrival(new URLSearchParams(''), null)).toEqual({ kind: 'nothing' })
})

test('a page that was reloaded goes on with its token, unless the address brings another answer', () => {
  expect(readArrival(new URLSearchParams(''), 'kept')).toEqual({ kind: 'token', token: 'kept' })
  expect(readArrival(new URLSearchParams('token=abc'), 'kept')).toEqual({ kind: 'token', token: 'abc' })
  expect(readArrival(new URLSearchParams('token='), 'kept')).toEqual({ kind: 'nothing' })
  expect(readArrival(new URLSearchParams('error=x'), 'kept')).toEqual({ kind: 'error' })
})
