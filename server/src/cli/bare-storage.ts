import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import type { Config } from '../config.ts'
import { systemClock } from '../kit/clock.ts'
import { openScratch, pathBelow, withTemporaryFolder } from '../kit/safe-path.ts'
import { openLibraryStorage } from '../library-storage.ts'
import { type LocalStorage, openLocalStorage } from '../storage/local/local-storage.ts'
import { createSigning } from '../storage/signing.ts'
import type { Storage } from '../storage/storage.ts'

/** No address is ever signed by hand, so any secret will do. */
const signing = () => createSigning({ secret: randomBytes(32), clock: systemClock })

/** A storage folder to read and write by hand. */
export function openBareStorage(folder: string): Promise<LocalStorage> {
  return openLocalStorage({ folder, signing: signing() })
}

/** The files of a library, wherever its settings say that they lie, to read and write by hand. */
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
