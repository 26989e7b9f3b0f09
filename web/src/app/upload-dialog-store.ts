import { useSyncExternalStore } from 'react'

/** The upload dialog's state. A global store, because buttons on every page open it and it survives navigation. */
interface UploadDialogState {
  readonly open: boolean
  /** Whether it was opened since the page was loaded: then an upload may be running. */
  readonly everOpened: boolean
  /** The folder that was open in the gallery. */
  readonly folderId: number | null
  readonly uploading: boolean
}

const initialState: UploadDialogState = { open: false, everOpened: false, folderId: null, uploading: false }
let state = initialState
const listeners = new Set<() => void>()

export function useUploadDialog(): UploadDialogState {
  return useSyncExternalStore(subscribe, () => state)
}

export function openUploadDialog(folder: number | 'root' | null): void {
  setState({ ...state, open: true, everOpened: true, folderId: folder === 'root' ? null : folder })
}

export function setUploadDialogOpen(open: boolean): void {
  setState({ ...state, open })
}

export function setUploading(uploading: boolean): void {
  setState({ ...state, uploading })
}

/** For the next person on this device. */
export function resetUploadDialog(): void {
  setState(initialState)
}

export function prefetchUploadDialog() {
  return import('../upload/Upload.tsx')
}

function setState(next: UploadDialogState): void {
  state = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
