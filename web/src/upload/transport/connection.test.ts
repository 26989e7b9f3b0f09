import { expect, test, vi } from 'vitest'
import { ApiError } from '../../kit/api.ts'
import { persistently, waitBefore } from './connection.ts'

function failing(times: number, error: Error): () => Promise<string> {
  let left = times
  return async () => {
    if (left-- > 0) throw error
    return 'arrived'
  }
}

const network = new EventTarget()
const signal = new AbortController().signal
const away = new ApiError(0, 'unreachable', 'No connection')

test('an outage is waited out, and told while it lasts', async () => {
  vi.useFakeTimers()
  const onWaiting = vi.fn()
  const arriving = persistently(failing(5, away), { signal, onWaiting, network })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(await arriving).toBe('arrived')
  expect(onWaiting.mock.calls.map(([waiting]) => waiting)).toEqual([true, true, true, true, true, false])
  vi.useRealTimers()
})

test('a network that is back is tried at once', async () => {
  vi.useFakeTimers()
  const arriving = persistently(failing(1, away), { signal, onWaiting: () => undefined, network })
  await vi.advanceTimersByTimeAsync(waitBefore(1) - 1)
  network.dispatchEvent(new Event('online'))
  expect(await arriving).toBe('arrived')
  vi.useRealTimers()
})

test.each([400, 404, 413, 415, 422, 500, 507])('%i is an answer, not an outage', async status => {
  const refused = new ApiError(status, 'refused', 'No')
  const act = vi.fn(failing(1, refused))
  const onWaiting = () => undefined
  await expect(persistently(act, { signal, onWaiting, network })).rejects.toBe(refused)
  expect(act).toHaveBeenCalledOnce()
})

test('whoever cancels waits no longer', async () => {
  const cancelled = new AbortController()
  const waiting = persistently(failing(9, away), {
    signal: cancelled.signal,
    onWaiting: () => cancelled.abort(new Error('enough')),
    network,
  })
  await expect(waiting).rejects.toThrow('enough')
})

test('it waits longer each time, up to a bound', () => {
  expect([1, 2, 3, 4, 5, 6, 20].map(waitBefore)).toEqual([500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000])
})
