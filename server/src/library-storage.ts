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
  /** Where the files lie in the data folder, and are served by us. */
  local: LocalStorage | undefined
  /** Where browsers fetch them from a store. */
  store: S3Storage | undefined
}

interface Surroundings {
  signing: Signing
  clock: Clock
  scratch: Scratch
}

/** Where this library's files lie: in the data folder, or in the store that is set. */
export async function openLibraryStorage(
  { s3, dataFolder }: Pick<Config, 's3' | 'dataFolder'>,
  { signing, clock, scratch }: Surroundings,
): Promise<LibraryStorage> {
  if (s3) {
    // Its client is large, and most libraries have a folder.
    const { openS3Storage } = await import('./storage/s3/s3-storage.ts')
    const store = await openS3Storage({ settings: s3, clock, scratch })
    return { storage: store, local: undefined, store }
  }
  const local = await openLocalStorage({ folder: join(dataFolder, 'files'), signing })
  return { storage: local, local, store: undefined }
}
