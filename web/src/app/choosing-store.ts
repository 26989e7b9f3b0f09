import { useSyncExternalStore } from 'react'

/** The album that the person is choosing photos for in the gallery; null: none. */
export interface ChoosingFor {
  id: number
  title: string
}

let state: ChoosingFor | null = null
const listeners = new Set<() => void>()

export function useChoosingFor(): ChoosingFor | null {
  return useSyncExternalStore(subscribe, () => state)
}

export function chooseFor(album: ChoosingFor | null): void {
  state = album
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
