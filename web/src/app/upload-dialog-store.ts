import { useSyncExternalStore } from 'react'
import type { IncomingFiles } from '../upload/upload-items.ts'

/** The upload dialog's state. A global store, because buttons on every page open it and it survives navigation. */
interface UploadDialogState {
  readonly open: boolean
  /** Whether it was opened since the page was loaded: then an upload may be running. */
  readonly everOpened: boolean
  /** The folder that was open in the gallery. */
  readonly folderId: number | null
  readonly uploading: boolean
  /** Files in its list that are not uploaded, and for which nobody has said so. */
  readonly chosen: number
  /** Until the queue takes them. */
  readonly incoming: IncomingFiles | null
}

const initialState: UploadDialogState = {
  open: false,
  everOpened: false,
  folderId: null,
  uploading: false,
  chosen: 0,
  incoming: null,
}
let state = initialState
const listeners = new Set<() => void>()

export function useUploadDialog(): UploadDialogState {
  return useSyncExternalStore(subscribe, () => state)
}

export function openUploadDialog(folder: number | 'root' | null, added: IncomingFiles | null = null): void {
  // Those that the queue has not taken yet must not be lost.
  const incoming = added ?? state.incoming
  setState({ ...state, open: true, everOpened: true, folderId: folder === 'root' ? null : folder, incoming })
}

export function takeIncomingFiles(): IncomingFiles | null {
  const { incoming } = state
  if (incoming !== null) setState({ ...state, incoming: null })
  return incoming
}

export function setUploadDialogOpen(open: boolean): void {
  setState({ ...state, open })
}

/** What would be lost if the person signed out. */
export function setUnsentUploads(unsent: Pick<UploadDialogState, 'uploading' | 'chosen'>): void {
  setState({ ...state, ...unsent })
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
