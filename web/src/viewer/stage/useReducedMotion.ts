import { useSyncExternalStore } from 'react'

const reduced = window.matchMedia('(prefers-reduced-motion: reduce)')

/** Whether this person asked their device that nothing moves by itself. */
export function useReducedMotion(): boolean {
  return useSyncExternalStore(subscribe, () => reduced.matches)
}

function subscribe(listener: () => void): () => void {
  reduced.addEventListener('change', listener)
  return () => reduced.removeEventListener('change', listener)
}
