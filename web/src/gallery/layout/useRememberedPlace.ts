import { useEffect } from 'react'
import type { Layout } from './layout.ts'
import { forgetPlace, rememberPlace } from './rememberedPlace.ts'
import type { ScrollWindow } from './useScrollWindow.ts'

const RESTED = 120

/** Notes where somebody is whenever they rest. `entry` is the history's; null while another list is still shown. */
export function useRememberedPlace(entry: string | null, layout: Layout, seen: ScrollWindow): void {
  const { top, position } = seen
  // The browser would scroll before the list is there, and then again after we did.
  useEffect(() => {
    history.scrollRestoration = 'manual'
    return () => {
      history.scrollRestoration = 'auto'
    }
  }, [])

  useEffect(() => {
    if (entry === null || layout.total === 0) return
    const rest = setTimeout(() => {
      // `top` is rounded; it tells that somebody scrolled, not exactly where to.
      const at = top > 0 ? position() : top
      if (at <= 0) return forgetPlace(entry)
      const index = layout.indexAt(at)
      rememberPlace(entry, { index, beyond: (at - layout.placeOf(index).top) / layout.measures.rowPitch })
    }, RESTED)
    return () => clearTimeout(rest)
  }, [entry, layout, top, position])
}
