import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react'
import type { Layout } from '../layout/layout.ts'
import type { ScrollWindow } from '../layout/useScrollWindow.ts'

export interface Insets {
  top: number
  bottom: number
}

const MARGIN = 8

/** The one file that Tab reaches, and how the focus gets from it to others, on the screen or far from it. */
export function useCurrentCell(
  holder: RefObject<HTMLElement | null>,
  layout: Layout,
  { position, scrollTo }: Pick<ScrollWindow, 'position' | 'scrollTo'>,
  insets: () => Insets,
) {
  const [chosen, setCurrent] = useState(0)
  const [hasFocus, setHasFocus] = useState(false)
  const awaited = useRef<number | null>(null)
  const current = Math.min(chosen, layout.total - 1)

  /** Moves up what the bottom of the screen hides. */
  const raise = useCallback(
    (index: number) => {
      const end = position() + window.innerHeight - insets().bottom
      const bottom = layout.placeOf(index).top + layout.measures.rowPitch
      if (bottom > end) scrollTo(bottom - window.innerHeight + insets().bottom)
    },
    [layout, position, scrollTo, insets],
  )

  const reveal = useCallback(
    (index: number) => {
      const top = layout.topWithHeading(index) - MARGIN - insets().top
      if (top < position()) scrollTo(top)
      else raise(index)
    },
    [layout, position, scrollTo, insets, raise],
  )

  const focus = useCallback(
    (index: number) => {
      awaited.current = index
      setCurrent(index)
      setHasFocus(true)
      reveal(index)
    },
    [reveal],
  )

  // The cell may only now have been drawn.
  useLayoutEffect(() => {
    if (awaited.current === null) return
    const cell = holder.current?.querySelector<HTMLElement>(`[data-index="${awaited.current}"]`)
    if (cell === null || cell === undefined) return
    awaited.current = null
    cell.focus({ preventScroll: true })
  })

  return { current, setCurrent, hasFocus, setHasFocus, focus, raise }
}
