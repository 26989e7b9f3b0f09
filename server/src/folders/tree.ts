import { type Folder, folderNameKey } from '#contract/folders.ts'
import type { FolderRow } from '../db/schema.ts'

const byName = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** Every folder with its level and path, parents before their children, siblings by name. */
export function arrange(rows: FolderRow[], fileCounts: ReadonlyMap<number, number>): Folder[] {
  const children = Map.groupBy(rows, row => row.parent_id)
  const arranged: Folder[] = []

  function visit(parentId: number | null, level: number, above: string): void {
    const siblings = children.get(parentId) ?? []
    for (const { id, name } of siblings.sort((a, b) => byName.compare(a.name, b.name) || a.id - b.id)) {
      const path = above ? joinPath([above, name]) : name
      arranged.push({ id, name, parent_id: parentId, level, path, file_count: fileCounts.get(id) ?? 0 })
      visit(id, level + 1, path)
    }
  }
  visit(null, 0, '')
  return arranged
}

export function joinPath(names: readonly string[]): string {
  return names.join(' / ')
}

/** "Beach", or "Beach (2)" where a sibling is called that already. */
export function freeName(name: string, takenKeys: ReadonlySet<string>, longest: number): string {
  if (!takenKeys.has(folderNameKey(name))) return name
  for (let number = 2; ; number++) {
    const ending = ` (${number})`
    const candidate = `${[...name].slice(0, longest - ending.length).join('')}${ending}`
    if (!takenKeys.has(folderNameKey(candidate))) return candidate
  }
}
