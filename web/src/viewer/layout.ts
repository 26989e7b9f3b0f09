import { useMemo, useSyncExternalStore } from 'react'
import { narrowScreen } from '#contract/limits.ts'
import { remInPixels } from '../ui/hooks.ts'

export interface ViewerLayout {
  /** The details are in a drawer: the screen is narrow, or is a touch screen. */
  narrow: boolean
  /** The drawer opens at the side, because below the photo there is too little height. */
  side: boolean
  mouse: boolean
  /** In pixels. */
  rem: number
}

// In rem as well: with large letters a screen is narrow earlier.
const narrow = window.matchMedia(`(width < ${narrowScreen}px) or (width < ${narrowScreen / 16}rem)`)
const touch = window.matchMedia('(any-pointer: coarse)')
const short = window.matchMedia('(orientation: landscape) and ((height < 600px) or (height < 37.5rem))')
const mouse = window.matchMedia('(hover: hover) and (pointer: fine)')
const queries = [narrow, touch, short, mouse]

export function useViewerLayout(): ViewerLayout {
  const state = useSyncExternalStore(subscribe, () => queries.map(({ matches }) => Number(matches)).join(''))
  return useMemo(() => {
    const [isNarrow, isTouch, isShort, hasMouse = false] = [...state].map(digit => digit === '1')
    const usesDrawer = isNarrow || isTouch || navigator.maxTouchPoints > 0
    return { narrow: usesDrawer, side: usesDrawer && isShort === true, mouse: hasMouse, rem: remInPixels() }
  }, [state])
}

function subscribe(listener: () => void): () => void {
  for (const query of queries) query.addEventListener('change', listener)
  return () => {
    for (const query of queries) query.removeEventListener('change', listener)
  }
}
