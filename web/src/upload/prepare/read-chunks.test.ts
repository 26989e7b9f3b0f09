import { expect, test } from 'vitest'
import { readChunks } from './read-chunks.ts'

const bytes = Uint8Array.from({ length: 3_000_000 }, (_, i) => i % 251)
const byob = { byobFrom: 0, timeout: 50 }

async function bytesOf(file: Blob, ways?: typeof byob): Promise<Buffer> {
  const taken: Buffer[] = []
  // Copied, because the buffer is reused for the next chunk.
  await readChunks(file, piece => taken.push(Buffer.from(piece)), ways)
  return Buffer.concat(taken)
}

test('a file is read completely and in order, with and without BYOB', async () => {
  expect((await bytesOf(new Blob([bytes]))).equals(bytes)).toBe(true)
  expect((await bytesOf(new Blob([bytes]), byob)).equals(bytes)).toBe(true)
  expect(await bytesOf(new Blob([]), byob)).toHaveLength(0)
})

/** Delivers one chunk like a byte stream and then hangs. */
class SilentFile extends Blob {
  override stream(): ReadableStream<Uint8Array<ArrayBuffer>> {
    let asked = 0
    return new ReadableStream({
      type: 'bytes',
      async pull(controller) {
        asked++
        if (asked === 1) controller.enqueue(bytes.slice(0, 1000))
        else await new Promise(() => undefined)
      },
    })
  }
}

test('if the browser stops answering, the rest is read without BYOB', async () => {
  expect((await bytesOf(new SilentFile([bytes]), byob)).equals(bytes)).toBe(true)
})

/** Like a browser without BYOB readers. */
class PlainFile extends Blob {
  override stream(): ReadableStream<Uint8Array<ArrayBuffer>> {
    return new ReadableStream({
      start(controller) {
        controller.enqueue(bytes)
        controller.close()
      },
    })
  }
}

test('a browser without BYOB readers is supported', async () => {
  expect((await bytesOf(new PlainFile([bytes]), byob)).equals(bytes)).toBe(true)
})

/** Like a file that is deleted before the second chunk is read. */
class LostFile extends Blob {
  override stream(): ReadableStream<Uint8Array<ArrayBuffer>> {
    let asked = 0
    return new ReadableStream({
      type: 'bytes',
      pull(controller) {
        asked++
        if (asked === 1) controller.enqueue(bytes.slice(0, 1000))
        else controller.error(new DOMException('The file is gone.', 'NotReadableError'))
      },
    })
  }
}

test('a file that becomes unreadable rejects', async () => {
  await expect(bytesOf(new LostFile([bytes]), byob)).rejects.toThrow('The file is gone.')
})
