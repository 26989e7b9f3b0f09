import { createReadStream } from 'node:fs'
import { Blake3Hasher } from '@napi-rs/blake-hash'

/** BLAKE3 over bytes as they pass by. */
export interface Hasher {
  update(chunk: Uint8Array): void
  /** The digest in hex. Call it once, at the end. */
  digest(): string
}

export function createHasher(): Hasher {
  const blake3 = new Blake3Hasher()
  return {
    update: chunk => void blake3.update(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)),
    digest: () => blake3.digest('hex'),
  }
}

/** Large enough that crossing into native code costs nothing, small enough that an update never delays a request. */
const CHUNK_BYTES = 1024 * 1024

/** The content hash of a file: BLAKE3, hex. Memory stays flat whatever the size. */
export async function hashFile(path: string, options: { signal?: AbortSignal } = {}): Promise<string> {
  const hasher = createHasher()
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES, ...options })) hasher.update(chunk)
  return hasher.digest()
}
