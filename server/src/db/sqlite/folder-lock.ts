import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

export class FolderInUse extends Error {
  constructor(folder: string) {
    super(`Another Heirloom is already running on the data folder ${folder}. Stop it first, or set DATA_DIR.`)
    this.name = 'FolderInUse'
  }
}

/**
 * Locks the data folder for this process. It is a kernel lock (SQLite's file lock on an empty database), so it is
 * released however the process ends, and there is no stale pid file.
 */
export function lockFolder(folder: string): () => void {
  mkdirSync(folder, { recursive: true })
  const database = new DatabaseSync(join(folder, 'heirloom.lock'))
  try {
    database.exec('PRAGMA locking_mode = EXCLUSIVE')
    database.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    database.close()
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) throw new FolderInUse(folder)
    throw error
  }
  return () => database.close()
}

const SQLITE_BUSY = 5
