import type { FileHandle } from 'node:fs/promises'
import { WATCHED } from '../storage/keys.ts'
import { boundsOf, type LocalStorage, type OpenFile, signedPath } from '../storage/local/local-storage.ts'
import type { Signing } from '../storage/signing.ts'
import type { Storage } from '../storage/storage.ts'
import { isAsListed, openRoot, openWithoutLinks, pathOfName } from './paths.ts'

/** Where a part lies that has not been copied. */
export interface Place {
  root: string
  path: string
  size: number
  modified_at: number
}

interface WatchedDeps {
  /** The configured folders. */
  roots: readonly string[]
  /** Every place with the bytes of a key. */
  placesOf: (key: string) => Promise<Place[]>
  signing: Signing
}

interface OwnStorage {
  storage: Storage
  local: LocalStorage | undefined
  served: Pick<LocalStorage, 'open'> | undefined
}

interface FileInPlace extends OpenFile {
  path: string
}

/**
 * Reads the keys of watched folders where their files are, and everything else from the library's own storage. Nothing is
 * ever written to those folders or removed from them: `put`, `putFile` and `remove` go to the library's own storage alone, which has
 * such a key only if a backup was restored.
 */
export function withWatchedFolders<Own extends OwnStorage>(own: Own, { roots, placesOf, signing }: WatchedDeps): Own {
  const { storage: base, local } = own
  if (roots.length === 0) return own

  /** Undefined also if the bytes may be others by now. */
  async function openInPlace(key: string): Promise<FileInPlace | undefined> {
    if (!key.startsWith(WATCHED)) return undefined
    for (const place of await placesOf(key)) {
      const root = roots.includes(place.root) ? await openRoot(place.root) : undefined
      const path = root && pathOfName(root, place.path)
      const opened = path && (await openWithoutLinks(path))
      if (!opened) continue
      const { handle, stats } = opened
      if (isAsListed(stats, place)) return { handle, size: stats.size, modifiedAt: stats.mtime, path }
      await handle.close()
    }
    return undefined
  }

  async function closing<T>(handle: FileHandle, work: () => T | Promise<T>): Promise<T> {
    try {
      return await work()
    } finally {
      await handle.close()
    }
  }

  const storage: Storage = {
    ...base,
    async read(key, range) {
      const file = await openInPlace(key)
      if (!file) return base.read(key, range)
      try {
        return { stream: file.handle.createReadStream(boundsOf(range, file.size)), size: file.size }
      } catch (error) {
        await file.handle.close()
        throw error
      }
    },
    async stat(key) {
      const file = await openInPlace(key)
      if (!file) return base.stat(key)
      return closing(file.handle, () => ({ size: file.size, modifiedAt: file.modifiedAt }))
    },
    async withLocalCopy(key, work) {
      const file = await openInPlace(key)
      if (!file) return base.withLocalCopy(key, work)
      return closing(file.handle, () => work(file.path))
    },
    signedUrl(key, options = {}) {
      if (!key.startsWith(WATCHED)) return base.signedUrl(key, options)
      return signedPath(signing, key, options.download)
    },
  }
  const open = async (key: string) => (await openInPlace(key)) ?? local?.open(key)
  return { ...own, storage, served: { open } }
}
