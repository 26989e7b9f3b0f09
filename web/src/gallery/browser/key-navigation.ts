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
      return layout.inRowBelow(index, 1)
    case 'ArrowUp':
      return layout.inRowBelow(index, -1)
    case 'PageDown':
      return layout.inRowBelow(index, rowsOnScreen)
    case 'PageUp':
      return layout.inRowBelow(index, -rowsOnScreen)
    case 'Home':
      return ctrl ? 0 : layout.rowOf(index).first
    case 'End':
      return ctrl ? last : layout.rowOf(index).first + layout.rowOf(index).count - 1
    default:
      return undefined
  }
}
