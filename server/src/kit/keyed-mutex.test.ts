import { expect, test } from 'vitest'
import { KeyedMutex } from './keyed-mutex.ts'

test('with one key one acts after the other, in their order, and a failure is its own', async () => {
  const mutex = new KeyedMutex()
  const seen: string[] = []
  const act = (name: string, fails = false) =>
    mutex.run(1, async () => {
      seen.push(`${name} begins`)
      await new Promise(resolve => setTimeout(resolve, 5))
      seen.push(`${name} ends`)
      if (fails) throw new Error(`${name} fails`)
      return name
    })
  const results = await Promise.allSettled([act('a'), act('b', true), act('c')])
  expect(seen).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})

test('another key waits for nobody', async () => {
  const mutex = new KeyedMutex()
  const held = Promise.withResolvers<string>()
  const slow = mutex.run(1, () => held.promise)
  expect(await mutex.run(2, async () => 'quick')).toBe('quick')
  held.resolve('slow')
  expect(await slow).toBe('slow')
})
