import { createFolder, type Folder, folderNameKey, listFolders } from '#contract/folders.ts'
import { lengths } from '#contract/limits.ts'
import { ApiError, call } from '../kit/api.ts'
import type { Destination } from './pending-uploads-db.ts'

/** Finds the folders that files were dropped in and creates missing ones. Caches each folder for one batch. */
export class FolderResolver {
  readonly #cache = new Map<string, Promise<number>>()

  /** Clears the cache, because people rename and delete folders between uploads. */
  reset(): void {
    this.#cache.clear()
  }

  async resolve({ folderId, keepStructure }: Destination, path: readonly string[]): Promise<number | null> {
    if (!keepStructure) return folderId
    let parent = folderId
    for (const name of path) parent = await this.#resolveChild(parent, name.trim().slice(0, lengths.folderName) || '-')
    return parent
  }

  #resolveChild(parent: number | null, name: string): Promise<number> {
    const key = `${parent}/${folderNameKey(name)}`
    const known = this.#cache.get(key)
    if (known) return known
    const found = findOrCreate(parent, name)
    this.#cache.set(key, found)
    found.catch(() => this.#cache.delete(key))
    return found
  }
}

async function findOrCreate(parent: number | null, name: string): Promise<number> {
  const there = await find(parent, name)
  if (there) return there.id
  try {
    return (await call(createFolder, { body: { name, parent_id: parent } })).id
  } catch (error) {
    // Somebody else created it at the same time.
    const made = error instanceof ApiError && error.status === 409 ? await find(parent, name) : undefined
    if (made) return made.id
    throw error
  }
}

async function find(parent: number | null, name: string): Promise<Folder | undefined> {
  const folders = await call(listFolders, {})
  return folders.find(folder => folder.parent_id === parent && folderNameKey(folder.name) === folderNameKey(name))
}
