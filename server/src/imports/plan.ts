import type { ImportProblem } from '#contract/imports.ts'

/** A file of a source: in a folder, or an entry of an archive. */
export interface SourceFile {
  /** Where it is in the source, for the report and for recognising it in a second run. */
  path: string
  name: string
  size: number
  /** Changes with the bytes: the CRC of an entry of an archive, the modification time of a file. Empty: not known. */
  fingerprint: string
  /** When the file was last changed; null: that says nothing of the photo. */
  modifiedAt: number | null
  /** Its bytes. Ends with an error where they cannot be read whole. */
  open(): AsyncIterable<Uint8Array>
}

/** A date as a source knows it. */
export type ImportedDate =
  | { edtf: string }
  /** A moment in time, without the place's time zone, in epoch milliseconds. Uncertain: used only where nothing else is known. */
  | { moment: number; uncertain?: boolean }

export interface ImportedComment {
  author: string
  at: number | null
  text: string
}

/** What a source knows of a file. Lists may be empty. */
export interface ImportFacts {
  date?: ImportedDate
  place?: { latitude: number; longitude: number }
  /** The first line becomes the caption, longer ones a note too. */
  description?: string
  notes: readonly string[]
  /** Of the person who imports. */
  heart: boolean
  tags: readonly string[]
  /** Names of the people in it, which are no tags. */
  people: readonly string[]
  comments: readonly ImportedComment[]
  /** Names of others who love it. */
  hearts: readonly string[]
}

export interface ImportItem {
  file: SourceFile
  /** The folders of the library that it goes into, created where they are missing; empty: none. */
  folders: readonly string[]
  facts: ImportFacts
  /** Keys of albums. With positions, the album is ordered by them. */
  albums: readonly { key: string; position?: number }[]
  /** The moving half. If it turns out not to belong to this photo, it is stored as a file of its own. */
  clip?: {
    item: ImportItem
    /**
     * `same`: both must have the same identifier, or be of the same seconds. `identifier`: the same identifier. `short`: a
     * short one is believed without one, because it has no sidecar of its own.
     */
    belongsIf: 'same' | 'identifier' | 'short'
  }
  /** An XMP sidecar, kept beside the file. */
  sidecar?: SourceFile
  /** The item of which this is an edited version. */
  editedFrom?: ImportItem
  /** What the source calls it, such as its address there. */
  sourceId?: string
}

export interface ImportAlbum {
  /** The same in a second run. */
  key: string
  title: string
  description: string
  comments: readonly ImportedComment[]
}

/** Everything that a reader found in a source, in the order in which it can be read fastest. */
export interface ImportPlan {
  items: readonly ImportItem[]
  albums: readonly ImportAlbum[]
  /** What could not be matched. Never a guess instead. */
  problems: readonly ImportProblem[]
  /** Its files can only be read one after the other, in their order. */
  sequential?: boolean
  /** Closes archives. */
  close(): Promise<void>
}

export const noFacts: ImportFacts = { notes: [], heart: false, tags: [], people: [], comments: [], hearts: [] }
