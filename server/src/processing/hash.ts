import { createReadStream } from 'node:fs'
import { Blake3Hasher } from '@napi-rs/blake-hash'

/** Streaming BLAKE3. */
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

/** Large enough to make calls into native code cheap, small enough not to block the event loop. */
const CHUNK_BYTES = 1024 * 1024

/** The content hash of a file: BLAKE3 in hex, in constant memory. */
export async function hashFile(path: string, options: { signal?: AbortSignal } = {}): Promise<string> {
  const hasher = createHasher()
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES, ...options })) hasher.update(chunk)
  return hasher.digest()
}
