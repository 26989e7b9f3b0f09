import { AppError } from '../../kit/errors.ts'
import { createHasher } from '../../processing/hash.ts'
import type { Storage } from '../../storage/storage.ts'
import type { ListedFile } from './files-list.sql.ts'

export type Transferred = 'whole' | 'damaged' | 'missing'

/** Copies a file from one storage to another if it is what it should be, and otherwise leaves nothing there. */
export async function transfer(
  from: Storage,
  to: Storage,
  file: ListedFile,
  signal: AbortSignal,
): Promise<Transferred> {
  if (!(await from.stat(file.key))) return 'missing'
  try {
    const { stream } = await from.read(file.key)
    await to.put(file.key, whole(stream, file), { signal })
    return 'whole'
  } catch (error) {
    return sayOrThrow(error, signal)
  }
}

/** Copies what can be read of a file, whatever it is by now: a photo with a flaw is better than none. */
export async function transferAsItIs(from: Storage, to: Storage, key: string, signal: AbortSignal): Promise<boolean> {
  if (!(await from.stat(key))) return false
  try {
    await to.remove([key])
    const { stream } = await from.read(key)
    await to.put(key, stream, { signal })
    return true
  } catch (error) {
    sayOrThrow(error, signal)
    return false
  }
}

/** A file that cannot be read concerns that file alone; a target that cannot be written to concerns them all. */
function sayOrThrow(error: unknown, signal: AbortSignal): Exclude<Transferred, 'whole'> {
  signal.throwIfAborted()
  if (error instanceof AppError && error.code === 'not_found') return 'missing'
  const ofTheSource = error instanceof NotWhole || (error instanceof Error && 'syscall' in error)
  if (!ofTheSource) throw error
  return 'damaged'
}

class NotWhole extends Error {}

/** The bytes as they pass by; at their end an error, unless they are the very ones that are expected. */
async function* whole(source: AsyncIterable<Uint8Array>, { size, hash }: ListedFile): AsyncGenerator<Uint8Array> {
  const hasher = createHasher()
  let passed = 0
  for await (const chunk of source) {
    passed += chunk.byteLength
    hasher.update(chunk)
    yield chunk
  }
  if (size !== null && passed !== size) throw new NotWhole()
  if (hash !== null && hasher.digest() !== hash) throw new NotWhole()
}
