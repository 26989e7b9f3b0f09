import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ThrottledInvalidator } from './throttled-invalidator.ts'

// The number of fetches depends on time, and a busy machine delays timers.
beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** An active query whose fetches take a moment. */
function watched(client: QueryClient, key: string) {
  let version = 0
  let readings = 0
  const observer = new QueryObserver(client, {
    queryKey: [key],
    queryFn: async () => {
      readings += 1
      const read = version
      await new Promise(resolve => setTimeout(resolve, 20))
      return read
    },
  })
  observer.subscribe(() => {})
  return {
    change: () => {
      version += 1
      return version
    },
    readings: () => readings,
    shown: () => observer.getCurrentResult().data,
  }
}

test('a burst of changes causes a few fetches, and the last change is fetched', async () => {
  const client = new QueryClient()
  const refresher = new ThrottledInvalidator(client, 30)
  const thing = watched(client, 'thing')
  await vi.waitFor(() => expect(thing.shown()).toBe(0))
  for (let i = 0; i < 200; i++) {
    thing.change()
    void refresher.invalidate(['thing'])
    if (i % 20 === 0) await vi.advanceTimersByTimeAsync(5)
  }
  await vi.waitFor(() => expect(thing.shown()).toBe(200))
  expect(thing.readings()).toBeLessThan(10)
})

test('a change during the first fetch is not missed', async () => {
  const client = new QueryClient()
  const refresher = new ThrottledInvalidator(client, 1)
  const thing = watched(client, 'thing')
  thing.change()
  void refresher.invalidate(['thing'])
  await vi.waitFor(() => expect(thing.shown()).toBe(1))
})

test('a slow query does not delay another', async () => {
  const client = new QueryClient()
  const refresher = new ThrottledInvalidator(client, 5_000)
  const [slow, quick] = [watched(client, 'slow'), watched(client, 'quick')]
  await vi.waitFor(() => expect([slow.shown(), quick.shown()]).toEqual([0, 0]))
  slow.change()
  void refresher.invalidate(['slow'])
  quick.change()
  void refresher.invalidate(['quick'])
  await vi.waitFor(() => expect(quick.shown()).toBe(1))
})
