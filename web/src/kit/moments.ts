import { useSyncExternalStore } from 'react'

/** Whether something has happened that makes notifications on this device worth a question: a message or a heart. */
let happened = false
const listeners = new Set<() => void>()

export function recordMoment(): void {
  if (happened) return
  happened = true
  for (const listener of listeners) listener()
}

export function useMomentHappened(): boolean {
  return useSyncExternalStore(subscribe, () => happened)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
