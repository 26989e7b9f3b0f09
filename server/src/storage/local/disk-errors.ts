import { AppError } from '#server/kit/errors.ts'

/** The system's name for what went wrong, as `ENOENT`. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

/** Nothing stands under that name, or what does is no file of ours. */
export function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'ELOOP', 'EISDIR', 'ENAMETOOLONG'].includes(systemCode(error) ?? '')
}

export function isDiskFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes(systemCode(error) ?? '')
}

/** Puts what the disk said into the product's words; an error that already is stays. */
export function asStorageError(error: unknown): AppError {
  if (error instanceof AppError) return error
  if (isDiskFull(error)) return new AppError('storage_full', 'The library has no room left.', { cause: error })
  if (systemCode(error) === 'EFBIG') {
    return new AppError('too_large', 'The disk of the library cannot hold a file this large.', { cause: error })
  }
  return new AppError('unavailable', 'The disk of the library does not answer as it should.', { cause: error })
}

/** Marks a step that only the disk can fail, so that an error of the sender is never taken for one of the disk. */
export async function withDiskError<T>(step: Promise<T>): Promise<T> {
  try {
    return await step
  } catch (error) {
    throw asStorageError(error)
  }
}

/** As `onDisk`, for a step that may well find nothing. */
export async function unlessMissing<T>(step: Promise<T>): Promise<T | undefined> {
  try {
    return await step
  } catch (error) {
    if (isMissing(error)) return undefined
    throw asStorageError(error)
  }
}
