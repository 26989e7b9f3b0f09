import { deleteRecords, fingerprintOf, type PendingUpload, readRecords, saveRecords } from './pending-uploads-db.ts'

/**
 * Uploads that are not finished, stored in this browser so that they survive a reload. Uploads work without it where
 * the browser stores nothing (private window, full disk).
 */
export class PendingUploads {
  readonly #owner: PendingUpload['owner']
  readonly #keepsStored: boolean
  readonly #tab = lockThisTab()
  /** The records in the database, by key. */
  readonly #records = new Map<string, PendingUpload>()
  /** Records of an earlier visit whose files have not been chosen again yet. */
  #unfinished: PendingUpload[] = []
  #writing: Promise<void> = Promise.resolve()
  #unsaved = new Set<string>()
  #available = true

  /** `keepsStored`: records stay when their files are stored, so that these are never sent again. */
  constructor(owner: PendingUpload['owner'], { keepsStored = false } = {}) {
    this.#owner = owner
    this.#keepsStored = keepsStored
  }

  /** Uploads of this owner that an earlier visit left unfinished. */
  get unfinished(): readonly PendingUpload[] {
    return this.#unfinished
  }

  async load(): Promise<void> {
    try {
      const [records, busyTabs] = await Promise.all([readRecords(), findOpenTabs()])
      const isFree = ({ tab, stored }: PendingUpload) =>
        tab === this.#tab || !busyTabs.has(tab) || (stored && this.#keepsStored)
      this.#unfinished = records.filter(record => record.owner === this.#owner && isFree(record))
      for (const record of this.#unfinished) this.#records.set(record.key, record)
      this.#removeIfAllStored()
    } catch {
      this.#available = false
    }
  }

  /** Returns the record of a file that is chosen again, once. */
  claim(file: File): PendingUpload | undefined {
    const fingerprint = fingerprintOf(file)
    const found = this.#unfinished.find(record => fingerprintOf(record) === fingerprint)
    if (found) this.#unfinished = this.#unfinished.filter(record => record !== found)
    return found
  }

  add(record: Omit<PendingUpload, 'owner' | 'tab'>): void {
    this.#records.set(record.key, { ...record, owner: this.#owner, tab: this.#tab })
    this.#save(record.key)
  }

  update(key: string, change: Partial<PendingUpload>): void {
    const record = this.#records.get(key)
    if (!record) return
    this.#records.set(key, { ...record, ...change })
    this.#save(key)
  }

  remove(keys: readonly string[]): void {
    const known = keys.filter(key => this.#records.delete(key))
    this.#unfinished = this.#unfinished.filter(record => !known.includes(record.key))
    if (known.length > 0) this.#write(() => deleteRecords(known))
  }

  /** Their batch has ended: they are stored, or will never be. */
  finish(keys: readonly string[]): void {
    this.remove(this.#keepsStored ? keys.filter(key => this.#records.get(key)?.stored === false) : keys)
    this.#removeIfAllStored()
  }

  /** When everything from the earlier visit is stored, there is nothing to resume. */
  #removeIfAllStored(): void {
    if (this.#keepsStored) return
    if (this.#unfinished.every(record => record.stored)) this.remove(this.#unfinished.map(record => record.key))
  }

  /** Resolves when all changes until now are stored, so that a reload finds them. */
  saved(): Promise<void> {
    return this.#writing
  }

  /** Changes made at the same time are written in one transaction. */
  #save(key: string): void {
    this.#unsaved.add(key)
    if (this.#unsaved.size > 1) return
    this.#write(async () => {
      const records = [...this.#unsaved].flatMap(unsaved => this.#records.get(unsaved) ?? [])
      this.#unsaved.clear()
      await saveRecords(records)
    })
  }

  /** Writes are queued, so that the last change wins. */
  #write(act: () => Promise<void>): void {
    this.#writing = this.#writing.then(async () => {
      if (!this.#available) return
      await act().catch(() => {
        this.#available = false
      })
    })
  }
}

/** Not a UUID: browsers create those over secure connections only, and a home network may have none. */
export function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('')
}

/** Each open tab holds a Web Lock, so that other tabs do not treat its uploads as orphaned. */

const PREFIX = 'heirloom-upload-tab-'
let lockedTab: string | undefined

/** Returns the id of this tab. Its lock is released when the tab closes. */
function lockThisTab(): string {
  if (lockedTab !== undefined) return lockedTab
  lockedTab = randomId()
  // Without a secure connection there are no locks, and two tabs may offer the same files.
  void navigator.locks?.request(PREFIX + lockedTab, () => new Promise(() => {}))
  return lockedTab
}

async function findOpenTabs(): Promise<ReadonlySet<string>> {
  const { held = [] } = (await navigator.locks?.query()) ?? {}
  return new Set(held.flatMap(({ name }) => (name?.startsWith(PREFIX) ? [name.slice(PREFIX.length)] : [])))
}

interface ReopenedFile {
  file: File
  motion?: File
  path: readonly string[]
}

/** Not every browser with file handles has permissions, and the types lack them. */
type PermissionHandle = FileSystemFileHandle & {
  queryPermission?(): Promise<PermissionState>
  requestPermission?(): Promise<PermissionState>
}

/**
 * Reopens the files of an earlier visit through their handles. The browser asks the person once; permission for one
 * file restores the others.
 */
export async function reopenFiles(records: readonly PendingUpload[]): Promise<ReopenedFile[]> {
  const files: ReopenedFile[] = []
  let asked = false
  for (const { handle, motion, path, stored } of records) {
    if (handle === null || stored) continue
    const readable = await requestRead(handle, !asked)
    asked = true
    if (!readable) continue
    const file = await open(handle)
    const clip = motion?.handle && (await open(motion.handle))
    // A file that was moved or deleted must be chosen again.
    if (file && (clip || !motion)) files.push({ file, path, ...(clip ? { motion: clip } : {}) })
  }
  return files
}

async function open(handle: FileSystemFileHandle): Promise<File | undefined> {
  const file = await handle.getFile().catch(() => undefined)
  return file && Object.assign(file, { handle })
}

async function requestRead(handle: PermissionHandle, ask: boolean): Promise<boolean> {
  const state = (await handle.queryPermission?.()) ?? 'granted'
  if (state === 'granted' || !ask) return state === 'granted'
  // Some browsers reject without asking.
  const answer = await handle.requestPermission?.().catch(() => 'denied')
  return answer === 'granted'
}
