import { useSyncExternalStore } from 'react'

/** Whether the upload dialog is open: buttons all over the page open it, and it outlives the page they stand on. */
interface Door {
  readonly open: boolean
  /** It has been opened since the page was loaded, so that there may be an upload under way behind it. */
  readonly used: boolean
  /** The folder in which the person stood. */
  readonly folderId: number | null
  /** Files are being uploaded at this moment. */
  readonly uploading: boolean
}

const shut: Door = { open: false, used: false, folderId: null, uploading: false }
let door = shut
const listeners = new Set<() => void>()

export function useUploadDoor(): Door {
  return useSyncExternalStore(subscribe, () => door)
}

export function openUpload(folder: number | 'root' | null): void {
  change({ ...door, open: true, used: true, folderId: folder === 'root' ? null : folder })
}

export function setUploadOpen(open: boolean): void {
  change({ ...door, open })
}

export function setUploading(uploading: boolean): void {
  change({ ...door, uploading })
}

/** As it was when the page was loaded: for the next person on this device. */
export function shutUpload(): void {
  change(shut)
}

/** Fetches the dialog's code before it is asked for. */
export function loadUpload() {
  return import('../upload/Upload.tsx')
}

function change(next: Door): void {
  door = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
