import { expect, test } from 'vitest'
import { splitIntoBlocks } from './MessageBlock.tsx'

test('every row is in exactly one block, in order', () => {
  for (const [count, pivot] of [
    [0, 0],
    [1, 0],
    [40, 0],
    [41, 0],
    [130, 50],
    [50_000, 49_950],
  ] as const) {
    const rows = splitIntoBlocks(count, pivot).flatMap(({ from, to }) =>
      Array.from({ length: to - from }, (_, i) => from + i),
    )
    expect(rows).toEqual(Array.from({ length: count }, (_, i) => i))
  }
})

test('rows added before and after do not change existing blocks', () => {
  const before = splitIntoBlocks(100, 20, 10)
  const after = splitIntoBlocks(100 + 25 + 3, 20 + 25, 10)
  const moved = after.map(({ key, from, to }) => ({ key, from: from - 25, to: to - 25 }))
  for (const block of before) expect(moved).toContainEqual(block)
})
