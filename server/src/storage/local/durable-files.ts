import { constants } from 'node:fs'
import { type FileHandle, link, mkdir, open, realpath, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { AppError } from '#server/kit/errors.ts'
import { parentBelow, type RootFolder, removeEmptyFolder, removeFile, type SafePath } from '#server/kit/safe-path.ts'
import { abortable } from '../abortable.ts'
import { isMissing, systemCode, withDiskError } from './disk-errors.ts'

/** Writes `source` into a new file at `path` and resolves with its size when the bytes are on the disk. */
export async function writeDurably(
  path: string,
  source: AsyncIterable<Uint8Array>,
  signal?: AbortSignal,
): Promise<number> {
  // An error before the stream is first read would be unhandled and end the process. Reading it reports the error again.
  if (source instanceof Readable) source.on('error', () => undefined)
  const handle = await withDiskError(open(path, 'wx'))
  try {
    const size = await writeAll(handle, signal ? abortable(source, signal) : source)
    await withDiskError(handle.sync())
    return size
  } finally {
    await handle.close()
  }
}

/** Backpressure: reads the next chunk only after the last one is written. */
async function writeAll(handle: FileHandle, chunks: AsyncIterable<Uint8Array>): Promise<number> {
  let size = 0
  for await (const chunk of chunks) {
    await withDiskError(handle.writeFile(chunk))
    size += chunk.byteLength
  }
  return size
}

/** Throws unless it is a regular file; syncs it to disk and resolves with its size. */
export async function syncFile(path: string): Promise<number> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    const stats = await handle.stat()
    if (!stats.isFile()) throw new Error(`${path} is not a file`)
    await handle.sync()
    return stats.size
  } finally {
    await handle.close()
  }
}

/** A folder may be pruned while a file is added to it. More failures than this have another cause. */
const MAX_ATTEMPTS = 10

/** Gives a finished, synced file the name `path`, durably and without overwriting. The old name may still exist. */
export async function publish(finished: string, path: SafePath, folders: DurableFolders): Promise<void> {
  const folder = dirname(path)
  for (let attempt = 1; ; attempt++) {
    try {
      await folders.make(folder)
      await refuseLinks(folder)
      await linkOrRename(finished, path)
      break
    } catch (error) {
      if (systemCode(error) === 'EEXIST') {
        throw new AppError('conflict', 'storage.nameTaken', { cause: error })
      }
      if (systemCode(error) !== 'ENOENT' || attempt === MAX_ATTEMPTS) throw error
      folders.clearCache()
    }
  }
  try {
    // Again: the folder may have been pruned and recreated by others, and not be synced yet.
    await folders.make(folder)
    await syncFolder(folder)
  } catch (error) {
    await removeFile(path)
    throw error
  }
}

/** Unlike a rename, a hard link never overwrites. */
async function linkOrRename(finished: string, path: SafePath): Promise<void> {
  try {
    await link(finished, path)
  } catch (error) {
    const code = systemCode(error)
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'EOPNOTSUPP' && code !== 'ENOSYS') throw error
    // exFAT and some network disks have no hard links. There an empty file reserves the name before the rename.
    await (await open(path, 'wx')).close()
    try {
      await rename(finished, path)
    } catch (renameError) {
      await removeFile(path)
      throw renameError
    }
  }
}

/** Folders below `root`: created durably when needed, removed when empty. */
export interface DurableFolders {
  /** Resolves when `folder` and its parents exist and are synced. */
  make(folder: string): Promise<void>
  /** Removes the folder of a removed file and its parents if they are empty. */
  prune(file: SafePath): Promise<void>
  /** To be called when a folder was found to be missing. */
  clearCache(): void
}

/** Bounds the memory; every file has a folder for its variants. */
const MAX_CACHED = 10_000

export function createDurableFolders(root: RootFolder): DurableFolders {
  // Concurrent calls share the promise: a file is durable only when its new folder is.
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

/** A new name is durable only after its folder is synced. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** A symbolic link in the storage folder could lead anywhere on this machine. */
export async function refuseLinks(folder: string): Promise<void> {
  if ((await realpath(folder)) !== folder) {
    throw new AppError('unavailable', 'storage.symbolicLink')
  }
}
