import { type Database, isDatabaseUnavailable } from '../db/database.ts'
import type { Clock } from '../kit/clock.ts'
import type { SafePath } from '../kit/safe-path.ts'
import type { Storage } from '../storage/storage.ts'
import { clearPending, findPossibleOrphans, insertPending, withoutMedia } from './loose-keys.sql.ts'

interface StoreDeps {
  db: Database
  storage: Storage
  clock: Clock
}

export interface FileToStore {
  key: string
  path: SafePath
}

/**
 * Moves finished files into storage and runs `commit`, which makes them somebody's. Whatever happens in between, no byte
 * stays that nobody owns: a failure removes them here, a killed server's are removed by the sweep.
 */
export async function storeThenCommit<T>(deps: StoreDeps, files: FileToStore[], commit: () => Promise<T>): Promise<T> {
  const { db, storage, clock } = deps
  const keys = files.map(file => file.key)
  const put: string[] = []
  await insertPending(db.query, keys, clock())
  try {
    for (const file of files) {
      await storage.putFile(file.key, file.path)
      put.push(file.key)
    }
    return await commit()
  } catch (error) {
    // A database that went away may have committed before it did: then the bytes are a file's. The sweep will know.
    if (!isDatabaseUnavailable(error)) {
      // A key that was taken is somebody else's: a job whose claim ran out may be overtaken by its successor.
      await storage.remove(put)
      await clearPending(db.query, keys)
    }
    throw error
  }
}

const ORPHANS_PER_BATCH = 500

/** Removes bytes that no file owns. */
export async function removeOrphans({ db, storage }: StoreDeps, writtenBefore: number): Promise<number> {
  let removed = 0
  for (;;) {
    const keys = await findPossibleOrphans(db.query, writtenBefore, ORPHANS_PER_BATCH)
    if (keys.length === 0) return removed
    const ownerless = await withoutMedia(db.query, keys)
    await storage.remove(ownerless)
    await clearPending(db.query, keys)
    removed += ownerless.length
  }
}
