import type { Snapshot } from '../db/snapshot.sql.ts'
import { createHasher } from '../processing/hash.ts'

/** Identifies a library. Derived from its signing secret, which a restore preserves. */
export async function libraryId(snapshot: Snapshot): Promise<string> {
  const hasher = createHasher()
  hasher.update(Buffer.from('backup of the library with the secret '))
  for await (const rows of snapshot.read(`select value from settings where name = 'file-signing'`)) {
    for (const [secret] of rows) hasher.update(Buffer.from(String(secret)))
  }
  return hasher.digest().slice(0, 32)
}
