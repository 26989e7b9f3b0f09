import type { Folder } from '#contract/folders.ts'

/** What a line of the panel lists: a folder's files by its id, every file, or those that are in no folder. */
export type TreeItemId = number | 'all' | 'root'

/** The lines above the folders. Without folders, all files are in none, and one line is enough. */
export function topItems(folders: readonly Folder[], selected: TreeItemId): ('all' | 'root')[] {
  return folders.length > 0 || selected === 'root' ? ['all', 'root'] : ['all']
}

/** One line of the panel. */
export interface TreeRow {
  folder: Folder
  /** Where it stands among its siblings, from 1, and how many they are. */
  position: number
  siblings: number
  hasChildren: boolean
  /** Its children are in sight. */
  expanded: boolean
}

/** The folders in sight from top to bottom, below so many other lines. */
export function treeRows(folders: readonly Folder[], folded: ReadonlySet<number>, above: number): TreeRow[] {
  const children = Map.groupBy(folders, folder => folder.parent_id)
  const rows: TreeRow[] = []

  function visit(parentId: number | null): void {
    const siblings = children.get(parentId) ?? []
    const before = parentId === null ? above : 0
    for (const [index, folder] of siblings.entries()) {
      const hasChildren = children.has(folder.id)
      const expanded = hasChildren && !folded.has(folder.id)
      const position = before + index + 1
      rows.push({ folder, position, siblings: before + siblings.length, hasChildren, expanded })
      if (expanded) visit(folder.id)
    }
  }
  visit(null)
  return rows
}

/** Whether a folder is `ancestor` or lies somewhere below it. */
function isWithin(byId: ReadonlyMap<number, Folder>, id: number, ancestor: number): boolean {
  return [id, ...ancestorsOf(byId, id)].includes(ancestor)
}

/** The folders around a folder, the nearest first. */
export function ancestorsOf(byId: ReadonlyMap<number, Folder>, id: number): number[] {
  const found: number[] = []
  let at = byId.get(id)?.parent_id ?? null
  while (at !== null) {
    found.push(at)
    at = byId.get(at)?.parent_id ?? null
  }
  return found
}

/** Whether a folder can be put there: not where it is already, and never into itself. */
export function canMove(byId: ReadonlyMap<number, Folder>, id: number, into: number | null): boolean {
  const folder = byId.get(id)
  if (folder === undefined || folder.parent_id === into) return false
  return into === null || !isWithin(byId, into, id)
}

/** Where a folder and everything in it could stand. */
export function validParents(folders: readonly Folder[], byId: ReadonlyMap<number, Folder>, id: number): Folder[] {
  return folders.filter(folder => !isWithin(byId, folder.id, id))
}

/** Folders in whose path every word of a search occurs, whatever its case or accents. */
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

/** How far a line is set in, in pixels. Deep down the steps grow shorter, so that room for a name is left. */
export function indentPx(level: number): number {
  return Math.min(level, 4) * 14 + Math.min(Math.max(level - 4, 0), 12) * 5
}
