import { useSyncExternalStore } from 'react'

/** As in the classes of the same names. */
const widths = {
  sm: window.matchMedia('(width >= 40rem)'),
  md: window.matchMedia('(width >= 48rem)'),
  lg: window.matchMedia('(width >= 64rem)'),
}

/**
 * Whether the screen is at least so wide. For parts that only some widths have: hidden by a class they would still be made
 * and kept up to date, which a small tablet takes its time for.
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
