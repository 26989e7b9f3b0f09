import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react'
import type { MediaFile } from '#contract/media.ts'
import type { LaidOutList } from '../layout/arrange.ts'
import type { ScrollWindow } from '../layout/useScrollWindow.ts'
import { type Chosen, follow } from './follow.ts'

export interface Insets {
  top: number
  bottom: number
}

/** The file that has the focus, and the list in which it stands there. */
export interface Focused {
  list: LaidOutList
  index: number
}

export function isOnScreen({ list: { layout }, index }: Focused, position: number): boolean {
  const { top } = layout.placeOf(Math.min(index, layout.total - 1))
  return top + layout.measures.rowPitch > position && top < position + window.innerHeight
}

const MARGIN = 8

interface Circumstances {
  fileAt: (index: number) => MediaFile | undefined
  insets: () => Insets
  /** Kept up to date here. */
  focused: RefObject<Focused | null>
}

/**
 * The one file that Tab reaches, and how the focus gets from it to others, on the screen or far from it. It stays with
 * its file when others come or go before it: what a key does must never be done to a file that has just slipped there.
 */
export function useCurrentCell(
  holder: RefObject<HTMLElement | null>,
  list: LaidOutList,
  { position, scrollTo }: Pick<ScrollWindow, 'position' | 'scrollTo'>,
  { fileAt, insets, focused }: Circumstances,
) {
  const { layout } = list
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const [hasFocus, setHasFocus] = useState(false)
  const awaited = useRef<number | null>(null)
  const followed = follow(chosen, list, fileAt)
  if (followed !== chosen) setChosen(followed)
  const current = Math.min(followed?.index ?? 0, layout.total - 1)

  const setCurrent = useCallback(
    (index: number) =>
      setChosen(last => (last?.list === list && last.index === index ? last : { list, index, id: undefined })),
    [list],
  )

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
    [reveal, setCurrent],
  )

  // The cell may only now have been drawn.
  useLayoutEffect(() => {
    if (awaited.current === null) return
    const cell = holder.current?.querySelector<HTMLElement>(`[data-index="${awaited.current}"]`)
    if (cell === null || cell === undefined) return
    awaited.current = null
    cell.focus({ preventScroll: true })
  })

  // Its file moved to another cell, or the field left in which its name was written.
  useLayoutEffect(() => {
    const before = focused.current
    focused.current = hasFocus ? { list, index: current } : null
    const { activeElement } = document
    const cell = holder.current?.contains(activeElement) ? activeElement?.closest<HTMLElement>('[data-index]') : null
    const astray = cell ? Number(cell.dataset.index) !== current : hasFocus && activeElement === document.body
    if (!astray || awaited.current !== null) return
    const part = activeElement?.closest<HTMLElement>('[data-part]')?.dataset.part
    const now = holder.current?.querySelector<HTMLElement>(`[data-index="${current}"]`)
    const control = part && now?.querySelector<HTMLElement>(`[data-part="${part}"]`)
    const target = control || now
    target?.focus({ preventScroll: true })
    if (before?.list === list && isOnScreen(before, position())) reveal(current)
  })

  return { current, setCurrent, hasFocus, setHasFocus, focus, raise }
}
