import { expect, test } from 'vitest'
import { downloadPercent, runConcurrently } from './rehash.ts'

test('the download counts as 10 to 50 percent', () => {
  expect(downloadPercent(0, 1_000)).toBe(10)
  expect(downloadPercent(500, 1_000)).toBe(30)
  expect(downloadPercent(1_000, 1_000)).toBe(50)
  expect(downloadPercent(2_000, 1_000)).toBe(50)
  expect(downloadPercent(0, 0)).toBe(50)
})

test('files are processed in order, two at a time', async () => {
  const running = new Set<number>()
  const begun: number[] = []
  let most = 0
  await runConcurrently([1, 2, 3, 4, 5], 2, async number => {
    running.add(number)
    begun.push(number)
    most = Math.max(most, running.size)
    await new Promise(resolve => setTimeout(resolve, number))
    running.delete(number)
  })
  expect(begun).toEqual([1, 2, 3, 4, 5])
  expect(most).toBe(2)
})
