import { type DataStore, ERRORS } from '@tus/server'
import type { SafePath } from '../../kit/safe-path.ts'
import { parseUploadId, type UploadId } from './upload-id.ts'

/** Where the bytes of resumable uploads lie until they are taken in. */
export interface UnfinishedUploads {
  /** As the protocol writes and measures them. */
  readonly store: DataStore
  /** Gives the bytes of an upload that has arrived in full the name `path`; the upload itself stays. */
  copyTo(uploadId: UploadId, path: SafePath): Promise<void>
  countOf(personId: number): Promise<number>
  /** How many more bytes can be promised to a new upload. Absent where the place has no bound that we could know. */
  room?(personId: number): Promise<number>
  forget(uploadId: UploadId): Promise<void>
  /** Every upload there is, with the moment when something of it was last heard. */
  all(): AsyncIterable<{ uploadId: UploadId; heardAt: number }>
}

/** The library of the protocol passes ids as plain texts; no store takes one that is not exactly ours. */
export function exactId(text: string): UploadId {
  const uploadId = parseUploadId(text)
  if (!uploadId) throw ERRORS.FILE_NOT_FOUND
  return uploadId
}
