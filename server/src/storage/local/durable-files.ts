import { constants } from 'node:fs'
import { type FileHandle, link, open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { AppError } from '#server/kit/errors.ts'
import { removeFile, type SafePath } from '#server/kit/safe-path.ts'
import { abortable } from '../interruptible.ts'
import { systemCode, withDiskError } from './disk-errors.ts'
import { type DurableFolders, refuseLinks, syncFolder } from './folders.ts'

/** Writes `source` into a new file at `path` and resolves with its size when the bytes are on the disk. */
export async function writeDurably(
  path: string,
  source: AsyncIterable<Uint8Array>,
  signal?: AbortSignal,
): Promise<number> {
  // A stream that breaks before it is first read would end the process; when read, it says so again.
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

/** The next chunk is asked for only when the last one is written: a slow disk slows the sender, memory stays flat. */
async function writeAll(handle: FileHandle, chunks: AsyncIterable<Uint8Array>): Promise<number> {
  let size = 0
  for await (const chunk of chunks) {
    await withDiskError(handle.writeFile(chunk))
    size += chunk.byteLength
  }
  return size
}

/** Makes sure that a finished file is a plain one and on the disk; resolves with its size. */
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

/** A folder can be pruned at the very moment a file is to go into it; that it happens this often means something else. */
const MAX_ATTEMPTS = 10

/**
 * Gives a finished, synced file the name `path`, durably, and never takes that name from another file. The old name may
 * still be there afterwards.
 */
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
        throw new AppError('conflict', 'Something is already stored under that name.', { cause: error })
      }
      if (systemCode(error) !== 'ENOENT' || attempt === MAX_ATTEMPTS) throw error
      folders.clearCache()
    }
  }
  try {
    // Once more: the folder may have been pruned and made anew in between, and not be on the disk yet.
    await folders.make(folder)
    await syncFolder(folder)
  } catch (error) {
    await removeFile(path)
    throw error
  }
}

/** Unlike a rename, a hard link never replaces what is there. */
async function linkOrRename(finished: string, path: SafePath): Promise<void> {
  try {
    await link(finished, path)
  } catch (error) {
    const code = systemCode(error)
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'EOPNOTSUPP' && code !== 'ENOSYS') throw error
    // exFAT and some network disks know no hard links. There the name is reserved first, then renamed onto.
    await (await open(path, 'wx')).close()
    try {
      await rename(finished, path)
    } catch (renameError) {
      await removeFile(path)
      throw renameError
    }
  }
}
