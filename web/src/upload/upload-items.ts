import { uploadDialog } from '#contract/limits.ts'
import type { PhotoMetadata } from '#contract/metadata.ts'
import { clipsByStill } from '#contract/motion-photos.ts'
import { region } from '../kit/messages.ts'
import { randomId } from './pending-uploads.ts'
import type { Destination, ResumeUrls } from './pending-uploads-db.ts'
import type { PreparedParts } from './prepare/prepare.ts'

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

/** State of an item that is not displayed, and therefore mutable. */
export interface UploadSession {
  /** Of its record in PendingUploads. */
  readonly key: string
  readonly resumeUrls: ResumeUrls
  /** Set when the person presses Upload, or restored from an earlier visit. */
  destination: Destination | null
  /** Of the step that runs on it. */
  abortController: AbortController | null
  prepared: PreparedParts | null
}

/** A photo or video to be uploaded. Immutable, except its session: every change creates a new object. */
export interface UploadItem {
  readonly id: number
  readonly session: UploadSession
  readonly name: string
  readonly file: File
  /** The clip of a Live Photo, uploaded together with its still. */
  readonly motion: File | null
  /** The library already has the still of this Live Photo but not its clip. */
  readonly onlyClipIsNew: boolean
  /** The clip did not belong to this photo, so the server stored it as a separate video. */
  readonly clipIsSeparate: boolean
  /** The folders the file was dropped in, outermost first. */
  readonly path: readonly string[]
  readonly status: Status
  /** Metadata read, hash computed and duplicates checked. */
  readonly inspected: boolean
  /** The person pressed Upload for this file. */
  readonly uploadRequested: boolean
  readonly metadata: PhotoMetadata | null
  /** Made while preparing a photo that this browser cannot show, such as HEIC. */
  readonly thumbnail: Blob | null
  readonly hash: string | null
  /** Of the current step, from 0 to 1; null if unknown. */
  readonly progress: number | null
  /** Waiting for the connection. */
  readonly offline: boolean
  /** Error message for the person, with the wording of the specification. */
  readonly error: string | null
  /** Detail shown below the status, such as the server's reason. */
  readonly note: string | null
  /** The file with the same content. */
  readonly duplicateOf: { readonly name: string; readonly where: 'library' | 'selection' } | null
  /** Rejected by the file picker, so it was never going to be uploaded. */
  readonly rejectedByPicker: boolean
  /** The server found that it is not a photo or video, so a retry cannot succeed. */
  readonly rejectedByServer: boolean
  /** Whether the server computed the same hash; null before it is uploaded, or without a local hash. */
  readonly hashConfirmed: boolean | null
  /** What is missing of a file whose end the server did not find; null for a whole one. */
  readonly incomplete: string | null
  /** Stored on an earlier visit, so it is not sent again. */
  readonly storedBefore: boolean
}

export interface ChosenFile {
  readonly file: File
  readonly motion?: File
  readonly path?: readonly string[]
}

/** Files that are in the dialog when it opens. */
export interface IncomingFiles {
  readonly files: readonly File[]
  /** From the share menu: nothing is uploaded before a tap, because any website can share files. */
  readonly shared: boolean
  /** How many were too many or too large to be shared. */
  readonly leftOut: number
}

export function createSession(
  key: string,
  resumeUrls: ResumeUrls = new Map(),
  destination: Destination | null = null,
): UploadSession {
  return { key, resumeUrls, destination, abortController: null, prepared: null }
}

export function createItem(id: number, { file, motion, path = [] }: ChosenFile): UploadItem {
  return {
    id,
    session: createSession(randomId()),
    name: file.name,
    file,
    motion: motion ?? null,
    onlyClipIsNew: false,
    clipIsSeparate: false,
    path,
    status: 'pending',
    inspected: false,
    uploadRequested: false,
    metadata: null,
    thumbnail: null,
    hash: null,
    progress: null,
    offline: false,
    error: null,
    note: null,
    duplicateOf: null,
    rejectedByPicker: false,
    rejectedByServer: false,
    hashConfirmed: null,
    incomplete: null,
    storedBefore: false,
  }
}

export function totalSize({ file, motion }: UploadItem): number {
  return file.size + (motion?.size ?? 0)
}

const busyStatuses: readonly Status[] = ['processing', 'transcoding', 'extracting', 'hashing', 'checking', 'uploading']

export function isBusy({ status }: UploadItem): boolean {
  return busyStatuses.includes(status)
}

/** Nothing left to do, unless the person retries it. */
export function isFinished({ status }: UploadItem): boolean {
  return status === 'success' || status === 'duplicate' || status === 'error'
}

export function isRemovable({ status }: UploadItem): boolean {
  return status === 'pending' || status === 'error'
}

export function isRetryable({ status, rejectedByPicker, rejectedByServer }: UploadItem): boolean {
  return status === 'error' && !rejectedByPicker && !rejectedByServer
}

/** Reachable from every unfinished status: by cancelling or retrying, and by failing. */
const fromAnyStatus: readonly Status[] = ['pending', 'error']

const transitions: Record<Status, readonly Status[]> = {
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

export function canTransition(from: Status, to: Status): boolean {
  if (from === 'success' || from === 'duplicate') return false
  return from === to || fromAnyStatus.includes(to) || transitions[from].includes(to)
}

/**
 * Pairs the still and the clip of a Live Photo: chosen together, same name, same folder. The server verifies the pair
 * and stores two files if they do not belong together.
 */
export function pairLivePhotos(chosen: readonly ChosenFile[]): ChosenFile[] {
  const clips = new Map<ChosenFile, ChosenFile>()
  for (const folder of Map.groupBy(chosen, ({ path = [] }) => path.join('/')).values()) {
    for (const [still, clip] of clipsByStill(folder, ({ file }) => file.name)) {
      if (clip.file.size <= uploadDialog.livePhotoClipBytes) clips.set(still, clip)
    }
  }
  const withStill = new Set(clips.values())
  return chosen
    .filter(one => !withStill.has(one))
    .map(one => {
      const clip = clips.get(one)
      return clip ? { ...one, motion: clip.file } : one
    })
}

/** Active items first, finished items last. */
const statusOrder: readonly Status[] = [
  'processing',
  'transcoding',
  'extracting',
  'hashing',
  'checking',
  'uploading',
  'pending',
  'error',
  'duplicate',
  'success',
]

const statusRank = Object.fromEntries(statusOrder.map((status, rank) => [status, rank])) as Record<Status, number>

const naturalOrder = new Intl.Collator(region, { numeric: true, sensitivity: 'base' })

/** Natural order (IMG_2 before IMG_10); equal names in the order they were chosen. */
export function compareByName(a: UploadItem, b: UploadItem): number {
  return naturalOrder.compare(a.name, b.name) || a.id - b.id
}

export function sortByStatus(itemsByName: Iterable<UploadItem>): UploadItem[] {
  const groups: UploadItem[][] = statusOrder.map(() => [])
  for (const item of itemsByName) groups[statusRank[item.status]]?.push(item)
  return groups.flat()
}

/** Status changes notify at once; progress is throttled to this many milliseconds. */
const PROGRESS_THROTTLE = 100

/** Holds the items and notifies a listener of changes. */
export class ItemStore {
  readonly #items = new Map<number, UploadItem>()
  /** Ids by name in natural order, which is the order of uploading. */
  #order: number[] = []
  readonly #onChange: () => void
  #notifyTimer: ReturnType<typeof setTimeout> | undefined

  constructor(onChange: () => void) {
    this.#onChange = onChange
  }

  get(id: number): UploadItem | undefined {
    return this.#items.get(id)
  }

  all(): UploadItem[] {
    return this.#order.flatMap(id => this.#items.get(id) ?? [])
  }

  /** In display order. */
  sorted(): UploadItem[] {
    return sortByStatus(this.all())
  }

  add(items: readonly UploadItem[]): void {
    for (const item of items) this.#items.set(item.id, item)
    this.#order = [...this.#items.values()].sort(compareByName).map(item => item.id)
    this.#notify()
  }

  remove(ids: readonly number[]): void {
    for (const id of ids) this.#items.delete(id)
    this.#order = this.#order.filter(id => this.#items.has(id))
    this.#notify()
  }

  update(id: number, wanted: Partial<UploadItem>): void {
    this.updateAll([id], wanted)
  }

  /** Notifies once for all items. */
  updateAll(ids: readonly number[], wanted: Partial<UploadItem>): void {
    const changed = ids.flatMap(id => this.#apply(id, wanted))
    if (changed.length === 0) return
    if (changed.every(key => key === 'progress'))
      this.#notifyTimer ??= setTimeout(() => this.#notify(), PROGRESS_THROTTLE)
    else this.#notify()
  }

  /** Returns the keys whose values changed. */
  #apply(id: number, wanted: Partial<UploadItem>): (keyof UploadItem)[] {
    const item = this.#items.get(id)
    if (!item) return []
    const next = { ...item, ...wanted }
    if (!canTransition(item.status, next.status)) {
      throw new Error(`${item.name} cannot go from ${item.status} to ${next.status}`)
    }
    const changed = (Object.keys(wanted) as (keyof UploadItem)[]).filter(key => item[key] !== next[key])
    if (changed.length > 0) this.#items.set(id, next)
    return changed
  }

  #notify(): void {
    clearTimeout(this.#notifyTimer)
    this.#notifyTimer = undefined
    this.#onChange()
  }
}
