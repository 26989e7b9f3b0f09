import type { MediaFile } from '#contract/media.ts'
import type { PhotoMetadata } from '#contract/metadata.ts'

/** An open file with its neighbours in the list: what a list passes to the viewer. */
export interface ViewedFile {
  id: number
  /** Undefined while loading. */
  file: MediaFile | undefined
  /** EXIF metadata; undefined while loading, null if there is none. */
  metadata: PhotoMetadata | null | undefined
  error: Error | null
  /** Refetches the file, because signed URLs expire while a page is open. */
  refresh: () => Promise<MediaFile | undefined>
  /** Index in the list; undefined if the file is not in it. */
  index: number | undefined
  total: number
  previous: MediaFile | undefined
  next: MediaFile | undefined
  /** Where a slideshow continues after the last file. */
  first: MediaFile | undefined
  /** Files to prefetch, the most likely first. */
  prefetch: readonly MediaFile[]
  /** The note to show, or 'new' to write one. */
  note: number | 'new' | null
  actions: FileActions
  onOpen: (file: MediaFile) => void
  onClose: () => void
}

export interface FileActions {
  rename: (file: MediaFile, newName: string) => Promise<boolean>
  download: (file: MediaFile) => Promise<void>
  rehash: (file: MediaFile) => void
  /** `whenDone` is called as soon as the file is deleted. */
  delete: (file: MediaFile, whenDone?: () => void) => Promise<boolean>
  /** Absent where files cannot be moved. */
  move?: ((file: MediaFile) => void) | undefined
}
