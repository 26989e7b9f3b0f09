import { useSyncExternalStore } from 'react'

/** Whether the last changes are shown. A store, because the menu that opens them is gone by then. */
let open = false
const listeners = new Set<() => void>()

export function useLastChangesOpen(): boolean {
  return useSyncExternalStore(subscribe, () => open)
}

export function setLastChangesOpen(next: boolean): void {
  open = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
