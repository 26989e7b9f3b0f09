import { oneStore } from '../kit/one-store.ts'

/** The parts of an upload that can be sent separately, before the final request. */
export type PartRole = 'original' | 'converted' | 'motion'

/** URLs at which the partial uploads of large parts are resumed. */
export type ResumeUrls = Map<PartRole, string>

/** The record of an upload that is not finished. */
export interface PendingUpload {
  readonly key: string
  /** The person's id, or the link by which a guest sends it. Others on this device must not see it. */
  readonly owner: number | `link ${number}`
  /** The tab that uploads it. Other tabs ignore the record while this tab is open. */
  readonly tab: string
  readonly name: string
  readonly size: number
  readonly lastModified: number
  readonly path: readonly string[]
  readonly hash: string | null
  /** The destination that the person chose. */
  readonly destination: Destination
  /** Where partial uploads of its large parts are resumed. */
  readonly resumeUrls: readonly (readonly [PartRole, string])[]
  /** Stored on the server. The record stays until the whole batch is finished. */
  readonly stored: boolean
  /** Reopens the file, where the browser provided a handle. */
  readonly handle: FileSystemFileHandle | null
  /** The clip of a Live Photo, without which the photo must not be resumed. */
  readonly motion: { readonly name: string; readonly handle: FileSystemFileHandle | null } | null
}

export interface Destination {
  readonly folderId: number | null
  /** Creates the folders that files were dropped in. */
  readonly keepStructure: boolean
}

/** Identifies a file that is chosen again without reading it. */
export function fingerprintOf(file: { name: string; size: number; lastModified: number }): string {
  return `${file.name}/${file.size}/${file.lastModified}`
}

/** IndexedDB storage of the pending uploads. The files themselves are not copied. */

const inTransaction = oneStore('heirloom-uploads', 'files', { keyPath: 'key' })

export function readRecords(): Promise<PendingUpload[]> {
  return inTransaction('readonly', store => store.getAll())
}

export async function saveRecords(records: readonly PendingUpload[]): Promise<void> {
  if (records.some(isOfMember)) setHasUnfinished(true)
  await inTransaction('readwrite', store => {
    for (const record of records) store.put(record)
    return store.count()
  })
}

export async function deleteRecords(keys: readonly string[]): Promise<void> {
  const left = await inTransaction('readwrite', store => {
    for (const key of keys) store.delete(key)
    return store.getAll()
  })
  if (!left.some(isOfMember)) setHasUnfinished(false)
}

function isOfMember({ owner }: PendingUpload): boolean {
  return typeof owner === 'number'
}

/** A flag in local storage, so that page loads of members need not open IndexedDB to find out that nothing is unfinished. */
const KEY = 'unfinished_uploads'

export function mayHaveUnfinished(): boolean {
  return localStorage.getItem(KEY) !== null
}

function setHasUnfinished(unfinished: boolean): void {
  if (unfinished) localStorage.setItem(KEY, 'yes')
  else localStorage.removeItem(KEY)
}
