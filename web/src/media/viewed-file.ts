import type { GridFile } from '#contract/grid.ts'
import type { MediaFile } from '#contract/media.ts'
import type { PhotoMetadata } from '#contract/metadata.ts'

/** An open file with its neighbours in the list: what a list passes to the viewer. */
export interface ViewedFile {
  id: number
  /** Undefined while loading. */
  file: MediaFile | undefined
  /** What its tile shows, if the list has it. */
  tile: TilePicture | undefined
  /** The photo in its tile, if that is rendered; absent where there are no tiles. */
  photoInTile?: () => Element | null
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
  /** Whether a video starts without a click: not after the file before it was deleted. */
  startsPlaying: boolean
  actions: FileActions
  onOpen: (file: MediaFile) => void
  onClose: () => void
}

export interface TilePicture
  extends Pick<GridFile, 'file_type' | 'ratio' | 'thumbhash' | 'original_name' | 'day' | 'edtf' | 'location'> {
  /** The picture that the tile has loaded. */
  url: string | undefined
}

/** What an action on a file needs to know of it. */
export type NamedFile = Pick<MediaFile, 'id' | 'original_name'>

export interface FileActions {
  rename: (file: NamedFile, newName: string) => Promise<boolean>
  download: (file: NamedFile) => Promise<void>
  rehash: (file: NamedFile) => Promise<void>
  /** `whenDone` is called as soon as the file is deleted. */
  delete: (file: NamedFile, whenDone?: () => void) => Promise<boolean>
  /** Absent where files cannot be moved, or shown to guests. */
  move?: ((file: NamedFile) => void) | undefined
  share?: ((file: NamedFile) => void) | undefined
  changeDate?: ((file: NamedFile) => void) | undefined
  changePlace?: ((file: NamedFile) => void) | undefined
}
