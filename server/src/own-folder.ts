import { mkdir } from 'node:fs/promises'
import { FolderInUse, lockFolder } from './db/sqlite/folder-lock.ts'
import { newName, pathBelow, pathsIn, removeFolder, rootFolder, type SafePath } from './kit/safe-path.ts'

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
  const path = pathBelow(root, newName())
  const unlock = lockFolder(path)
  return {
    path,
    async release() {
      unlock()
      await removeFolder(path)
    },
  }
}

/** The lock is the kernel's, so whoever can take it knows that nobody lives there any more. */
async function removeUnlessHeld(folder: SafePath): Promise<void> {
  try {
    const unlock = lockFolder(folder)
    await removeFolder(folder)
    unlock()
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error
  }
}
