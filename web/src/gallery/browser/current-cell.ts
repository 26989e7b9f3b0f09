import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react'
import type { GridFile } from '#contract/grid.ts'
import type { LaidOutList } from '../layout/list-layout.ts'
import { MARGIN, newIndexOf } from '../layout/scroll-anchor.ts'
import type { Viewport } from '../layout/viewport.ts'

export interface Insets {
  top: number
  bottom: number
}

/** The focused file and the list it belongs to. */
export interface Focused {
  list: LaidOutList
  index: number
}

export function isOnScreen({ list: { layout }, index }: Focused, position: number): boolean {
  const { top, height } = layout.rowOf(Math.min(index, layout.total - 1))
  return top + height > position && top < position + window.innerHeight
}

interface Options {
  fileAt: (index: number) => GridFile | undefined
  insets: () => Insets
  /** Updated here. */
  focused: RefObject<Focused | null>
}

/**
 * Roving tab index: the one file in the tab order, and how the focus moves to others, even off screen. It follows its
 * file when the list changes, so that a key never acts on a different file.
 */
export function useCurrentCell(
  holder: RefObject<HTMLElement | null>,
  list: LaidOutList,
  { position, scrollTo }: Pick<Viewport, 'position' | 'scrollTo'>,
  { fileAt, insets, focused }: Options,
) {
  const { layout } = list
  const [currentFile, setCurrentFile] = useState<CurrentFile | null>(null)
  const [hasFocus, setHasFocus] = useState(false)
  const pendingFocus = useRef<number | null>(null)
  const followed = followFile(currentFile, list, fileAt)
  if (followed !== currentFile) setCurrentFile(followed)
  const current = Math.min(followed?.index ?? 0, layout.total - 1)

  const setCurrent = useCallback(
    (index: number) =>
      setCurrentFile(last => (last?.list === list && last.index === index ? last : { list, index, id: undefined })),
    [list],
  )

  /** Scrolls up a file that the bottom inset covers. */
  const raise = useCallback(
    (index: number) => {
      const end = position() + window.innerHeight - insets().bottom
      const { top, height } = layout.rowOf(index)
      const bottom = top + height
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

  const isMostlyVisible = useCallback(
    (index: number) => {
      const { top, height } = layout.rowOf(index)
      const [from, to] = [position() + insets().top, position() + window.innerHeight - insets().bottom]
      return Math.min(top + height, to) - Math.max(top, from) >= height / 2
    },
    [layout, position, insets],
  )

  const focus = useCallback(
    (index: number, { keepsScroll = false } = {}) => {
      pendingFocus.current = index
      setCurrent(index)
      setHasFocus(true)
      if (!keepsScroll || !isMostlyVisible(index)) reveal(index)
    },
    [reveal, setCurrent, isMostlyVisible],
  )

  // The cell may have been rendered only now.
  useLayoutEffect(() => {
    if (pendingFocus.current === null) return
    const cell = holder.current?.querySelector<HTMLElement>(`[data-index="${pendingFocus.current}"]`)
    if (cell === null || cell === undefined) return
    pendingFocus.current = null
    cell.focus({ preventScroll: true })
  })

  // The file moved to another cell, or its rename field was removed.
  useLayoutEffect(() => {
    const before = focused.current
    focused.current = hasFocus ? { list, index: current } : null
    const { activeElement } = document
    const cell = holder.current?.contains(activeElement) ? activeElement?.closest<HTMLElement>('[data-index]') : null
    const misplaced = cell ? Number(cell.dataset.index) !== current : hasFocus && activeElement === document.body
    if (!misplaced || pendingFocus.current !== null || isBehindDialog(holder.current)) return
    const part = activeElement?.closest<HTMLElement>('[data-part]')?.dataset.part
    const now = holder.current?.querySelector<HTMLElement>(`[data-index="${current}"]`)
    const control = part && now?.querySelector<HTMLElement>(`[data-part="${part}"]`)
    const target = control || now
    target?.focus({ preventScroll: true })
    if (before?.list === list && isOnScreen(before, position())) reveal(current)
  })

  return { current, setCurrent, hasFocus, setHasFocus, focus, raise }
}

/** Whether a dialog such as the viewer is open over it, which takes the focus. */
function isBehindDialog(element: Element | null): boolean {
  return element?.closest('[aria-hidden="true"]') != null
}

/** The current file: its index in a list, and its id once loaded. */
export interface CurrentFile {
  list: LaidOutList
  index: number
  id: number | undefined
}

/** How far to search for a file that moved within its day, or in a list without days. */
const NEARBY = 200

/** Finds the current file in a changed list. A different list has none; a deleted file is replaced by the next one. */
export function followFile(
  currentFile: CurrentFile | null,
  list: LaidOutList,
  fileAt: (index: number) => GridFile | undefined,
): CurrentFile | null {
  if (currentFile === null || currentFile.list.listName !== list.listName) return null
  const last = list.layout.total - 1
  const index =
    currentFile.list === list
      ? currentFile.index
      : Math.min(newIndexOf(currentFile.list.days, list.days, currentFile.index), last)
  const there = fileAt(index)?.id
  const moved = currentFile.id !== undefined && there !== undefined && there !== currentFile.id
  const found = moved ? nearest(index, last, at => fileAt(at)?.id === currentFile.id) : undefined
  const now = { list, index: found ?? index, id: found === undefined ? (there ?? currentFile.id) : currentFile.id }
  const same = now.list === currentFile.list && now.index === currentFile.index && now.id === currentFile.id
  return same ? currentFile : now
}

function nearest(index: number, last: number, isIt: (index: number) => boolean): number | undefined {
  for (let away = 1; away <= NEARBY; away++) {
    const found = [index - away, index + away].find(at => at >= 0 && at <= last && isIt(at))
    if (found !== undefined) return found
  }
  return undefined
}
