import { randomBytes } from 'node:crypto'
import { systemClock } from '../kit/clock.ts'
import { type LocalStorage, openLocalStorage } from '../storage/local/local-storage.ts'
import { createSigning } from '../storage/signing.ts'

/** A storage folder to read and write by hand: no address is ever signed, so any secret will do. */
export function openBareStorage(folder: string): Promise<LocalStorage> {
  return openLocalStorage({ folder, signing: createSigning({ secret: randomBytes(32), clock: systemClock }) })
}
