import { expect, test } from 'vitest'
import { cachedResult } from './cached-result.ts'

test('one run answers every call until it expires, and a failure expires sooner', async () => {
  let now = 0
  let runs = 0
  let broken = false
  const lifetimes = { success: 100, failure: 10, timeout: 1_000, clock: () => now }
  const check = cachedResult(async () => {
    runs++
    if (broken) throw new Error('away')
    return runs
  }, lifetimes)
  expect(await Promise.all([check(), check()])).toEqual([1, 1])
  now = 99
  expect(await check()).toBe(1)
  now = 100
  broken = true
  await expect(check()).rejects.toThrow('away')
  now = 109
  await expect(check()).rejects.toThrow('away')
  expect(runs).toBe(2)
  now = 110
  broken = false
  expect(await check()).toBe(3)
})

test('a run that hangs fails after its time, and the next call runs again', async () => {
  let now = 0
  let runs = 0
  const hang = () => new Promise<number>(() => {})
  const check = cachedResult(() => (++runs === 1 ? hang() : Promise.resolve(runs)), {
    success: 100,
    failure: 10,
    timeout: 20,
    clock: () => now,
  })
  await expect(check()).rejects.toThrow('No result after 20 ms')
  now = 10
  expect(await check()).toBe(2)
})
