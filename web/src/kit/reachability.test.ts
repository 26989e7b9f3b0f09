import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { checkReachable, isReachable, onReachable, serverResponded, unreachable, waitOrWakeUp } from './reachability.ts'

beforeEach(async () => {
  vi.useFakeTimers()
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('document', new EventTarget())
  vi.stubGlobal('fetch', async () => {
    throw new TypeError('Failed to fetch')
  })
  void checkReachable()
  await vi.advanceTimersByTimeAsync(30_000)
  expect(isReachable()).toBe(false)
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('the server is reachable as soon as it is heard, also between two checks', async () => {
  serverResponded()
  await vi.advanceTimersByTimeAsync(0)
  expect(isReachable()).toBe(true)
})

test('what waits for the server goes on when it is back, without an event of the browser', async () => {
  const [back, onOnline, retried] = [vi.fn(), vi.fn(), vi.fn()]
  const stopListening = onReachable(back)
  window.addEventListener('online', onOnline)
  void waitOrWakeUp(60_000).then(retried)
  vi.stubGlobal('fetch', async () => Response.json({ status: 'ok' }))
  await vi.advanceTimersByTimeAsync(10_000)
  stopListening()
  expect(isReachable()).toBe(true)
  for (const called of [back, retried]) expect(called).toHaveBeenCalledOnce()
  expect(onOnline).not.toHaveBeenCalled()
})

test('a request that is sent while the server cannot be reached does not wait for that to change', async () => {
  await expect(Promise.race([unreachable(new AbortController().signal), 'waits'])).resolves.toBeUndefined()
})
