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

test('a browser that cannot read into memory of ours gives them too', async () => {
  const plain = new Blob([content])
  const stream = () =>
    new ReadableStream({
      start(controller) {
        controller.enqueue(content.subarray(0, 10))
        controller.enqueue(content.subarray(10))
        controller.close()
      },
    })
  expect((await together(Object.assign(plain, { stream }))).equals(content)).toBe(true)
})

test('whoever has had all bytes does not wait for a stream to say that it ends', async () => {
  const endless = () =>
    new ReadableStream({
      type: 'bytes',
      start: controller => controller.enqueue(content.slice()),
    })
  expect((await together(Object.assign(new Blob([content]), { stream: endless }))).equals(content)).toBe(true)
})
