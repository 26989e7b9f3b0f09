import type { Readable } from 'node:stream'
import type { Storage, StoredObject } from '#server/storage/storage.ts'

export async function* chunksOf(...chunks: (Uint8Array | string)[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield Buffer.from(chunk)
}

export async function bytesOf(stream: Readable): Promise<Buffer> {
  return Buffer.concat(await stream.toArray())
}

export async function listed(storage: Storage, prefix: string): Promise<StoredObject[]> {
  const objects: StoredObject[] = []
  for await (const object of storage.list(prefix)) objects.push(object)
  return objects
}

export async function keysIn(storage: Storage, prefix = ''): Promise<string[]> {
  return (await listed(storage, prefix)).map(object => object.key).sort()
}
