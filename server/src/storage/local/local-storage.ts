import { constants, createReadStream, type Stats } from 'node:fs'
import { type FileHandle, lstat, mkdir, open, opendir, readFile, realpath, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { AppError } from '#server/kit/errors.ts'
import {
  newName,
  pathBelow,
  pathsIn,
  type RootFolder,
  removeFile,
  removeFolder,
  rootFolder,
  type SafePath,
} from '#server/kit/safe-path.ts'
import { isKey, parseKey } from '../keys.ts'
import type { Signing } from '../signing.ts'
import type { ByteRange, Storage, StoredObject } from '../storage.ts'
import { asStorageError, systemCode, unlessMissing, withDiskError } from './disk-errors.ts'
import { createDurableFolders, publish, refuseLinks, syncFile, writeDurably } from './durable-files.ts'

/** Objects are plain files in a folder, readable without this product; a key is a path below it. */
export interface LocalStorage extends Storage {
  /** Opens the file for reading; undefined if there is none. The caller closes it. */
  open(key: string): Promise<OpenFile | undefined>
}

export interface OpenFile {
  handle: FileHandle
  size: number
  modifiedAt: Date
}

/** URL prefix under which files are served by key. */
export const filesPath = '/files/'

const READ_CHUNK_BYTES = 256 * 1024

export async function openLocalStorage(options: { folder: string; signing: Signing }): Promise<LocalStorage> {
  await withDiskError(mkdir(options.folder, { recursive: true }))
  const root = rootFolder(await withDiskError(realpath(options.folder)))
  // On the same disk as the objects, for hard links; hidden, so that no key can refer to it.
  const temporary = pathBelow(root, '.tmp')
  await withDiskError(mkdir(temporary, { recursive: true }))
  await withDiskError(refuseLinks(temporary))
  const folders = createDurableFolders(root)

  const newTemporaryPath = () => pathBelow(temporary, newName())

  const pathOf = (key: string): SafePath => pathBelow(root, parseKey(key))

  const storage: LocalStorage = {
    async put(key, source, { signal } = {}) {
      const path = pathOf(key)
      signal?.throwIfAborted()
      const unfinished = newTemporaryPath()
      try {
        const size = await writeDurably(unfinished, source, signal)
        signal?.throwIfAborted()
        await withDiskError(publish(unfinished, path, folders))
        return { size }
      } finally {
        await withDiskError(removeFile(unfinished))
      }
    },

    async putFile(key, source) {
      const path = pathOf(key)
      const size = await withDiskError(syncFile(source))
      try {
        await publish(source, path, folders)
      } catch (error) {
        if (systemCode(error) !== 'EXDEV') throw asStorageError(error)
        await storage.put(key, createReadStream(source, { highWaterMark: READ_CHUNK_BYTES }))
      }
      try {
        await removeFile(source)
      } catch (error) {
        await withDiskError(removeFile(path))
        throw asStorageError(error)
      }
      return { size }
    },

    async read(key, range) {
      const file = await storage.open(key)
      if (!file) throw notFound()
      try {
        const bounds = boundsOf(range, file.size)
        return { stream: file.handle.createReadStream({ ...bounds, highWaterMark: READ_CHUNK_BYTES }), size: file.size }
      } catch (error) {
        await file.handle.close()
        throw error
      }
    },

    async stat(key) {
      const stats = await statFile(pathOf(key))
      return stats && { size: stats.size, modifiedAt: stats.mtime }
    },

    async remove(keys) {
      for (const path of keys.map(pathOf)) {
        if (!(await statFile(path))) continue
        await unlessMissing(removeFile(path))
        await withDiskError(folders.prune(path))
      }
    },

    async *list(prefix) {
      const folder = prefix.slice(0, prefix.lastIndexOf('/') + 1)
      const path = folder ? pathOf(folder.slice(0, -1)) : root
      if (await isOwnFolder(path)) yield* walk(root, path, folder, prefix)
    },

    async withLocalCopy(key, work) {
      const path = pathOf(key)
      if (!(await statFile(path))) throw notFound()
      return work(path)
    },

    signedUrl(key, { download } = {}) {
      return signedPath(options.signing, key, download)
    },

    pictureUrls: () => ({ base: filesPath, query: options.signing.signSmallPictures(), sign: null }),

    async check() {
      const path = newTemporaryPath()
      try {
        await withDiskError(writeFile(path, path, { flag: 'wx' }))
        const back = await withDiskError(readFile(path, 'utf8'))
        if (back !== path) throw new AppError('unavailable', 'storage.diskCorrupts')
      } finally {
        await withDiskError(removeFile(path))
      }
    },

    async open(key) {
      const path = pathOf(key)
      const handle = await unlessMissing(open(path, constants.O_RDONLY | constants.O_NOFOLLOW))
      if (!handle) return
      try {
        const [stats, ownFolder] = await Promise.all([handle.stat(), isOwnFolder(dirname(path))])
        if (stats.isFile() && ownFolder) return { handle, size: stats.size, modifiedAt: stats.mtime }
      } catch (error) {
        await handle.close()
        throw asStorageError(error)
      }
      await handle.close()
    },

    async removeUnfinished(startedBefore) {
      await withDiskError(refuseLinks(temporary))
      for (const path of await withDiskError(pathsIn(temporary))) {
        const stats = await unlessMissing(lstat(path))
        if (stats && stats.mtime < startedBefore) await withDiskError(removeFolder(path))
      }
    },
  }
  return storage
}

/** The URL of a file that this server serves. */
export function signedPath(signing: Signing, key: string, download?: string): string {
  parseKey(key)
  return `${filesPath}${encodePath(key)}?${signing.sign(key, download)}`
}

/** Symbolic links, and files in linked folders, are not objects. */
async function statFile(path: string): Promise<Stats | undefined> {
  const stats = await unlessMissing(lstat(path))
  return stats?.isFile() && (await isOwnFolder(dirname(path))) ? stats : undefined
}

async function isOwnFolder(folder: string): Promise<boolean> {
  return (await unlessMissing(realpath(folder))) === folder
}

/** Skips links and files whose names are not valid keys. */
async function* walk(
  root: RootFolder,
  path: string,
  keyOfFolder: string,
  prefix: string,
): AsyncGenerator<StoredObject> {
  const folder = await unlessMissing(opendir(path, { bufferSize: 256 }))
  for await (const entry of folder ?? []) {
    const key = keyOfFolder + entry.name
    if (!key.startsWith(prefix) || !isKey(key)) continue
    if (entry.isDirectory()) yield* walk(root, pathBelow(root, key), `${key}/`, prefix)
    const stats = entry.isFile() && (await unlessMissing(lstat(pathBelow(root, key))))
    if (stats) yield { key, size: stats.size, modifiedAt: stats.mtime }
  }
}

/** Escapes all but slashes, with a fast path since most keys need no escaping. */
function encodePath(key: string): string {
  return /^[\w./~-]*$/.test(key) ? key : encodeURI(key).replace(/[?#;]/g, encodeURIComponent)
}

export function boundsOf(range: ByteRange | undefined, size: number): { start?: number; end?: number } {
  if (!range) return {}
  const end = Math.min(range.end ?? size - 1, size - 1)
  if (range.start < 0 || range.start > end) {
    throw new AppError('range_not_satisfiable', 'storage.onlyBytes', { bytes: size })
  }
  return { start: range.start, end }
}

function notFound(): AppError {
  return new AppError('not_found', 'storage.fileMissing')
}
