import { AppError } from '../../kit/errors.ts'
import { createHasher } from '../../processing/hash.ts'
import { systemCode } from '../../storage/local/disk-errors.ts'
import type { Storage } from '../../storage/storage.ts'
import type { ListedFile } from './files-list.sql.ts'

export type Transferred = 'whole' | 'damaged' | 'missing'

/** Copies a file between storages and verifies it; on a mismatch nothing is left at the target. */
export async function transfer(
  from: Storage,
  to: Storage,
  file: Pick<ListedFile, 'key' | 'size' | 'hash'>,
  signal: AbortSignal,
  targetKey = file.key,
): Promise<Transferred> {
  if (!(await from.stat(file.key))) return 'missing'
  try {
    const { stream } = await from.read(file.key)
    await to.put(targetKey, whole(stream, file), { signal })
    return 'whole'
  } catch (error) {
    return sayOrThrow(error, signal)
  }
}

/** Copies the readable bytes of a file without verification: a damaged photo is better than none. */
export async function transferAsItIs(
  from: Storage,
  to: Storage,
  key: string,
  signal: AbortSignal,
  targetKey = key,
): Promise<boolean> {
  if (!(await from.stat(key))) return false
  try {
    await to.remove([targetKey])
    const { stream } = await from.read(key)
    await to.put(targetKey, stream, { signal })
    return true
  } catch (error) {
    sayOrThrow(error, signal)
    return false
  }
}

/** What an earlier run left of a file at the target; without `verify` the size alone is compared. */
export async function findTransferred(
  storage: Storage,
  { key, size, hash }: Pick<ListedFile, 'key' | 'size' | 'hash'>,
  { verify, signal }: { verify: boolean; signal: AbortSignal },
): Promise<Transferred> {
  const present = await storage.stat(key)
  if (!present) return 'missing'
  if (present.size !== (size ?? present.size)) return 'damaged'
  if (!verify || hash === null) return 'whole'
  try {
    const hasher = createHasher()
    for await (const chunk of (await storage.read(key)).stream) {
      signal.throwIfAborted()
      hasher.update(chunk)
    }
    return hasher.digest() === hash ? 'whole' : 'damaged'
  } catch (error) {
    signal.throwIfAborted()
    if (systemCode(error) === undefined) throw error
    return 'damaged'
  }
}

/** A read error concerns this file only; a write error of the target would affect all files, so it is thrown. */
function sayOrThrow(error: unknown, signal: AbortSignal): Exclude<Transferred, 'whole'> {
  signal.throwIfAborted()
  if (error instanceof AppError && error.code === 'not_found') return 'missing'
  const ofTheSource = error instanceof NotWhole || (error instanceof Error && 'syscall' in error)
  if (!ofTheSource) throw error
  return 'damaged'
}

class NotWhole extends Error {}

/** Passes the bytes through and throws at the end if size or hash differ from the expected ones. */
async function* whole(
  source: AsyncIterable<Uint8Array>,
  { size, hash }: Pick<ListedFile, 'size' | 'hash'>,
): AsyncGenerator<Uint8Array> {
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
