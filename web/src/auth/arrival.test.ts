import { expect, test } from 'vitest'
import { readArrival } from './arrival.ts'

test('a token is a sign-in', () => {
  expect(readArrival(new URLSearchParams('token=abc'))).toEqual({ kind: 'token', token: 'abc' })
})

test('an error wins over a token', () => {
  expect(readArrival(new URLSearchParams('token=abc&error=access_denied'))).toEqual({ kind: 'error' })
})

test('an empty token is none', () => {
  expect(readArrival(new URLSearchParams('token='))).toEqual({ kind: 'nothing' })
  expect(readArrival(new URLSearchParams(''))).toEqual({ kind: 'nothing' })
})
