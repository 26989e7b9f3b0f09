import { expect, test } from 'vitest'
import { readInPieces } from './read-in-pieces.ts'

const bytes = Uint8Array.from({ length: 3_000_000 }, (_, i) => i % 251)
const ownMemory = { ownMemoryFrom: 0, patience: 50 }

async function bytesOf(file: Blob, ways?: typeof ownMemory): Promise<Buffer> {
  const taken: Buffer[] = []
  // A copy: the memory is written anew for the next piece.
  await readInPieces(file, piece => taken.push(Buffer.from(piece)), ways)
  return Buffer.concat(taken)
}

test('a file comes whole and in order, into memory of our own or not', async () => {
  expect((await bytesOf(new Blob([bytes]))).equals(bytes)).toBe(true)
  expect((await bytesOf(new Blob([bytes]), ownMemory)).equals(bytes)).toBe(true)
  expect(await bytesOf(new Blob([]), ownMemory)).toHaveLength(0)
})

/** Answers once as a byte stream does, and then never again. */
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

test('where the browser stops answering, the rest is read the other way', async () => {
  expect((await bytesOf(new SilentFile([bytes]), ownMemory)).equals(bytes)).toBe(true)
})

/** As in a browser that reads into its own memory alone. */
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

test('a browser that cannot read into given memory reads all the same', async () => {
  expect((await bytesOf(new PlainFile([bytes]), ownMemory)).equals(bytes)).toBe(true)
})

/** As a file that is gone when the second piece is read. */
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

test('a file that is gone in the middle is told', async () => {
  await expect(bytesOf(new LostFile([bytes]), ownMemory)).rejects.toThrow('The file is gone.')
})
