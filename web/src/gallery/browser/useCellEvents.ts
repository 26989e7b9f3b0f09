import type { DragEvent, FocusEvent, KeyboardEvent, MouseEvent } from 'react'
import type { MediaFile } from '#contract/media.ts'
import type { Layout } from '../layout/layout.ts'
import type { Selecting } from '../selection/useSelection.ts'
import { carryFiles } from './drag.ts'
import { moveBy } from './moves.ts'
import { useLongPress } from './useLongPress.ts'

export interface CellActions {
  open: (file: MediaFile) => void
  openMenu: (file: MediaFile, anchor: Element) => void
  rename: (file: MediaFile) => void
  delete: (file: MediaFile) => void
}

interface Cells {
  layout: Layout
  fileAt: (index: number) => MediaFile | undefined
  selecting: Selecting
  actions: CellActions
  /** Moves the focus to a file, and the screen with it. */
  focus: (index: number) => void
  setCurrent: (index: number) => void
}

/**
 * What happens when a file is clicked, pressed, dragged or reached by keyboard. The grid listens for all its cells: they
 * come and go by the hundred while somebody scrolls, and need no listeners of their own.
 */
export function useCellEvents({ layout, fileAt, selecting, actions, focus, setCurrent }: Cells) {
  const press = useLongPress(target => {
    const cell = cellOf(target, fileAt)
    if (cell?.file !== undefined) selecting.toggle({ id: cell.file.id, index: cell.index })
  })

  function choose(file: MediaFile, index: number, range: boolean) {
    if (range) void selecting.toggleRange({ id: file.id, index }, fileAt)
    else selecting.toggle({ id: file.id, index })
  }

  function onClick(event: MouseEvent) {
    if (press.swallowsClick()) return
    const cell = cellOf(event.target, fileAt)
    if (cell?.file === undefined || cell.part === 'rename') return
    const { file, index, part } = cell
    if (part === 'menu') return actions.openMenu(file, cell.control)
    const choosing = part === 'check' || selecting.on || event.ctrlKey || event.metaKey || event.shiftKey
    if (choosing) choose(file, index, event.shiftKey)
    else actions.open(file)
  }

  function onKeyDown(event: KeyboardEvent) {
    const cell = cellOf(event.target, fileAt)
    if (cell === undefined || event.altKey) return
    const { index, file, part } = cell
    const rowsOnScreen = Math.max(1, Math.floor(window.innerHeight / layout.measures.rowPitch) - 1)
    const next = moveBy({ key: event.key, far: event.ctrlKey || event.metaKey }, layout, index, rowsOnScreen)
    if (next !== undefined) {
      event.preventDefault()
      if (event.shiftKey) extend(cell, next)
      return focus(next)
    }
    if (file === undefined || (part === 'menu' && event.key !== 'ContextMenu')) return
    if (act(event, file, index, part)) event.preventDefault()
  }

  /** Shift and an arrow: the file left and the file reached are chosen both. */
  function extend({ file, index }: Cell, next: number) {
    const reached = fileAt(next)
    if (file === undefined || reached === undefined || next === index) return
    if (!selecting.ids.has(file.id)) selecting.toggle({ id: file.id, index })
    if (!selecting.ids.has(reached.id)) selecting.toggle({ id: reached.id, index: next })
  }

  /** True where the key means something here. */
  function act(event: KeyboardEvent, file: MediaFile, index: number, part: string | undefined): boolean {
    const { key, shiftKey } = event
    if (key === ' ' || (key === 'Enter' && part === 'check')) choose(file, index, shiftKey)
    else if (key === 'Enter') actions.open(file)
    else if (key === 'F2') actions.rename(file)
    else if (key === 'Delete') actions.delete(file)
    else if (key === 'ContextMenu' || (key === 'F10' && shiftKey)) actions.openMenu(file, menuButtonOf(event.target))
    else return false
    return true
  }

  function onDragStart(event: DragEvent) {
    const file = cellOf(event.target, fileAt)?.file
    if (file === undefined || press.isUnderWay()) return event.preventDefault()
    carryFiles(event.dataTransfer, selecting.ids.has(file.id) ? [...selecting.ids] : [file.id])
  }

  return {
    onClick,
    onKeyDown,
    onDragStart,
    onFocus: (event: FocusEvent) => {
      const index = cellOf(event.target, fileAt)?.index
      if (index !== undefined) setCurrent(index)
    },
    onContextMenu: (event: MouseEvent) => {
      if (press.isUnderWay()) event.preventDefault()
    },
    onPointerDown: press.onPointerDown,
    onPointerMove: press.onPointerMove,
    onPointerUp: press.onPointerUp,
    onPointerCancel: press.onPointerCancel,
  }
}

interface Cell {
  index: number
  file: MediaFile | undefined
  /** Which control of the cell: `check`, `menu` or `rename`; undefined for the cell itself. */
  part: string | undefined
  control: Element
}

function cellOf(target: EventTarget, fileAt: (index: number) => MediaFile | undefined): Cell | undefined {
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
