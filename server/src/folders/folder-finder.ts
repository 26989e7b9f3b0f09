import { folderNameKey } from '#contract/folders.ts'
import { lengths } from '#contract/limits.ts'
import { nameFromDisk } from '../kit/name-from-disk.ts'
import { createFolder, type FolderDeps, listFolders } from './folders.ts'

/** Finds the library's folder for a path in a tree of files, creating missing ones. */
export type FolderFinder = (folders: readonly string[]) => Promise<number | null>

export async function openFolderFinder(deps: FolderDeps, actorId: number): Promise<FolderFinder> {
  // Promises, because several files of a new folder arrive concurrently and it must be created only once.
  const known = new Map<string, Promise<number>>()
  for (const { id, name, parent_id } of await listFolders(deps.db.query)) {
    known.set(place(parent_id, name), Promise.resolve(id))
  }

  function child(parentId: number | null, name: string): Promise<number> {
    const at = place(parentId, name)
    const found = known.get(at) ?? create(parentId, name)
    known.set(at, found)
    return found
  }

  /** Somebody else may create it at the same moment. */
  async function create(parentId: number | null, name: string): Promise<number> {
    try {
      return (await createFolder(deps, actorId, { name, parentId })).id
    } catch (error) {
      const now = await listFolders(deps.db.query)
      const found = now.find(folder => place(folder.parent_id, folder.name) === place(parentId, name))
      if (found) return found.id
      throw error
    }
  }

  return async folders => {
    let id: number | null = null
    for (const folder of folders) id = await child(id, nameFromDisk(folder, lengths.folderName) || 'Folder')
    return id
  }
}

function place(parentId: number | null, name: string): string {
  return `${parentId ?? 'root'}/${folderNameKey(name)}`
}
