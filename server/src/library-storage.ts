import { join } from 'node:path'
import type { Config } from './config.ts'
import type { Clock } from './kit/clock.ts'
import type { Scratch } from './kit/safe-path.ts'
import { type LocalStorage, openLocalStorage } from './storage/local/local-storage.ts'
import type { S3Storage } from './storage/s3/s3-storage.ts'
import type { Signing } from './storage/signing.ts'
import type { Storage } from './storage/storage.ts'

export interface LibraryStorage {
  storage: Storage
  /** Set if files are stored in the data folder and served by this server. */
  local: LocalStorage | undefined
  /** Set if browsers fetch files from an S3 store. */
  store: S3Storage | undefined
  /** Set if this server serves files: those of the data folder, of watched folders, or both. */
  served: Pick<LocalStorage, 'open'> | undefined
}

interface StorageDeps {
  signing: Signing
  clock: Clock
  scratch: Scratch
}

/** Opens the storage of the library: the data folder, or the configured S3 store. */
export async function openLibraryStorage(
  { s3, dataFolder }: Pick<Config, 's3' | 'dataFolder'>,
  { signing, clock, scratch }: StorageDeps,
): Promise<LibraryStorage> {
  if (s3) {
    // Loaded on demand, because the S3 client is large and most libraries use a folder.
    const { openS3Storage } = await import('./storage/s3/s3-storage.ts')
    const store = await openS3Storage({ settings: s3, clock, scratch })
    return { storage: store, local: undefined, store, served: undefined }
  }
  const local = await openLocalStorage({ folder: join(dataFolder, 'files'), signing })
  return { storage: local, local, store: undefined, served: local }
}
