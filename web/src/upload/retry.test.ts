import { expect, test, vi } from 'vitest'
import { ApiError } from '../kit/api.ts'
import { retryDelay, retryUntilOnline } from './retry.ts'

function failing(times: number, error: Error): () => Promise<string> {
  let left = times
  return async () => {
    if (left-- > 0) throw error
    return 'arrived'
  }
}

const signal = new AbortController().signal
const away = new ApiError(0, 'unreachable', 'No connection')

test('a transient failure is retried and reported as offline', async () => {
  vi.useFakeTimers()
  const onOffline = vi.fn()
  const arriving = retryUntilOnline(failing(5, away), { signal, onOffline })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(await arriving).toBe('arrived')
  expect(onOffline.mock.calls.map(([waiting]) => waiting)).toEqual([true, true, true, true, true, false])
  vi.useRealTimers()
})

test("the browser's online event triggers a retry at once", async () => {
  vi.useFakeTimers()
  const network = new EventTarget()
  vi.stubGlobal('window', network)
  vi.stubGlobal('document', new EventTarget())
  vi.stubGlobal('fetch', () => new Promise(() => {}))
  const arriving = retryUntilOnline(failing(1, away), { signal, onOffline: () => undefined })
  await vi.advanceTimersByTimeAsync(retryDelay(1) - 1)
  network.dispatchEvent(new Event('online'))
  expect(await arriving).toBe('arrived')
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test.each([400, 404, 413, 415, 422, 500, 507])('status %i is not retried', async status => {
  const refused = new ApiError(status, 'refused', 'No')
  const act = vi.fn(failing(1, refused))
  const onOffline = () => undefined
  await expect(retryUntilOnline(act, { signal, onOffline })).rejects.toBe(refused)
  expect(act).toHaveBeenCalledOnce()
})

test('an abort ends the waiting', async () => {
  const cancelled = new AbortController()
  const waiting = retryUntilOnline(failing(9, away), {
    signal: cancelled.signal,
    onOffline: () => cancelled.abort(new Error('enough')),
  })
  await expect(waiting).rejects.toThrow('enough')
})

test('the backoff grows up to a maximum', () => {
  expect([1, 2, 3, 4, 5, 6, 20].map(retryDelay)).toEqual([500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000])
})
