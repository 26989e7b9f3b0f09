import type { PhotoMetadata } from '#contract/metadata.ts'

/** Where an item stands. Those in the first two lines are steps of being looked at and prepared. */
export type Status =
  | 'processing'
  | 'transcoding'
  | 'extracting'
  | 'hashing'
  | 'checking'
  | 'uploading'
  | 'pending'
  | 'error'
  | 'duplicate'
  | 'success'

/** A photo or video on its way into the library. A new object with every change. */
export interface UploadItem {
  readonly id: number
  readonly name: string
  readonly file: File
  /** A Live Photo's clip, which travels with its still. */
  readonly motion: File | null
  /** The library has the still of this Live Photo, and not its clip. */
  readonly onlyClipIsNew: boolean
  /** The server found that the clip is not this photo's, and made a file of its own of it. */
  readonly clipIsSeparate: boolean
  /** The folders it was dropped in, from the outermost. */
  readonly path: readonly string[]
  readonly status: Status
  /** Read, hashed and compared: all that happens before the person presses Upload. */
  readonly examined: boolean
  /** The person pressed Upload for it. */
  readonly wanted: boolean
  readonly metadata: PhotoMetadata | null
  readonly hash: string | null
  /** Of the step it is in, from 0 to 1; null where that cannot be said. */
  readonly progress: number | null
  /** Nothing goes on until the connection is back. */
  readonly waiting: boolean
  /** Why it is an error, in the specification's words. */
  readonly error: string | null
  /** What stands below the status: the server's own reason, or what went less well than it could. */
  readonly note: string | null
  /** The file of the same bytes. */
  readonly duplicateOf: { readonly name: string; readonly where: 'library' | 'selection' } | null
  /** The picker refused it, so it never was to be uploaded. */
  readonly rejected: boolean
  /** The server found that it is not a photo or video: a retry has the same result. */
  readonly refused: boolean
  /** Whether the server's hash of what arrived is ours; null until it arrived, or where we have none to compare. */
  readonly confirmed: boolean | null
}

export interface NewFile {
  readonly file: File
  readonly motion?: File
  readonly path?: readonly string[]
}

export function newItem(id: number, { file, motion, path = [] }: NewFile): UploadItem {
  return {
    id,
    name: file.name,
    file,
    motion: motion ?? null,
    onlyClipIsNew: false,
    clipIsSeparate: false,
    path,
    status: 'pending',
    examined: false,
    wanted: false,
    metadata: null,
    hash: null,
    progress: null,
    waiting: false,
    error: null,
    note: null,
    duplicateOf: null,
    rejected: false,
    refused: false,
    confirmed: null,
  }
}

export function sizeOf({ file, motion }: UploadItem): number {
  return file.size + (motion?.size ?? 0)
}

const busy: readonly Status[] = ['processing', 'transcoding', 'extracting', 'hashing', 'checking', 'uploading']

/** Something is being done to it at this moment. */
export function isBusy({ status }: UploadItem): boolean {
  return busy.includes(status)
}

/** There is nothing left to do about it, unless the person tries it again. */
export function isFinished({ status }: UploadItem): boolean {
  return status === 'success' || status === 'duplicate' || status === 'error'
}

export function isRemovable({ status }: UploadItem): boolean {
  return status === 'pending' || status === 'error'
}

export function isRetryable({ status, rejected, refused }: UploadItem): boolean {
  return status === 'error' && !rejected && !refused
}

/** An item that is stopped, begun anew or failed goes back to where every item begins. */
const always: readonly Status[] = ['pending', 'error']

const ways: Record<Status, readonly Status[]> = {
  pending: ['extracting', 'checking', 'processing', 'transcoding', 'uploading', 'success'],
  extracting: ['hashing'],
  hashing: ['checking', 'duplicate'],
  checking: ['duplicate'],
  processing: ['transcoding', 'checking'],
  transcoding: ['processing'],
  uploading: ['success', 'duplicate'],
  error: [],
  duplicate: [],
  success: [],
}

export function mayGo(from: Status, to: Status): boolean {
  if (from === 'success' || from === 'duplicate') return false
  return from === to || always.includes(to) || ways[from].includes(to)
}
