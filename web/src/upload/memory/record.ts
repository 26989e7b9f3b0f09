import type { PartRole } from '../transport/parcel.ts'

/** A file that a person wanted uploaded, as this browser remembers it over a reload. */
export interface UploadRecord {
  readonly key: string
  /** Whose it is: another person on this device must not see it. */
  readonly personId: number
  /** The tab that is at it: as long as it is open, no other one takes it up. */
  readonly tab: string
  readonly name: string
  readonly size: number
  readonly lastModified: number
  readonly path: readonly string[]
  readonly hash: string | null
  /** Where the person chose to put it. */
  readonly destination: Destination
  /** Where its large parts go on. */
  readonly addresses: readonly (readonly [PartRole, string])[]
  /** It arrived; it is remembered only until its whole batch has. */
  readonly safe: boolean
  /** Opens the file again, where the browser gave one. */
  readonly handle: FileSystemFileHandle | null
  /** A Live Photo's clip: without it the photo would go on half. */
  readonly motion: { readonly name: string; readonly handle: FileSystemFileHandle | null } | null
}

export interface Destination {
  readonly folderId: number | null
  /** The folders it was dropped in are made there too. */
  readonly keepStructure: boolean
}

/** Tells whether a file chosen anew is the one remembered: nothing else of it is known without reading it. */
export function fingerprintOf(file: { name: string; size: number; lastModified: number }): string {
  return `${file.name}/${file.size}/${file.lastModified}`
}
