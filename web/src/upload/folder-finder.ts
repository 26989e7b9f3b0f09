import { createFolder, type Folder, folderNameKey, listFolders } from '#contract/folders.ts'
import { lengths } from '#contract/limits.ts'
import { ApiError, call } from '../kit/api.ts'
import type { Destination } from './memory/record.ts'

/** Finds the folders that files were dropped in, and makes those that are missing, each once. */
export class FolderFinder {
  readonly #found = new Map<string, Promise<number>>()

  /** Forgets what it knows, since people rename and delete folders between one upload and the next. */
  reset(): void {
    this.#found.clear()
  }

  async find({ folderId, keepStructure }: Destination, path: readonly string[]): Promise<number | null> {
    if (!keepStructure) return folderId
    let parent = folderId
    for (const name of path) parent = await this.#within(parent, name.trim().slice(0, lengths.folderName) || '-')
    return parent
  }

  #within(parent: number | null, name: string): Promise<number> {
    const key = `${parent}/${folderNameKey(name)}`
    const known = this.#found.get(key)
    if (known) return known
    const found = findOrMake(parent, name)
    this.#found.set(key, found)
    found.catch(() => this.#found.delete(key))
    return found
  }
}

async function findOrMake(parent: number | null, name: string): Promise<number> {
  const there = await find(parent, name)
  if (there) return there.id
  try {
    return (await call(createFolder, { body: { name, parent_id: parent } })).id
  } catch (error) {
    // Somebody else made it at this very moment.
    const made = error instanceof ApiError && error.status === 409 ? await find(parent, name) : undefined
    if (made) return made.id
    throw error
  }
}

async function find(parent: number | null, name: string): Promise<Folder | undefined> {
  const folders = await call(listFolders, {})
  return folders.find(folder => folder.parent_id === parent && folderNameKey(folder.name) === folderNameKey(name))
}
