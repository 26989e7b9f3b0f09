import { expect, test } from 'vitest'
import { inParallel } from './in-parallel.ts'

async function* numbers(upTo: number): AsyncGenerator<number> {
  for (let number = 1; number <= upTo; number++) yield number
}

const soon = () => new Promise(resolve => setTimeout(resolve, 1))

test('everything is worked on once, and never more at a time than was said', async () => {
  const done: number[] = []
  let under = 0
  let most = 0
  await inParallel(numbers(20), 3, async number => {
    most = Math.max(most, ++under)
    await soon()
    under--
    done.push(number)
  })
  expect(done.sort((a, b) => a - b)).toEqual([...Array(20).keys()].map(number => number + 1))
  expect(most).toBe(3)
})

test('a failure is thrown when what was under way is done, and nothing new is begun', async () => {
  const begun: number[] = []
  const ended: number[] = []
  const work = inParallel(numbers(100), 4, async number => {
    begun.push(number)
    await soon()
    if (number === 6) throw new Error('no room')
    await soon()
    ended.push(number)
  })
  await expect(work).rejects.toThrow('no room')
  expect(ended.toSorted()).toEqual(begun.filter(number => number !== 6).toSorted())
  expect(begun.length).toBeLessThan(20)
})
