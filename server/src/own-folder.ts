import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { FolderInUse, lockFolder } from './db/sqlite/folder-lock.ts'

export interface OwnFolder {
  path: string
  /** Removes it with all that is in it. */
  release(): void
}

/** A folder below `parent` for this process alone, beside those of others. Those of processes that died are removed. */
export function takeOwnFolder(parent: string): OwnFolder {
  mkdirSync(parent, { recursive: true })
  for (const name of readdirSync(parent)) removeUnlessHeld(join(parent, name))
  const path = join(parent, randomUUID())
  const unlock = lockFolder(path)
  return {
    path,
    release() {
      unlock()
      rmSync(path, { recursive: true, force: true })
    },
  }
}

/** The lock is the kernel's, so whoever can take it knows that nobody lives there any more. */
function removeUnlessHeld(folder: string): void {
  try {
    const unlock = lockFolder(folder)
    rmSync(folder, { recursive: true, force: true })
    unlock()
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error
  }
}
