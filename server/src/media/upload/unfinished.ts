import type { DataStore } from '@tus/server'

/** Where the bytes of resumable uploads lie until they are taken in. */
export interface UnfinishedUploads {
  /** As the protocol writes and measures them. */
  readonly store: DataStore
  /** Gives the bytes of an upload that has arrived in full the name `path`; the upload itself stays. */
  copyTo(uploadId: string, path: string): Promise<void>
  forget(uploadId: string): Promise<void>
  /** Every upload there is, with the moment when something of it was last heard. */
  all(): AsyncIterable<{ uploadId: string; heardAt: number }>
}
