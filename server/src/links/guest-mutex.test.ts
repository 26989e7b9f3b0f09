import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createGuestMutex } from './guest-mutex.ts'

test('reads for one guest at a time, and addresses take turns', async () => {
  const withMutex = createGuestMutex()
  const order: string[] = []
  let running = 0
  const read = (address: string) =>
    withMutex({ address, isGone: () => false }, async () => {
      running += 1
      expect(running).toBe(1)
      await setImmediate()
      order.push(address)
      running -= 1
    })
  await Promise.all(['greedy', 'greedy', 'greedy', 'modest'].map(read))
  expect(order).toEqual(['greedy', 'modest', 'greedy', 'greedy'])
})

test('skips a guest who is gone, and goes on after a failure', async () => {
  const withMutex = createGuestMutex()
  const guest = { address: 'a', isGone: () => false }
  const failed = withMutex(guest, async () => Promise.reject(new Error('broken')))
  const gone = withMutex({ ...guest, isGone: () => true }, async () => expect.unreachable())
  const last = withMutex(guest, async () => 'read')
  await expect(failed).rejects.toThrow('broken')
  await expect(gone).rejects.toMatchObject({ code: 'timed_out' })
  expect(await last).toBe('read')
})
