import { useRef } from 'react'
import type { Folder } from '#contract/folders.ts'
import type { TreeItemId, TreeRow } from '../tree.ts'

type KeyAction = { to: TreeItemId } | { fold: number } | { unfold: number }

/** What an arrow, Home or End does in the tree; undefined for keys that do nothing there. */
export function keyAction(
  key: string,
  top: readonly TreeItemId[],
  rows: readonly TreeRow[],
  at: TreeItemId,
): KeyAction | undefined {
  const lines = [...top, ...rows.map(({ folder }) => folder.id)]
  const index = lines.indexOf(at)
  const row = rows[index - top.length]
  const line = (wanted: number) => ({ to: lines[Math.min(Math.max(wanted, 0), lines.length - 1)] ?? 'all' })
  switch (key) {
    case 'ArrowDown':
      return line(index + 1)
    case 'ArrowUp':
      return line(index - 1)
    case 'Home':
      return line(0)
    case 'End':
      return line(lines.length - 1)
    case 'ArrowRight':
      if (!row?.hasChildren) return undefined
      return row.expanded ? line(index + 1) : { unfold: row.folder.id }
    case 'ArrowLeft':
      if (row === undefined) return undefined
      if (row.expanded) return { fold: row.folder.id }
      return row.folder.parent_id === null ? undefined : { to: row.folder.parent_id }
    default:
      return undefined
  }
}

/** The next folder whose name begins with what was typed, from the place on and around. */
export function findByTypeahead(rows: readonly TreeRow[], at: TreeItemId, typed: string): number | undefined {
  const index = rows.findIndex(({ folder }) => folder.id === at)
  // One letter leads onward; more of them may still mean the name one stands on.
  const start = typed.length > 1 ? Math.max(index, 0) : index + 1
  const around = [...rows.slice(start), ...rows.slice(0, start)]
  const wanted = typed.toLocaleLowerCase()
  return around.find(({ folder }) => folder.name.toLocaleLowerCase().startsWith(wanted))?.folder.id
}

/** Where the focus goes when a folder is gone: to what takes its place in the list, else to what stood before it. */
export function focusAfterDelete(folders: readonly Folder[], id: number): TreeItemId {
  const index = folders.findIndex(folder => folder.id === id)
  return folders[index + 1]?.id ?? folders[index - 1]?.id ?? 'all'
}

/** How long a pause ends a word. */
const PAUSE = 600

/** The letters typed one soon after the other. */
export function useTypeahead() {
  const typed = useRef({ text: '', at: 0 })
  return (letter: string): string => {
    const now = performance.now()
    const goesOn = now - typed.current.at < PAUSE
    typed.current = { text: goesOn ? typed.current.text + letter : letter, at: now }
    return typed.current.text
  }
}
