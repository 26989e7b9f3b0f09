import { mkdir, open, realpath } from 'node:fs/promises'
import { dirname } from 'node:path'
import { AppError } from '#server/kit/errors.ts'
import { parentBelow, type RootFolder, removeEmptyFolder, type SafePath } from '#server/kit/safe-path.ts'
import { isMissing, systemCode } from './disk-errors.ts'

/** The folders below `root`: made when needed so that they outlive a power cut, removed when empty. */
export interface DurableFolders {
  /** Resolves when `folder` and every folder above it exist and are known to the disk. */
  make(folder: string): Promise<void>
  /** Removes the folder of a file that is gone, and those above it, as far as they are empty. */
  prune(file: SafePath): Promise<void>
  /** To be called when a folder turned out to be gone after all. */
  clearCache(): void
}

/** Folders are few, save those of variants; past this many they are made sure of again. */
const MAX_CACHED = 10_000

export function createDurableFolders(root: RootFolder): DurableFolders {
  // Shared while under way: a second file in a new folder must not be called durable before the folder is.
  const made = new Map<string, Promise<void>>()

  function make(folder: string): Promise<void> {
    if (folder === root) return Promise.resolve()
    const known = made.get(folder)
    if (known) return known
    if (made.size >= MAX_CACHED) made.clear()
    const making = makeDurably(folder)
    made.set(folder, making)
    making.catch(() => made.delete(folder))
    return making
  }

  async function makeDurably(folder: string): Promise<void> {
    const parent = dirname(folder)
    await make(parent)
    try {
      await mkdir(folder)
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') throw error
    }
    await refuseLinks(folder)
    await syncFolder(parent)
  }

  return {
    make,
    clearCache: () => made.clear(),
    async prune(file) {
      for (let current = parentBelow(root, file); current; current = parentBelow(root, current)) {
        made.delete(current)
        try {
          await removeEmptyFolder(current)
        } catch (error) {
          if (systemCode(error) === 'ENOTEMPTY' || systemCode(error) === 'EEXIST') return
          if (!isMissing(error)) throw error
        }
      }
    },
  }
}

/** A name is on the disk only when its folder is. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Links are not followed: one in the storage folder could lead anywhere on this machine. */
export async function refuseLinks(folder: string): Promise<void> {
  if ((await realpath(folder)) !== folder) {
    throw new AppError('unavailable', 'A link stands in the storage folder where a folder should be.')
  }
}
