import { createHasher } from '../../processing/hash.ts'

/** The bytes are not those that were once stored. */
export class NotWhole extends Error {}

/** The bytes as they pass by; at their end an error, unless they are as many and the very ones that are expected. */
export async function* whole(
  source: AsyncIterable<Uint8Array>,
  expected: { size: number | null; hash: string | null },
): AsyncGenerator<Uint8Array> {
  const hasher = createHasher()
  let size = 0
  for await (const chunk of source) {
    size += chunk.byteLength
    hasher.update(chunk)
    yield chunk
  }
  if (expected.size !== null && size !== expected.size) throw new NotWhole()
  if (expected.hash !== null && hasher.digest() !== expected.hash) throw new NotWhole()
}
