import { afterEach, expect, test, vi } from 'vitest'
import { takeAhead } from './ahead.ts'

const answer = Promise.resolve({ response: new Response('{}'), text: '{}' })

function ask({ token = 'a-token', at = Date.now() } = {}): void {
  vi.stubGlobal('askedAhead', { token, at, answers: new Map([['/auth/me', answer]]) })
}

afterEach(() => void vi.unstubAllGlobals())

test('an answer that was asked for ahead goes to the first who wants it, and to nobody else', () => {
  ask()
  expect(takeAhead('a-token', '/auth/me')).toBe(answer)
  expect(takeAhead('a-token', '/auth/me')).toBeUndefined()
  expect(takeAhead('a-token', '/api/media/timeline')).toBeUndefined()
})

test('an answer for another session is nobody’s', () => {
  ask({ token: 'the-last-person' })
  expect(takeAhead('a-token', '/auth/me')).toBeUndefined()
  expect(takeAhead(null, '/auth/me')).toBeUndefined()
})

test('an answer that has waited is asked for again', () => {
  ask({ at: Date.now() - 11_000 })
  expect(takeAhead('a-token', '/auth/me')).toBeUndefined()
})

test('where nothing was asked ahead there is nothing to take', () => {
  expect(takeAhead('a-token', '/auth/me')).toBeUndefined()
})
