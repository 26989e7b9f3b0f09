import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { lockFolder } from './db/sqlite/folder-lock.ts'
import {
  newName,
  pathBelow,
  pathsIn,
  type RootFolder,
  removeFolder,
  rootFolder,
  type SafePath,
} from './kit/safe-path.ts'

export interface OwnFolder {
  path: SafePath
  /** Removes it with all that is in it. */
  release(): Promise<void>
}

/** A folder below `parent` for this process alone, beside those of others. Those of processes that died are removed. */
export async function takeOwnFolder(parent: string): Promise<OwnFolder> {
  const root = rootFolder(parent)
  await mkdir(root, { recursive: true })
  for (const path of await pathsIn(root)) await removeUnlessHeld(path)
  const { path, unlock } = lockNewFolder(root)
  return {
    path,
    async release() {
      // A server that starts now may look into it at the same time. What is left is removed at the next start.
      await removeFolder(path).catch(() => undefined)
      unlock()
    },
  }
}

/**
 * Another process that starts at the same moment can take a folder that is made but not yet locked for that of a dead
 * one, and remove it. Then a new one is tried.
 */
function lockNewFolder(root: RootFolder): { path: SafePath; unlock: () => void } {
  for (let attempt = 1; ; attempt++) {
    const path = pathBelow(root, newName())
    try {
      const unlock = lockFolder(path)
      if (existsSync(path)) return { path, unlock }
      unlock()
    } catch (error) {
      if (attempt === ATTEMPTS) throw error
    }
  }
}

const ATTEMPTS = 10

/** The lock is the kernel's, so whoever can take it knows that nobody lives there any more. */
async function removeUnlessHeld(folder: SafePath): Promise<void> {
  try {
    const unlock = lockFolder(folder)
    await removeFolder(folder).finally(unlock)
  } catch {
    // It is in use, or another server that starts removes it too. What is left is removed at the next start.
  }
}
