import { useSyncExternalStore } from 'react'
import { narrowScreen } from '#contract/limits.ts'

const narrow = window.matchMedia(`(width < ${narrowScreen}px)`)
const touched = window.matchMedia('(any-pointer: coarse)')

/** Whether the screen is too narrow for a panel at its side, or is touched. */
export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => narrow.matches || isTouched())
}

function isTouched(): boolean {
  return touched.matches || navigator.maxTouchPoints > 0
}

function subscribe(listener: () => void): () => void {
  narrow.addEventListener('change', listener)
  touched.addEventListener('change', listener)
  return () => {
    narrow.removeEventListener('change', listener)
    touched.removeEventListener('change', listener)
  }
}
