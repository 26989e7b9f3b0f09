import { useSyncExternalStore } from 'react'

/** The breakpoints of the CSS classes with these names. */
const widths = {
  sm: window.matchMedia('(width >= 40rem)'),
  md: window.matchMedia('(width >= 48rem)'),
  lg: window.matchMedia('(width >= 64rem)'),
}

/**
 * Whether the screen has at least this width. For parts that only some widths show: hidden by CSS they would still be
 * rendered, which is slow on small tablets.
 */
export function useMinWidth(from: keyof typeof widths): boolean {
  const width = widths[from]
  return useSyncExternalStore(
    listener => {
      width.addEventListener('change', listener)
      return () => width.removeEventListener('change', listener)
    },
    () => width.matches,
  )
}
