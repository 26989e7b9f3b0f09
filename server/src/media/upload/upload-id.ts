import { randomUUID } from 'node:crypto'
import { uploadIdShape } from '#contract/upload.ts'
import { AppError } from '../../kit/errors.ts'
import { type SafeName, safeName } from '../../kit/safe-path.ts'

declare const uploadIdBrand: unique symbol

/** The id of a resumable upload: its owner's id and a random UUID. The server alone makes them. */
export type UploadId = SafeName & { readonly [uploadIdBrand]: true }

export function newUploadId(personId: number): UploadId {
  const id = parseUploadId(`${personId}-${randomUUID()}`)
  if (!id) throw new Error(`No upload can belong to person ${personId}`)
  return id
}

/** Undefined for every text that is not exactly of the shape that `newUploadId` gives. */
export function parseUploadId(text: string): UploadId | undefined {
  return uploadIdShape.test(text) ? (safeName(text) as UploadId) : undefined
}

/** Throws unless this is the id of an upload of this person. */
export function ownUpload(text: string, personId: number): UploadId {
  const id = parseUploadId(text)
  if (!id || ownerOf(id) !== personId) throw noSuchUpload()
  return id
}

export function ownerOf(id: UploadId): number {
  return Number(id.slice(0, id.indexOf('-')))
}

/** The name of the file that describes an upload, beside its bytes. */
export function descriptionName(id: UploadId): SafeName {
  return safeName(`${id}.json`)
}

export function noSuchUpload(cause?: unknown): AppError {
  return new AppError('not_found', 'There is no such upload. Please begin again.', { cause })
}
