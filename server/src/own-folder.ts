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
  /** Removes the folder with its content. */
  release(): Promise<void>
}

/** Creates and locks a folder below `parent` for this process. Removes those of processes that died. */
export async function takeOwnFolder(parent: string): Promise<OwnFolder> {
  const root = rootFolder(parent)
  await mkdir(root, { recursive: true })
  for (const path of await pathsIn(root)) await removeUnlessHeld(path)
  const { path, unlock } = lockNewFolder(root)
  return {
    path,
    async release() {
      // Can fail while another server that starts looks into it. The next start removes what is left.
      await removeFolder(path).catch(() => undefined)
      unlock()
    },
  }
}

/**
 * Another process that starts at the same time can mistake a folder that is created but not yet locked for an orphan and
 * remove it. Then a new one is tried.
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

/** The kernel releases the lock when a process dies, so a folder that can be locked is an orphan. */
async function removeUnlessHeld(folder: SafePath): Promise<void> {
  try {
    const unlock = lockFolder(folder)
    await removeFolder(folder).finally(unlock)
  } catch {
    // It is in use, or another server is removing it. The next start removes what is left.
  }
}
