import { type Database, isDatabaseAway } from '../db/database.ts'
import type { Clock } from '../kit/clock.ts'
import type { SafePath } from '../kit/safe-path.ts'
import type { Storage } from '../storage/storage.ts'
import { looseKeys, noteWriting, settleKeys, withoutOwner } from './loose-keys.sql.ts'

interface KeepDeps {
  db: Database
  storage: Storage
  clock: Clock
}

export interface FileToKeep {
  key: string
  path: SafePath
}

/**
 * Moves finished files into storage and runs `commit`, which makes them somebody's. Whatever happens in between, no byte
 * stays that nobody owns: a failure removes them here, a killed server's are removed by the sweep.
 */
export async function keepFiles<T>(deps: KeepDeps, files: FileToKeep[], commit: () => Promise<T>): Promise<T> {
  const { db, storage, clock } = deps
  const keys = files.map(file => file.key)
  const put: string[] = []
  await noteWriting(db.query, keys, clock())
  try {
    for (const file of files) {
      await storage.putFile(file.key, file.path)
      put.push(file.key)
    }
    return await commit()
  } catch (error) {
    // A database that went away may have committed before it did: then the bytes are a file's. The sweep will know.
    if (!isDatabaseAway(error)) {
      // A key that was taken is somebody else's: a job whose claim ran out may be overtaken by its successor.
      await storage.remove(put)
      await settleKeys(db.query, keys)
    }
    throw error
  }
}

const SWEPT_AT_ONCE = 500

/** Removes bytes that no file owns. */
export async function sweepLooseKeys({ db, storage }: KeepDeps, writtenBefore: number): Promise<number> {
  let swept = 0
  for (;;) {
    const keys = await looseKeys(db.query, writtenBefore, SWEPT_AT_ONCE)
    if (keys.length === 0) return swept
    const ownerless = await withoutOwner(db.query, keys)
    await storage.remove(ownerless)
    await settleKeys(db.query, keys)
    swept += ownerless.length
  }
}
