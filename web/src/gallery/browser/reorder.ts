import { type DragEvent, type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import type { GridFile } from '#contract/grid.ts'
import { DRAGGED_FILES, droppedFiles } from '../../media/drag.ts'

/** For lists with a manual order. */
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
      const cell = cellAt(event.target, event.clientX)
      if (cell === undefined || !event.dataTransfer.types.includes(DRAGGED_FILES)) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'move'
      markDrop(cell.element, cell.side)
    },
    onDragLeave: clearMarks,
    onDragEnd: clearMarks,
    onDrop(event: DragEvent) {
      clearMarks()
      const cell = cellAt(event.target, event.clientX)
      const dropped = new Set(droppedFiles(event.dataTransfer))
      if (cell === undefined || dropped.size === 0) return
      event.preventDefault()
      drop({ total, fileAt, reordering }, cell, dropped)
    },
  }
}

/** Pixels at the top and bottom of the screen where a dragged file scrolls the page. */
const SCROLL_EDGE = 80
const SCROLL_STEP = 12

/**
 * The same by touch, for which browsers send no drag events: files that are held, after a long press, follow the finger.
 * Returns how to hold them. `onDropped` is called when they have another position.
 */
export function useTouchReorder(
  grid: RefObject<HTMLElement | null>,
  { total, fileAt, reordering }: Cells,
  onDropped: () => void,
): (fileIds: ReadonlySet<number>) => void {
  const held = useRef<ReadonlySet<number>>(null)
  const on = reordering !== undefined
  const dropAt = useEffectEvent((cell: DropCell, dropped: ReadonlySet<number>) => {
    const target = fileAt(cell.index)
    if (reordering === undefined || target === undefined || dropped.has(target.id)) return
    drop({ total, fileAt, reordering }, cell, dropped)
    onDropped()
  })
  useEffect(() => {
    const target = grid.current
    if (target === null || !on) return
    const over = new AbortController()
    const { signal } = over
    let cell: DropCell | undefined

    function follow(event: TouchEvent) {
      const [touch] = event.touches
      if (held.current === null || touch === undefined) return
      // Else the page would scroll, which ends the touch.
      event.preventDefault()
      const { clientX: x, clientY: y } = touch
      if (y < SCROLL_EDGE) window.scrollBy(0, -SCROLL_STEP)
      else if (y > window.innerHeight - SCROLL_EDGE) window.scrollBy(0, SCROLL_STEP)
      cell = cellAt(document.elementFromPoint(x, y), x)
      if (cell === undefined) clearMarks()
      else markDrop(cell.element, cell.side)
    }
    function end({ type }: Event) {
      const dropped = held.current
      held.current = null
      clearMarks()
      if (type === 'touchend' && cell !== undefined && dropped !== null) dropAt(cell, dropped)
      cell = undefined
    }
    target.addEventListener('touchmove', follow, { passive: false, signal })
    for (const type of ['touchend', 'touchcancel']) target.addEventListener(type, end, { signal })
    return () => over.abort()
  }, [grid, on])
  return fileIds => {
    held.current = fileIds
  }
}

function drop(
  { total, fileAt, reordering }: Cells & { reordering: Reordering },
  { index, side }: DropCell,
  dropped: ReadonlySet<number>,
): void {
  const before = dropTarget(fileAt, { index: index + (side === 'after' ? 1 : 0), total, dropped })
  if (before !== undefined) reordering.put([...dropped], before)
}

interface DropCell {
  element: HTMLElement
  index: number
  side: 'before' | 'after'
}

function cellAt(target: EventTarget | null, x: number): DropCell | undefined {
  const element = target instanceof Element ? target.closest<HTMLElement>('[data-index]') : null
  if (element === null) return undefined
  const { left, width } = element.getBoundingClientRect()
  return { element, index: Number(element.dataset.index), side: x < left + width / 2 ? 'before' : 'after' }
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
