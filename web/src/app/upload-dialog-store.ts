import { useSyncExternalStore } from 'react'

/** Whether the upload dialog is open: buttons all over the page open it, and it outlives the page they stand on. */
interface UploadDialogState {
  readonly open: boolean
  /** It has been opened since the page was loaded, so that there may be an upload under way behind it. */
  readonly everOpened: boolean
  /** The folder in which the person stood. */
  readonly folderId: number | null
  /** Files are being uploaded at this moment. */
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

/** As it was when the page was loaded: for the next person on this device. */
export function resetUploadDialog(): void {
  setState(initialState)
}

/** Fetches the dialog's code before it is asked for. */
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
