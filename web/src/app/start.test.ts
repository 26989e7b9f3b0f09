import { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { SLOW_ANSWER } from '../kit/reachability.ts'
import { takePrefetchedStart } from './start.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('a start request that is never answered does not hold up the page', async () => {
  vi.useFakeTimers()
  vi.stubGlobal('localStorage', { getItem: () => 'a token' })
  globalThis.startRequest = { token: 'a token', proportions: false, today: '2026-11-17', answer: new Promise(() => {}) }
  const taken = takePrefetchedStart(new QueryClient()).then(() => 'rendered')
  await vi.advanceTimersByTimeAsync(SLOW_ANSWER)
  expect(await Promise.race([taken, 'waiting'])).toBe('rendered')
})
