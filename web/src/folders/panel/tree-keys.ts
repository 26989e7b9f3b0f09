import { useRef } from 'react'
import type { Folder } from '#contract/folders.ts'
import type { TreeItemId, TreeRow } from '../tree.ts'

type KeyAction = { to: TreeItemId } | { fold: number } | { unfold: number }

/** What an arrow key, Home or End does; undefined for other keys. */
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

/** The next folder whose name starts with the typed text, wrapping around. */
export function findByTypeahead(rows: readonly TreeRow[], at: TreeItemId, typed: string): number | undefined {
  const index = rows.findIndex(({ folder }) => folder.id === at)
  // A single letter moves to the next match; with more letters the current folder may still match.
  const start = typed.length > 1 ? Math.max(index, 0) : index + 1
  const around = [...rows.slice(start), ...rows.slice(0, start)]
  const wanted = typed.toLocaleLowerCase()
  return around.find(({ folder }) => folder.name.toLocaleLowerCase().startsWith(wanted))?.folder.id
}

/** Where the focus goes after a deletion: to the next folder, else to the previous one. */
export function focusAfterDelete(folders: readonly Folder[], id: number): TreeItemId {
  const index = folders.findIndex(folder => folder.id === id)
  return folders[index + 1]?.id ?? folders[index - 1]?.id ?? 'all'
}

/** Typeahead: after this pause the typed text starts again, in milliseconds. */
const PAUSE = 600

/** Collects letters that are typed in quick succession (typeahead). */
export function useTypeahead() {
  const typed = useRef({ text: '', at: 0 })
  return (letter: string): string => {
    const now = performance.now()
    const goesOn = now - typed.current.at < PAUSE
    typed.current = { text: goesOn ? typed.current.text + letter : letter, at: now }
    return typed.current.text
  }
}
