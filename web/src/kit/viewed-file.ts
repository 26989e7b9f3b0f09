import type { MediaFile } from '#contract/media.ts'
import type { PhotoMetadata } from '#contract/metadata.ts'

/** A file that is open, with its neighbours in the list it was opened from: what a list gives to a viewer. */
export interface ViewedFile {
  id: number
  /** Undefined until it has come. */
  file: MediaFile | undefined
  /** What the camera wrote; undefined until it has come, null where there is nothing. */
  metadata: PhotoMetadata | null | undefined
  error: Error | null
  /** Fetches the file anew: addresses of pictures run out while a page stays open. */
  refresh: () => Promise<MediaFile | undefined>
  /** Its place in the list, from 0; undefined where it is in another. */
  index: number | undefined
  total: number
  previous: MediaFile | undefined
  next: MediaFile | undefined
  /** Where a slideshow goes on behind the last file. */
  first: MediaFile | undefined
  /** The files that are likely to be looked at next, the likeliest first. */
  soon: readonly MediaFile[]
  /** The note that somebody was led to; 'new' for one to be written. */
  note: number | 'new' | null
  acts: FileActs
  onOpen: (file: MediaFile) => void
  onClose: () => void
}

/** What can be done to a file. */
export interface FileActs {
  rename: (file: MediaFile, newName: string) => Promise<boolean>
  download: (file: MediaFile) => Promise<void>
  rehash: (file: MediaFile) => void
  /** `whenDone` is called as soon as it is gone. */
  delete: (file: MediaFile, whenDone?: () => void) => Promise<boolean>
  /** Absent where files cannot be moved. */
  move?: ((file: MediaFile) => void) | undefined
}
