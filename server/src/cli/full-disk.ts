import { AppError } from '../kit/errors.ts'
import { asStorageError, systemCode } from '../storage/local/disk-errors.ts'

const SQLITE_FULL = 13
const POSTGRES_DISK_FULL = '53100'

/** Whoever was the first to hear it: the system, a storage, or a database. */
export function isFullDisk(error: unknown): boolean {
  if ((error as { errcode?: unknown }).errcode === SQLITE_FULL) return true
  if (systemCode(error) === POSTGRES_DISK_FULL) return true
  const heard = asStorageError(error)
  return heard instanceof AppError && heard.code === 'storage_full'
}
