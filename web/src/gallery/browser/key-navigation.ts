import type { Layout } from '../layout/layout.ts'

interface KeyPress {
  key: string
  /** Ctrl or Cmd is held. */
  ctrl: boolean
}

/** The file that a key moves to; undefined for other keys. */
export function targetIndex(
  { key, ctrl }: KeyPress,
  layout: Layout,
  index: number,
  rowsOnScreen: number,
): number | undefined {
  const last = layout.total - 1
  switch (key) {
    case 'ArrowRight':
      return Math.min(index + 1, last)
    case 'ArrowLeft':
      return Math.max(index - 1, 0)
    case 'ArrowDown':
      return byRows(layout, index, 1, 1)
    case 'ArrowUp':
      return byRows(layout, index, -1, 1)
    case 'PageDown':
      return byRows(layout, index, 1, rowsOnScreen)
    case 'PageUp':
      return byRows(layout, index, -1, rowsOnScreen)
    case 'Home':
      return ctrl ? 0 : layout.rowOf(index).first
    case 'End':
      return ctrl ? last : layout.rowOf(index).first + layout.rowOf(index).count - 1
    default:
      return undefined
  }
}

function byRows(layout: Layout, index: number, step: 1 | -1, rows: number): number {
  let found = index
  for (let row = 0; row < rows; row++) found = layout.inNextRow(found, step)
  return found
}
