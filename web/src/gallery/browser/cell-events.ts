import {
  type DragEvent,
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type RefObject,
  useCallback,
  useEffect,
  useRef,
} from 'react'
import type { GridFile } from '#contract/grid.ts'
import { formatCount } from '../../kit/format.ts'
import { DRAGGED_FILES } from '../../media/drag.ts'
import type { Layout } from '../layout/layout.ts'
import type { SelectionState } from '../selection.ts'
import type { Insets } from './current-cell.ts'
import { useDragSelect } from './drag-select.ts'
import { targetIndex } from './key-navigation.ts'
import { type Reordering, reorderEvents, reorderStep, useTouchReorder } from './reorder.ts'

export interface CellActions {
  open: (file: GridFile) => void
  /** A file is about to be opened. */
  prefetch: (file: GridFile) => void
  openMenu: (file: GridFile, anchor: Element) => void
  /** Adds it to the favourites or removes it; absent for people who may not. */
  heart?: ((file: GridFile) => void) | undefined
  /** Undefined where files cannot be changed; then they cannot be dragged either. */
  edit: { rename: (file: GridFile) => void; delete: (file: GridFile) => void } | undefined
  /** Undefined unless the list has a manual order. */
  reordering?: Reordering | undefined
}

interface Cells {
  grid: RefObject<HTMLElement | null>
  layout: Layout
  fileAt: (index: number) => GridFile | undefined
  selection: SelectionState
  actions: CellActions
  /** Moves the focus to a file and scrolls to it. */
  focus: (index: number) => void
  setCurrent: (index: number) => void
  insets: () => Insets
}

/**
 * Mouse, touch, drag and keyboard events of the cells. The grid listens for all of them, because cells are mounted and
 * unmounted by the hundred while scrolling.
 */
export function useCellEvents({ grid, layout, fileAt, selection, actions, focus, setCurrent, insets }: Cells) {
  const reorderable = { total: layout.total, fileAt, reordering: actions.reordering }
  const hold = useTouchReorder(grid, reorderable, selection.clear)
  const dragSelect = useDragSelect(grid, { fileAt, insets })
  const press = useLongPress(target => {
    const cell = cellOf(target, fileAt)
    if (cell?.file === undefined) return
    const { id } = cell.file
    const pressed = { id, index: cell.index }
    if (actions.reordering === undefined) return dragSelect(target, selection.sweep(pressed))
    selection.toggle(pressed)
    // Selected ones move together; one that this press deselects moves alone.
    hold(selection.ids.has(id) ? new Set([id]) : new Set([...selection.ids, id]))
  })

  function choose(file: GridFile, index: number, range: boolean) {
    if (range) void selection.toggleRange({ id: file.id, index }, fileAt)
    else selection.toggle({ id: file.id, index })
  }

  function onClick(event: MouseEvent) {
    const cell = cellOf(event.target, fileAt)
    if (cell?.file === undefined || cell.part === 'rename') return
    const { file, index, part } = cell
    if (part === 'menu') return actions.openMenu(file, cell.control)
    if (part === 'heart') return actions.heart?.(file)
    const choosing = part === 'check' || selection.on || event.ctrlKey || event.metaKey || event.shiftKey
    if (choosing) choose(file, index, event.shiftKey)
    else actions.open(file)
  }

  function onKeyDown(event: KeyboardEvent) {
    const cell = cellOf(event.target, fileAt)
    // The viewer has handled the key, although the focus is still here.
    if (cell === undefined || event.defaultPrevented) return
    if (event.altKey) return reorder(event, cell)
    const { index, file, part } = cell
    const rowsOnScreen = Math.max(1, Math.floor(window.innerHeight / layout.rowOf(index).height) - 1)
    const next = targetIndex({ key: event.key, ctrl: event.ctrlKey || event.metaKey }, layout, index, rowsOnScreen)
    if (next !== undefined) {
      event.preventDefault()
      if (event.shiftKey) extend(cell, next)
      return focus(next)
    }
    if (file === undefined || (isButton(part) && event.key !== 'ContextMenu')) return
    if (act(event, file, index, part)) event.preventDefault()
  }

  function reorder(event: KeyboardEvent, { file }: Cell) {
    const by = reorderStep(event.key)
    if (actions.reordering === undefined || file === undefined || by === undefined) return
    event.preventDefault()
    // The focus follows the file when the list is fetched again.
    actions.reordering.step(file, by)
  }

  /** Shift with an arrow key selects both the file left and the file reached. */
  function extend({ file, index }: Cell, next: number) {
    const reached = fileAt(next)
    if (file === undefined || reached === undefined || next === index) return
    if (!selection.ids.has(file.id)) selection.toggle({ id: file.id, index })
    if (!selection.ids.has(reached.id)) selection.toggle({ id: reached.id, index: next })
  }

  /** Returns whether the key was handled. */
  function act(event: KeyboardEvent, file: GridFile, index: number, part: string | undefined): boolean {
    const { key, shiftKey } = event
    if (key === ' ' || (key === 'Enter' && part === 'check')) choose(file, index, shiftKey)
    else if (key === 'Enter') actions.open(file)
    else if ((key === 'f' || key === 'F') && !event.ctrlKey && !event.metaKey) actions.heart?.(file)
    else if (key === 'F2') actions.edit?.rename(file)
    else if (key === 'Delete') actions.edit?.delete(file)
    else if (key === 'ContextMenu' || (key === 'F10' && shiftKey)) actions.openMenu(file, menuButtonOf(event.target))
    else return false
    return true
  }

  function onDragStart(event: DragEvent) {
    const file = cellOf(event.target, fileAt)?.file
    if (file === undefined || actions.edit === undefined || press.isActive()) return event.preventDefault()
    setDraggedFiles(event.dataTransfer, selection.ids.has(file.id) ? [...selection.ids] : [file.id])
  }

  return {
    ...reorderEvents(reorderable),
    onClick,
    onKeyDown,
    onDragStart,
    onFocus: (event: FocusEvent) => {
      const index = cellOf(event.target, fileAt)?.index
      if (index !== undefined) setCurrent(index)
    },
    onContextMenu: (event: MouseEvent) => {
      if (press.isActive()) event.preventDefault()
    },
    onPointerDown: (event: PointerEvent) => {
      press.onPointerDown(event)
      const cell = cellOf(event.target, fileAt)
      if (cell?.file !== undefined && cell.part === undefined && !selection.on) actions.prefetch(cell.file)
    },
    onPointerMove: press.onPointerMove,
    onPointerUp: press.onPointerUp,
    onPointerCancel: press.onPointerCancel,
  }
}

interface Cell {
  index: number
  file: GridFile | undefined
  /** The control inside the cell: `check`, `menu`, `heart` or `rename`; undefined for the cell itself. */
  part: string | undefined
  control: Element
}

/** These handle Enter and Space themselves. */
function isButton(part: string | undefined): boolean {
  return part === 'menu' || part === 'heart'
}

function cellOf(target: EventTarget, fileAt: (index: number) => GridFile | undefined): Cell | undefined {
  if (!(target instanceof Element)) return undefined
  const cell = target.closest<HTMLElement>('[data-index]')
  if (cell === null) return undefined
  const control = target.closest<HTMLElement>('[data-part]')
  const index = Number(cell.dataset.index)
  return { index, file: fileAt(index), part: control?.dataset.part, control: control ?? cell }
}

function menuButtonOf(target: EventTarget): Element {
  const cell = target instanceof Element ? target.closest('[data-index]') : null
  const button = cell?.querySelector('[data-part=menu]') ?? cell
  if (button === null || button === undefined) throw new Error('A key was pressed outside all files')
  return button
}

const LONG_PRESS_TIME = 450
/** Smaller movements do not count, because fingers tremble. */
const MOVE_THRESHOLD = 10

/**
 * Detects a long press on touch screens and suppresses the click after it, in the whole window: a button of the selection
 * bar may have appeared under the finger.
 */
function useLongPress(onLongPress: (target: EventTarget) => void) {
  const press = useRef<{ x: number; y: number; timer: ReturnType<typeof setTimeout> } | null>(null)
  const suppressing = useRef<AbortController>(null)

  const end = useCallback(() => {
    if (press.current !== null) clearTimeout(press.current.timer)
    press.current = null
  }, [])
  useEffect(
    () => () => {
      end()
      suppressing.current?.abort()
    },
    [end],
  )

  function suppressNextClick() {
    const listening = new AbortController()
    suppressing.current = listening
    const { signal } = listening
    window.addEventListener(
      'click',
      event => {
        event.preventDefault()
        event.stopImmediatePropagation()
        listening.abort()
      },
      { capture: true, signal },
    )
    for (const next of ['pointerdown', 'keydown']) {
      window.addEventListener(next, () => listening.abort(), { capture: true, signal })
    }
  }

  return {
    onPointerDown(event: PointerEvent) {
      end()
      // A second finger starts a pinch.
      if (event.pointerType !== 'touch' || !event.isPrimary) return
      const { target, clientX: x, clientY: y } = event
      const timer = setTimeout(() => {
        suppressNextClick()
        navigator.vibrate?.(10)
        onLongPress(target)
      }, LONG_PRESS_TIME)
      press.current = { x, y, timer }
    },
    onPointerMove(event: PointerEvent) {
      if (press.current === null) return
      if (Math.hypot(event.clientX - press.current.x, event.clientY - press.current.y) > MOVE_THRESHOLD) end()
    },
    onPointerUp: end,
    onPointerCancel: end,
    /** While active, the browser's context menu must not open. */
    isActive: () => press.current !== null || suppressing.current?.signal.aborted === false,
  }
}

function setDraggedFiles(transfer: DataTransfer, ids: readonly number[]): void {
  transfer.setData(DRAGGED_FILES, JSON.stringify(ids))
  transfer.effectAllowed = 'move'
  if (ids.length > 1) transfer.setDragImage(createDragBadge(ids.length), -12, -12)
}

/** The browser paints the drag image from an element in the page, which can be removed right after. */
function createDragBadge(count: number): HTMLElement {
  const element = document.createElement('div')
  element.className = 'drag-badge'
  element.textContent = formatCount(count)
  document.body.append(element)
  setTimeout(() => element.remove())
  return element
}
