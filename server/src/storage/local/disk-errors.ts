import { AppError } from '#server/kit/errors.ts'

/** Error code of the operating system, such as `ENOENT`. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

/** No regular file has that name. */
export function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'ELOOP', 'EISDIR', 'ENAMETOOLONG'].includes(systemCode(error) ?? '')
}

export function isDiskFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes(systemCode(error) ?? '')
}

/** Converts an error of the file system to an AppError. */
export function asStorageError(error: unknown): AppError {
  if (error instanceof AppError) return error
  if (isDiskFull(error)) return new AppError('storage_full', 'storage.full', { cause: error })
  if (systemCode(error) === 'EFBIG') {
    return new AppError('too_large', 'storage.diskTooSmall', { cause: error })
  }
  return new AppError('unavailable', 'storage.diskError', {
    cause: error,
  })
}

/** Wraps a step that only the disk can fail, so that errors of the client are not reported as disk errors. */
export async function withDiskError<T>(step: Promise<T>): Promise<T> {
  try {
    return await step
  } catch (error) {
    throw asStorageError(error)
  }
}

/** Like `withDiskError`, but undefined if the file does not exist. */
export async function unlessMissing<T>(step: Promise<T>): Promise<T | undefined> {
  try {
    return await step
  } catch (error) {
    if (isMissing(error)) return undefined
    throw asStorageError(error)
  }
}
