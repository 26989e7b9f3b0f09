import { expect, test } from 'vitest'
import { piecesOf } from './pieces.ts'

const content = Uint8Array.from({ length: 3_000_001 }, (_, at) => at % 251)

async function together(file: Blob): Promise<Buffer> {
  const copies: Buffer[] = []
  for await (const piece of piecesOf(file)) copies.push(Buffer.from(piece))
  return Buffer.concat(copies)
}

test('the pieces of a file are its bytes, in their order, and there is an end to them', async () => {
  expect((await together(new Blob([content]))).equals(content)).toBe(true)
  expect(await together(new Blob([]))).toHaveLength(0)
})
