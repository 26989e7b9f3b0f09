import { useSyncExternalStore } from 'react'

/** The breakpoints and variants of the CSS classes with these names. */
const screens = {
  sm: window.matchMedia('(width >= 40rem)'),
  md: window.matchMedia('(width >= 48rem)'),
  lg: window.matchMedia('(width >= 64rem)'),
  xl: window.matchMedia('(width >= 80rem)'),
  turned: window.matchMedia('(height < 32rem) and (width < 64rem) and (orientation: landscape)'),
  /** A mouse or the like, as opposed to a finger: a tablet can be as wide as a desktop. */
  mouse: window.matchMedia('(pointer: fine)'),
  tabs: window.matchMedia('(width < 48rem) or ((height < 32rem) and (width < 64rem))'),
}

/**
 * Whether the screen matches. For parts that only some screens show: hidden by CSS they would still be rendered, which is
 * slow on small tablets.
 */
export function useScreen(name: keyof typeof screens): boolean {
  const screen = screens[name]
  return useSyncExternalStore(
    listener => {
      screen.addEventListener('change', listener)
      return () => screen.removeEventListener('change', listener)
    },
    () => screen.matches,
  )
}
