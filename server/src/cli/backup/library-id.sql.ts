import { createHasher } from '../../processing/hash.ts'
import type { Snapshot } from './snapshot.sql.ts'

/** Tells libraries apart. It comes of a secret that every library makes for itself and keeps through a restore. */
export async function libraryId(snapshot: Snapshot): Promise<string> {
  const hasher = createHasher()
  hasher.update(Buffer.from('backup of the library with the secret '))
  for await (const rows of snapshot.read(`select value from settings where name = 'file-signing'`)) {
    for (const [secret] of rows) hasher.update(Buffer.from(String(secret)))
  }
  return hasher.digest().slice(0, 32)
}
