import type { Folder } from '#contract/folders.ts'

/** An item of the folder tree: a folder by its id, all files, or the files in no folder. */
export type TreeItemId = number | 'all' | 'root'

/** The items above the folders. Without folders, both lists are equal, and one item is enough. */
export function topItems(folders: readonly Folder[], selected: TreeItemId | null): ('all' | 'root')[] {
  return folders.length > 0 || selected === 'root' ? ['all', 'root'] : ['all']
}

/** A folder in the tree. */
export interface TreeRow {
  folder: Folder
  /** Of the files in it and in all folders below it. */
  fileCount: number
  /** The position among its siblings, from 1, and their number. */
  position: number
  siblings: number
  hasChildren: boolean
  /** Whether its children are visible. */
  expanded: boolean
}

/** The visible folders from top to bottom, below `above` other items. */
export function treeRows(folders: readonly Folder[], folded: ReadonlySet<number>, above: number): TreeRow[] {
  const children = Map.groupBy(folders, folder => folder.parent_id)
  const counts = countsWithDescendants(folders)
  const rows: TreeRow[] = []

  function visit(parentId: number | null): void {
    const siblings = children.get(parentId) ?? []
    const before = parentId === null ? above : 0
    for (const [index, folder] of siblings.entries()) {
      const hasChildren = children.has(folder.id)
      const expanded = hasChildren && !folded.has(folder.id)
      const position = before + index + 1
      const fileCount = counts.get(folder.id) ?? 0
      rows.push({ folder, fileCount, position, siblings: before + siblings.length, hasChildren, expanded })
      if (expanded) visit(folder.id)
    }
  }
  visit(null)
  return rows
}

function countsWithDescendants(folders: readonly Folder[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>()
  // Parents are before their children.
  for (const { id, parent_id, file_count } of folders.toReversed()) {
    const count = (counts.get(id) ?? 0) + file_count
    counts.set(id, count)
    if (parent_id !== null) counts.set(parent_id, (counts.get(parent_id) ?? 0) + count)
  }
  return counts
}

/** Whether a folder is `ancestor` or a descendant of it. */
function isWithin(byId: ReadonlyMap<number, Folder>, id: number, ancestor: number): boolean {
  return [id, ...ancestorsOf(byId, id)].includes(ancestor)
}

/** The ancestors of a folder, the nearest first. */
export function ancestorsOf(byId: ReadonlyMap<number, Folder>, id: number): number[] {
  const found: number[] = []
  let at = byId.get(id)?.parent_id ?? null
  while (at !== null) {
    found.push(at)
    at = byId.get(at)?.parent_id ?? null
  }
  return found
}

/** Not into its current parent, itself or a descendant. */
export function canMove(byId: ReadonlyMap<number, Folder>, id: number, into: number | null): boolean {
  const folder = byId.get(id)
  if (folder === undefined || folder.parent_id === into) return false
  return into === null || !isWithin(byId, into, id)
}

/** Folders that a folder can be moved into: neither itself nor a descendant. */
export function validParents(folders: readonly Folder[], byId: ReadonlyMap<number, Folder>, id: number): Folder[] {
  return folders.filter(folder => !isWithin(byId, folder.id, id))
}

/** Folders whose path contains every word of the search, ignoring case and accents. */
export function filterFolders(folders: readonly Folder[], search: string): readonly Folder[] {
  const words = withoutAccents(search)
    .split(/\s+/)
    .filter(word => word !== '')
  if (words.length === 0) return folders
  return folders.filter(({ path }) => {
    const text = withoutAccents(path)
    return words.every(word => text.includes(word))
  })
}

function withoutAccents(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
}

/** The indent of a level. Deep levels are indented less, to leave room for the name. */
export function indentPx(level: number): number {
  return Math.min(level, 4) * 14 + Math.min(Math.max(level - 4, 0), 12) * 5
}
