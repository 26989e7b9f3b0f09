import { type RefObject, useEffect } from 'react'
import { useLocation, useNavigationType } from 'react-router'
import { z } from 'zod'
import type { Layout } from '../layout/layout.ts'
import type { LaidOutList } from '../layout/list-layout.ts'
import { keepPosition } from '../layout/place.ts'
import { useViewport, type Viewport } from '../layout/viewport.ts'
import { type Focused, type Insets, isOnScreen } from './current-cell.ts'

interface Options {
  /** False while the requested list loads and the previous one is shown. */
  settled: boolean
  insets: () => Insets
  /** The file that had the focus before the list changed. */
  focused: RefObject<Focused | null>
}

/**
 * The viewport of a list. It keeps the same files on the screen when the list changes, and restores the scroll position
 * on Back and reload.
 */
export function useAnchoredViewport(
  holder: RefObject<HTMLElement | null>,
  list: LaidOutList,
  { settled, insets, focused }: Options,
): Viewport {
  const historyKey = useLocation().key
  const arrivedBy = useNavigationType()
  const { layout } = list

  function remembered(): number | undefined {
    const place = arrivedBy === 'POP' ? loadPlace(historyKey) : undefined
    if (place === undefined) return undefined
    const { top } = layout.placeOf(Math.min(place.index, layout.total - 1))
    return top + place.beyond * layout.measures.rowPitch
  }

  /** A new list starts at its top; the page never scrolls further up than that. */
  function beginning(position: number): number | undefined {
    const top = -insets().top
    return position > top ? top : undefined
  }

  /** Anchored to the focused file if it is visible, otherwise to the file at the top. */
  function same(was: LaidOutList, position: number): number {
    const at = focused.current
    return keepPosition(was, list, position, at !== null && isOnScreen(at, position) ? at.index : undefined)
  }

  const viewport = useViewport(holder, list, (was, position) => {
    if (was?.listName === list.listName) return position > 0 ? same(was, position) : undefined
    return remembered() ?? (was === undefined ? undefined : beginning(position))
  })
  useStorePlace(settled ? historyKey : null, layout, viewport)
  return viewport
}

const DEBOUNCE = 120

/** Stores the scroll position, debounced, for a history entry; null while another list is still shown. */
function useStorePlace(historyKey: string | null, layout: Layout, viewport: Viewport): void {
  const { top, position } = viewport
  // The browser would scroll before the list is rendered.
  useEffect(() => {
    history.scrollRestoration = 'manual'
    return () => {
      history.scrollRestoration = 'auto'
    }
  }, [])

  useEffect(() => {
    if (historyKey === null || layout.total === 0) return
    const rest = setTimeout(() => {
      // `top` is rounded, so it only shows whether the list is scrolled; the exact position is read here.
      const at = top > 0 ? position() : top
      if (at <= 0) return removePlace(historyKey)
      const index = layout.indexAt(at)
      storePlace(historyKey, { index, beyond: (at - layout.placeOf(index).top) / layout.measures.rowPitch })
    }, DEBOUNCE)
    return () => clearTimeout(rest)
  }, [historyKey, layout, top, position])
}

/** Scroll positions by history entry, in session storage. */

const Place = z.object({ index: z.int().nonnegative(), beyond: z.number() })
export type StoredPlace = z.infer<typeof Place>

const keyFor = (historyKey: string) => `gallery-place:${historyKey}`

function storePlace(historyKey: string, place: StoredPlace): void {
  sessionStorage.setItem(keyFor(historyKey), JSON.stringify(place))
}

function removePlace(historyKey: string): void {
  sessionStorage.removeItem(keyFor(historyKey))
}

function loadPlace(historyKey: string): StoredPlace | undefined {
  const stored = sessionStorage.getItem(keyFor(historyKey))
  return stored === null ? undefined : Place.safeParse(JSON.parse(stored)).data
}
