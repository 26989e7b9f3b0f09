import type { RefObject } from 'react'
import { useLocation, useNavigationType } from 'react-router'
import type { LaidOutList } from '../layout/arrange.ts'
import { samePlace } from '../layout/place.ts'
import { recallPlace } from '../layout/rememberedPlace.ts'
import { useRememberedPlace } from '../layout/useRememberedPlace.ts'
import { type ScrollWindow, useScrollWindow } from '../layout/useScrollWindow.ts'
import { type Focused, type Insets, isOnScreen } from './useCurrentCell.ts'

interface Circumstances {
  /** False while the list that the address asks for is still on its way, and another is shown. */
  settled: boolean
  insets: () => Insets
  /** The file that had the focus before the list changed. */
  focused: RefObject<Focused | null>
}

/** The window onto a list that stays with the same pictures when the list changes, and finds its place again on return. */
export function usePlacedWindow(
  holder: RefObject<HTMLElement | null>,
  list: LaidOutList,
  { settled, insets, focused }: Circumstances,
): ScrollWindow {
  const entry = useLocation().key
  const arrivedBy = useNavigationType()
  const { layout } = list

  function remembered(): number | undefined {
    const place = arrivedBy === 'POP' ? recallPlace(entry) : undefined
    if (place === undefined) return undefined
    const { top } = layout.placeOf(Math.min(place.index, layout.total - 1))
    return top + place.beyond * layout.measures.rowPitch
  }

  /** Another list begins at its beginning; nobody is taken further up the page than that. */
  function beginning(position: number): number | undefined {
    const top = -insets().top
    return position > top ? top : undefined
  }

  /** Whoever is at a file stays with that one, everybody else with what is at the top of the screen. */
  function same(was: LaidOutList, position: number): number {
    const at = focused.current
    return samePlace(was, list, position, at !== null && isOnScreen(at, position) ? at.index : undefined)
  }

  const seen = useScrollWindow(holder, list, (was, position) => {
    if (was?.listName === list.listName) return position > 0 ? same(was, position) : undefined
    return remembered() ?? (was === undefined ? undefined : beginning(position))
  })
  useRememberedPlace(settled ? entry : null, layout, seen)
  return seen
}
