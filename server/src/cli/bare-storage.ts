import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import type { Config } from '../config.ts'
import { systemClock } from '../kit/clock.ts'
import { openScratch, pathBelow, withTemporaryFolder } from '../kit/safe-path.ts'
import { openLibraryStorage } from '../library-storage.ts'
import { withWatchedFolders } from '../source-folders/watched-storage.ts'
import { type LocalStorage, openLocalStorage } from '../storage/local/local-storage.ts'
import { createSigning } from '../storage/signing.ts'
import type { Storage } from '../storage/storage.ts'
import { openPlaces } from './places-of-originals.sql.ts'

/** CLI commands never sign URLs, so any secret will do. */
const signing = () => createSigning({ secret: randomBytes(32), clock: systemClock })

/** Opens a storage folder without the rest of the app. */
export function openBareStorage(folder: string): Promise<LocalStorage> {
  return openLocalStorage({ folder, signing: signing() })
}

/** Opens the library's configured storage (folder or S3) without the rest of the app. */
export async function withStorageOf<T>(
  config: Pick<Config, 's3' | 'dataFolder'>,
  work: (storage: Storage) => Promise<T>,
): Promise<T> {
  return withTemporaryFolder(tmpdir(), 'heirloom-', async folder => {
    const scratch = await openScratch(pathBelow(folder, 'scratch'))
    const { storage, store } = await openLibraryStorage(config, { signing: signing(), clock: systemClock, scratch })
    return work(storage).finally(() => store?.close())
  })
}

/** The same for reading originals, also those of watched folders. */
export async function withOriginalsOf<T>(config: Config, work: (storage: Storage) => Promise<T>): Promise<T> {
  const { libraryFolders: roots } = config
  if (roots.length === 0) return withStorageOf(config, work)
  const places = await openPlaces(config)
  try {
    return await withStorageOf(config, storage => {
      const own = { storage, local: undefined, served: undefined }
      return work(withWatchedFolders(own, { roots, placesOf: places.of, signing: signing() }).storage)
    })
  } finally {
    await places.close()
  }
}
