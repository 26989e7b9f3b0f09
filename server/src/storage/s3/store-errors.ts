import { S3ServiceException } from '@aws-sdk/client-s3'
import { AppError } from '#server/kit/errors.ts'

function statusOf(error: unknown): number | undefined {
  return error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined
}

/** There is nothing under that name. */
export function isMissing(error: unknown): boolean {
  return statusOf(error) === 404
}

/** The name was taken, or somebody else is taking it at this very moment. */
export function isConflict(error: unknown): boolean {
  const status = statusOf(error)
  return status === 412 || status === 409
}

export function isOutOfRange(error: unknown): boolean {
  return statusOf(error) === 416
}

const STORAGE_FULL = new Set(['QuotaExceeded', 'InsufficientCapacity', 'XMinioStorageFull', 'InsufficientStorage'])

/** Puts what the store said, or that it said nothing, into the product's words; an error that already is stays. */
export function asStoreError(error: unknown): AppError {
  if (error instanceof AppError) return error
  if (error instanceof S3ServiceException && (STORAGE_FULL.has(error.name) || statusOf(error) === 507)) {
    return new AppError('storage_full', 'The library has no room left.', { cause: error })
  }
  return new AppError('unavailable', 'The store of the library does not answer as it should.', { cause: error })
}

/** Marks a step that only the store can fail, so that an error of the sender is never taken for one of the store. */
export async function withStoreError<T>(step: Promise<T>): Promise<T> {
  try {
    return await step
  } catch (error) {
    throw asStoreError(error)
  }
}

/** As `inStore`, for a step that may well find nothing. */
export async function unlessMissing<T>(step: Promise<T>): Promise<T | undefined> {
  try {
    return await step
  } catch (error) {
    if (isMissing(error)) return undefined
    throw asStoreError(error)
  }
}
