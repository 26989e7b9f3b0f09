import type { DragEvent } from 'react'
import type { GridFile } from '#contract/grid.ts'
import { DRAGGED_FILES, droppedFiles } from '../../media/drag.ts'

/** For lists that people order by hand. */
export interface Reordering {
  /** Puts files before another one; null: at the end. */
  put: (fileIds: readonly number[], before: number | null) => void
  /** One step earlier or later. */
  step: (file: Pick<GridFile, 'id'>, by: -1 | 1) => void
}

/** Alt with an arrow key moves a file by a step. */
export function reorderStep(key: string): -1 | 1 | undefined {
  if (key === 'ArrowLeft' || key === 'ArrowUp') return -1
  if (key === 'ArrowRight' || key === 'ArrowDown') return 1
  return undefined
}

/**
 * The file that dropped ones go before: the one at `index` or a later one that is not dropped itself. Null: the end;
 * undefined: not loaded.
 */
export function dropTarget(
  fileAt: (index: number) => Pick<GridFile, 'id'> | undefined,
  { index, total, dropped }: { index: number; total: number; dropped: ReadonlySet<number> },
): number | null | undefined {
  for (let at = index; at < total; at++) {
    const file = fileAt(at)
    if (file === undefined) return undefined
    if (!dropped.has(file.id)) return file.id
  }
  return null
}

interface Cells {
  total: number
  fileAt: (index: number) => GridFile | undefined
  reordering: Reordering | undefined
}

/** The events of a grid whose files can be dragged to another position. A line marks where they will be. */
export function reorderEvents({ total, fileAt, reordering }: Cells) {
  if (reordering === undefined) return {}
  return {
    onDragOver(event: DragEvent) {
      const cell = cellAt(event)
      if (cell === undefined || !event.dataTransfer.types.includes(DRAGGED_FILES)) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'move'
      markDrop(cell.element, cell.side)
    },
    onDragLeave: clearMarks,
    onDragEnd: clearMarks,
    onDrop(event: DragEvent) {
      clearMarks()
      const cell = cellAt(event)
      const dropped = new Set(droppedFiles(event.dataTransfer))
      if (cell === undefined || dropped.size === 0) return
      event.preventDefault()
      const index = cell.index + (cell.side === 'after' ? 1 : 0)
      const before = dropTarget(fileAt, { index, total, dropped })
      if (before !== undefined) reordering.put([...dropped], before)
    },
  }
}

function cellAt(event: DragEvent) {
  const element = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-index]') : null
  if (element === null) return undefined
  const { left, width } = element.getBoundingClientRect()
  const side = event.clientX < left + width / 2 ? ('before' as const) : ('after' as const)
  return { element, index: Number(element.dataset.index), side }
}

/** Directly in the DOM: rendering the grid at every movement of the mouse would be slow. */
function markDrop(element: HTMLElement, side: 'before' | 'after'): void {
  if (element.dataset.drop === side) return
  clearMarks()
  element.dataset.drop = side
}

function clearMarks(): void {
  for (const marked of document.querySelectorAll<HTMLElement>('[data-drop]')) delete marked.dataset.drop
}
