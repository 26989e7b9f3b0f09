import { randomUUID } from 'node:crypto'
import { type DataStore, ERRORS } from '@tus/server'
import { uploadIdShape } from '#contract/upload.ts'
import { AppError } from '../../kit/errors.ts'
import { type SafeName, type SafePath, safeName } from '../../kit/safe-path.ts'

/** Stores the bytes of resumable uploads until the upload request uses them. */
export interface UnfinishedUploads {
  /** For the tus server. */
  readonly store: DataStore
  /** Copies (or hard-links) a complete upload to `path`. */
  copyTo(uploadId: UploadId, path: SafePath): Promise<void>
  countOwnedBy(personId: number): Promise<number>
  /** How many bytes a new upload of this person may have. */
  freeBytesFor(personId: number): Promise<number>
  remove(uploadId: UploadId): Promise<void>
  /** All uploads, each with the time when its last bytes arrived. */
  list(): AsyncIterable<{ uploadId: UploadId; lastActivityAt: number }>
}

/** An upload that received nothing for this long no longer reserves the space for the rest of it. */
export const RESERVATION_MS = 10 * 60_000
/** The largest share of the free space that one person's reservations can block for others. */
const RESERVED_SHARE_PER_PERSON = 0.25

/** What remains of `free` bytes for a new upload after the reservations of the running ones. */
export function availableBytes(
  free: number,
  personId: number,
  claims: readonly (readonly [UploadId, number])[],
): number {
  const byOwner = new Map<number, number>()
  for (const [uploadId, claim] of claims) {
    const owner = asOneGuest(ownerOf(uploadId))
    byOwner.set(owner, (byOwner.get(owner) ?? 0) + claim)
  }
  const counted = [...byOwner].map(([owner, claim]) =>
    owner === asOneGuest(personId) ? claim : Math.min(claim, free * RESERVED_SHARE_PER_PERSON),
  )
  return free - counted.reduce((sum, claim) => sum + claim, 0)
}

/** The tus library passes ids as strings; every store parses them first. */
export function requireUploadId(text: string): UploadId {
  const uploadId = parseUploadId(text)
  if (!uploadId) throw ERRORS.FILE_NOT_FOUND
  return uploadId
}

declare const uploadIdBrand: unique symbol

/** The id of a resumable upload: its owner's id and a random UUID. Only the server makes them. */
export type UploadId = SafeName & { readonly [uploadIdBrand]: true }

export function newUploadId(personId: number): UploadId {
  const id = parseUploadId(`${personId}-${randomUUID()}`)
  if (!id) throw new Error(`No upload can belong to person ${personId}`)
  return id
}

/** No person has such a high id, and it is still a safe integer. */
const FIRST_GUEST = 5_000_000_000_000_000

/** Uploads of guests belong to nobody who signs in. */
export function ownerIdOfGuest(guestId: number): number {
  return FIRST_GUEST + guestId
}

/** All guests share the space of one person: anybody with a link can be any number of guests. */
function asOneGuest(ownerId: number): number {
  return Math.min(ownerId, FIRST_GUEST)
}

/** Undefined unless the text has exactly the format of `newUploadId`. */
export function parseUploadId(text: string): UploadId | undefined {
  return uploadIdShape.test(text) ? (safeName(text) as UploadId) : undefined
}

/** Throws unless the upload belongs to this person. */
export function ownUpload(text: string, personId: number): UploadId {
  const id = parseUploadId(text)
  if (!id || ownerOf(id) !== personId) throw noSuchUpload()
  return id
}

export function ownerOf(id: UploadId): number {
  return Number(id.slice(0, id.indexOf('-')))
}

/** File name for the description of an upload, stored next to its bytes. */
export function descriptionName(id: UploadId): SafeName {
  return safeName(`${id}.json`)
}

export function noSuchUpload(cause?: unknown): AppError {
  return new AppError('not_found', 'upload.missing', { cause })
}
