import { S3ServiceException } from '@aws-sdk/client-s3'
import { AppError } from '#server/kit/errors.ts'

function statusOf(error: unknown): number | undefined {
  return error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined
}

export function isMissing(error: unknown): boolean {
  return statusOf(error) === 404
}

/** The key exists, or is being written by another request. */
export function isConflict(error: unknown): boolean {
  const status = statusOf(error)
  return status === 412 || status === 409
}

export function isOutOfRange(error: unknown): boolean {
  return statusOf(error) === 416
}

const STORAGE_FULL = new Set(['QuotaExceeded', 'InsufficientCapacity', 'XMinioStorageFull', 'InsufficientStorage'])

/** Converts an error of the store, or a missing response, to an AppError. */
export function asStoreError(error: unknown): AppError {
  if (error instanceof AppError) return error
  if (error instanceof S3ServiceException && (STORAGE_FULL.has(error.name) || statusOf(error) === 507)) {
    return new AppError('storage_full', 'storage.full', { cause: error })
  }
  return new AppError('unavailable', 'storage.storeError', {
    cause: error,
  })
}

/** Wraps a step that only the store can fail, so that errors of the client are not reported as errors of the store. */
export async function withStoreError<T>(step: Promise<T>): Promise<T> {
  try {
    return await step
  } catch (error) {
    throw asStoreError(error)
  }
}

/** Like `withStoreError`, but undefined if the object does not exist. */
export async function unlessMissing<T>(step: Promise<T>): Promise<T | undefined> {
  try {
    return await step
  } catch (error) {
    if (isMissing(error)) return undefined
    throw asStoreError(error)
  }
}
