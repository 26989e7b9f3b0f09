import { sharedFiles as limits } from '#contract/limits.ts'
import { readKeeper } from './device-store.ts'
import { oneStore } from './one-store.ts'

/**
 * Photos and videos that another app has shared, in IndexedDB, which keeps files on disk without reading them into memory.
 * The service worker writes them, and a page reads them. So are those that were opened with the installed app before a
 * sign-in, which leaves the page. Only the latest share is kept.
 */
interface SharedFiles {
  files: File[]
  /** How many did not fit. */
  leftOut: number
  at: number
  /** Who had signed in on this device; null: for the next person who signs in. */
  person: number | null
}

const inStore = oneStore('heirloom-shared-files', 'shared')
const KEY = 'latest'
/** The person whom a page has shown them, if nobody had signed in before. Apart, because writing files again copies them. */
const CLAIMED_KEY = 'claimed by'

/** For the person of this device. They replace what was shared before. */
export async function keepSharedFiles(files: readonly File[]): Promise<void> {
  const person = (await readKeeper().catch(() => undefined))?.person ?? null
  const kept = withinLimits(files)
  const shared: SharedFiles = { files: kept, leftOut: files.length - kept.length, at: Date.now(), person }
  await inStore('readwrite', store => {
    store.delete(CLAIMED_KEY)
    return store.put(shared, KEY)
  })
}

function withinLimits(files: readonly File[]): File[] {
  let left: number = limits.bytes
  return files.slice(0, limits.max).filter(({ size }) => {
    if (size > left) return false
    left -= size
    return true
  })
}

/** What waits for this person. They stay until `eraseSharedFiles`, so that a page that is loaded again finds them. */
export async function readSharedFiles(person: number): Promise<SharedFiles | undefined> {
  const shared = await read()
  if (shared === undefined) return
  const owner: number | null = shared.person ?? (await inStore('readonly', store => store.get(CLAIMED_KEY))) ?? null
  if (isExpired(shared) || (owner !== null && owner !== person)) {
    await eraseSharedFiles()
    return
  }
  if (owner === null) await inStore('readwrite', store => store.put(person, CLAIMED_KEY))
  return shared
}

export async function eraseSharedFiles(): Promise<void> {
  await inStore('readwrite', store => store.clear())
}

export async function eraseExpiredSharedFiles(): Promise<void> {
  const shared = await read()
  if (shared !== undefined && isExpired(shared)) await eraseSharedFiles()
}

function read(): Promise<SharedFiles | undefined> {
  return inStore('readonly', store => store.get(KEY))
}

function isExpired({ at }: SharedFiles): boolean {
  return Date.now() - at > limits.keptFor
}
