import { useSyncExternalStore } from 'react'
import type { CreatedLink } from '#contract/links.ts'

/**
 * The dialog of a link that was made by one tap. Global, because the toast that opens it is still there when the viewer is
 * closed.
 */
export interface LinkDialogState {
  link: CreatedLink
  shows: 'address' | 'options'
}

let state: LinkDialogState | null = null
const listeners = new Set<() => void>()

export function useLinkDialog(): LinkDialogState | null {
  return useSyncExternalStore(subscribe, () => state)
}

export function setLinkDialog(next: LinkDialogState | null): void {
  state = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
