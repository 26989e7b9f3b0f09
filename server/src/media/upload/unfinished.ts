import { type DataStore, ERRORS } from '@tus/server'
import type { SafePath } from '../../kit/safe-path.ts'
import { ownerOf, parseUploadId, type UploadId } from './upload-id.ts'

/** Where the bytes of resumable uploads lie until they are taken in. */
export interface UnfinishedUploads {
  /** As the protocol writes and measures them. */
  readonly store: DataStore
  /** Gives the bytes of an upload that has arrived in full the name `path`; the upload itself stays. */
  copyTo(uploadId: UploadId, path: SafePath): Promise<void>
  countOwnedBy(personId: number): Promise<number>
  /** How many more bytes can be promised to a new upload. */
  freeBytesFor(personId: number): Promise<number>
  remove(uploadId: UploadId): Promise<void>
  /** Every upload there is, with the moment when something of it was last heard. */
  list(): AsyncIterable<{ uploadId: UploadId; heardAt: number }>
}

/** Longer than any pause of a sender that is still there: after it the claim of an upload to its space lapses. */
export const RESERVATION_MS = 10 * 60_000
/** Of the space, what the promises of one person can keep from the others: a promise costs nothing. */
const RESERVED_SHARE_PER_PERSON = 0.25

/** What is left of `free` bytes for a new upload of a person, beside what the uploads that were begun may still take. */
export function availableBytes(
  free: number,
  personId: number,
  claims: readonly (readonly [UploadId, number])[],
): number {
  const byOwner = new Map<number, number>()
  for (const [uploadId, claim] of claims) {
    byOwner.set(ownerOf(uploadId), (byOwner.get(ownerOf(uploadId)) ?? 0) + claim)
  }
  const counted = [...byOwner].map(([owner, claim]) =>
    owner === personId ? claim : Math.min(claim, free * RESERVED_SHARE_PER_PERSON),
  )
  return free - counted.reduce((sum, claim) => sum + claim, 0)
}

/** The library of the protocol passes ids as plain texts; no store takes one that is not exactly ours. */
export function requireUploadId(text: string): UploadId {
  const uploadId = parseUploadId(text)
  if (!uploadId) throw ERRORS.FILE_NOT_FOUND
  return uploadId
}
