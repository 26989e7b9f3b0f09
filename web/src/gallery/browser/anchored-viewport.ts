import { type RefObject, useEffect } from 'react'
import { useLocation, useNavigationType } from 'react-router'
import { z } from 'zod'
import type { Layout } from '../layout/layout.ts'
import type { LaidOutList } from '../layout/list-layout.ts'
import {
  anchorAt,
  keepPosition,
  newIndexOf,
  positionOf,
  positionShowing,
  type ScrollAnchor,
} from '../layout/scroll-anchor.ts'
import { useViewport, type Viewport } from '../layout/viewport.ts'
import { type Focused, type Insets, isOnScreen } from './current-cell.ts'

interface Options {
  /** False while the requested list loads and the previous one is shown. */
  settled: boolean
  insets: () => Insets
  /** The file that had the focus before the list changed. */
  focused: RefObject<Focused | null>
  /** Where on the screen the density is being changed. Reset here. */
  zoomedAt: RefObject<number | null>
  /** The file that the density is being changed for. Reset here. */
  zoomedTo: RefObject<number | null>
}

/**
 * The viewport of a list. It keeps the same files on the screen when the list changes, and restores the scroll position
 * on Back and reload.
 */
export function useAnchoredViewport(
  holder: RefObject<HTMLElement | null>,
  list: LaidOutList,
  { settled, insets, focused, zoomedAt, zoomedTo }: Options,
): Viewport {
  const historyKey = useLocation().key
  const arrivedBy = useNavigationType()
  const { layout } = list

  function remembered(): number | undefined {
    const anchor = arrivedBy === 'POP' ? loadAnchor(historyKey) : undefined
    if (anchor === undefined) return undefined
    return positionOf(layout, anchor)
  }

  /** A new list starts at its top; the page never scrolls further up than that. */
  function beginning(position: number): number | undefined {
    const top = -insets().top
    return position > top ? top : undefined
  }

  /** Anchored to where it is zoomed, otherwise to the focused file if it is visible, otherwise to the top. */
  function same(was: LaidOutList, position: number): number {
    const zoomed = zoomedAt.current
    zoomedAt.current = null
    if (zoomed !== null) return keepPosition(was, list, position, was.layout.indexAt(position + zoomed))
    const at = focused.current
    if (at !== null && isOnScreen(at, position)) return keepPosition(was, list, position, at.index)
    const middle = was.layout.indexAt(position + window.innerHeight / 2)
    return keepPosition(was, list, position, was.scale === list.scale ? undefined : middle)
  }

  /** There, added files appear, and the head of the page stays. */
  function isAtTop(position: number): boolean {
    const isFocused = focused.current !== null && window.scrollY > 0 && isOnScreen(focused.current, position)
    return position <= 0 && !isFocused
  }

  const viewport = useViewport(holder, list, (was, position) => {
    const target = zoomedTo.current
    zoomedTo.current = null
    if (was?.listName === list.listName && target !== null && layout.total > 0) {
      const kept = keepPosition(was, list, position, target)
      const screen = { height: window.innerHeight, insets: insets() }
      const index = Math.min(newIndexOf(was.days, list.days, target), layout.total - 1)
      return Math.max(-screen.insets.top, positionShowing(layout, index, kept, screen))
    }
    if (was?.listName === list.listName) return isAtTop(position) ? undefined : same(was, position)
    return remembered() ?? (was === undefined ? undefined : beginning(position))
  })
  useStoreAnchor(settled ? historyKey : null, layout, viewport)
  return viewport
}

/**
 * The browser would scroll before the list is rendered, and after an empty list to where the list before it was
 * scrolled. So this is called where the gallery is mounted, not the list.
 */
export function useOwnScrollRestoration(): void {
  useEffect(() => {
    history.scrollRestoration = 'manual'
    return () => {
      history.scrollRestoration = 'auto'
    }
  }, [])
}

const DEBOUNCE = 120

/** Stores the scroll position, debounced, for a history entry; null while another list is still shown. */
function useStoreAnchor(historyKey: string | null, layout: Layout, viewport: Viewport): void {
  const { top, position } = viewport
  useEffect(() => {
    if (historyKey === null || layout.total === 0) return
    const rest = setTimeout(() => {
      // `top` is rounded, so it only shows whether the list is scrolled; the exact position is read here.
      const at = top > 0 ? position() : top
      if (at <= 0) return removeAnchor(historyKey)
      storeAnchor(historyKey, anchorAt(layout, at))
    }, DEBOUNCE)
    return () => clearTimeout(rest)
  }, [historyKey, layout, top, position])
}

/** Scroll positions by history entry, in session storage. */

const StoredAnchor: z.ZodType<ScrollAnchor> = z.object({ index: z.int().nonnegative(), rowFraction: z.number() })

const keyFor = (historyKey: string) => `gallery-scroll:${historyKey}`

function storeAnchor(historyKey: string, anchor: ScrollAnchor): void {
  sessionStorage.setItem(keyFor(historyKey), JSON.stringify(anchor))
}

function removeAnchor(historyKey: string): void {
  sessionStorage.removeItem(keyFor(historyKey))
}

function loadAnchor(historyKey: string): ScrollAnchor | undefined {
  const stored = sessionStorage.getItem(keyFor(historyKey))
  return stored === null ? undefined : StoredAnchor.safeParse(JSON.parse(stored)).data
}
