import { uploadDialog } from '#contract/limits.ts'
import type { PendingUploads } from './pending-uploads.ts'
import { type Destination, fingerprintOf, type PendingUpload } from './pending-uploads-db.ts'
import {
  Batch,
  delay,
  discardPartial,
  discardPrepared,
  failAll,
  type Processing,
  runStep,
  type Transport,
  type UploadContext,
} from './upload-batch.ts'
import {
  type ChosenFile,
  createItem,
  createSession,
  ItemStore,
  isFinished,
  isRemovable,
  isRetryable,
  pairLivePhotos,
  type UploadItem,
} from './upload-items.ts'
import type { Progress } from './upload-progress.ts'
import { terminateUploads } from './upload-requests.ts'

export interface QueueState {
  /** In display order. */
  readonly items: readonly UploadItem[]
  /** Null unless a batch is running. */
  readonly progress: Progress | null
  /** The folders that the running batch uploads to; null is none. */
  readonly destinations: readonly (number | null)[]
  /** Uploading is paused until the connection is back. */
  readonly offline: boolean
  readonly options: UploadOptions
  /** Uploads that an earlier visit left unfinished, until their files are chosen again or discarded. */
  readonly unfinished: readonly PendingUpload[]
  /** When the session ended that sends the files; null unless they wait for the next one. */
  readonly sessionEndedAt: number | null
  /** The server takes no more files. */
  readonly closed: boolean
}

export interface UploadOptions extends Destination {
  readonly processing: Processing
}

interface QueueListener {
  /** With all files of the list, like the receipt: also those that an earlier visit has stored. */
  onBatchEnd?: (items: readonly UploadItem[]) => void
  /** Cancelled. Some files may have been stored. */
  onBatchStopped?: () => void
  onBatchFailed?: (error: unknown) => void
}

/** The uploads of a page. It keeps running while nothing of it is shown. */
export class UploadQueue {
  readonly #transport: Transport
  readonly #pendingUploads: PendingUploads
  readonly #listener: QueueListener
  readonly #store = new ItemStore(() => this.#notify())
  readonly #context: UploadContext
  readonly #listeners = new Set<() => void>()
  #lastId = 0
  #options: UploadOptions = { folderId: null, keepStructure: true, processing: 'client' }
  #state: QueueState | null = null
  #inspecting = false
  #batch: Batch | null = null

  constructor(transport: Transport, pendingUploads: PendingUploads, listener: QueueListener = {}) {
    this.#transport = transport
    this.#pendingUploads = pendingUploads
    this.#listener = listener
    this.#context = { store: this.#store, transport, pendingUploads, sessionEndedAt: null, closed: false }
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly state = (): QueueState => {
    this.#state ??= this.#computeState()
    return this.#state
  }

  setOptions(options: Partial<UploadOptions>): void {
    this.#options = { ...this.#options, ...options }
    this.#notify()
  }

  load(): Promise<void> {
    return this.#pendingUploads.load()
  }

  /**
   * Adds chosen files. A file that an earlier visit left unfinished resumes where it stopped. With `waits` nothing of them
   * is uploaded before the person presses Upload.
   */
  add(chosen: readonly ChosenFile[], { waits = false } = {}): void {
    const isNew = this.#transport.inspect ? () => true : this.#isNotListed()
    const created = pairLivePhotos(chosen.filter(isNew)).flatMap(one => this.#createItems(one))
    const items = waits ? created.map(item => ({ ...item, uploadRequested: false })) : created
    this.#store.add(items)
    void this.#inspectAll()
    if (waits) return
    // Files added during an upload are uploaded too.
    const all = this.#batch !== null || this.#transport.sendsAtOnce
    this.#startUpload(all ? items : items.filter(item => item.uploadRequested))
  }

  /** Adds files that the picker rejected, with the reason for each. */
  addRejected(refused: readonly { file: File; reason: string }[]): void {
    const rejected: Partial<UploadItem> = { status: 'error', rejectedByPicker: true }
    this.#store.add(refused.map(({ file, reason }) => ({ ...this.#newItem({ file }), ...rejected, error: reason })))
  }

  remove(id: number): void {
    const item = this.#store.get(id)
    if (!item || !isRemovable(item)) return
    this.#removeItems([item])
    this.#restoreDuplicateOf(item)
  }

  /** Without an id, all that failed. */
  retry(id?: number): void {
    const items = this.#store.all().filter(item => isRetryable(item) && (id === undefined || item.id === id))
    this.#context.closed = false
    this.#store.updateAll(idsOf(items), { status: 'pending', error: null, note: null })
    void this.#inspectAll()
    this.#startUpload(items.filter(item => item.uploadRequested))
  }

  /** Uploads every file that is not finished. */
  upload(): void {
    this.#startUpload(this.#store.all())
  }

  /** The session that sends the files is open again. */
  resume(): void {
    this.#context.sessionEndedAt = null
    this.#notify()
    void this.#inspectAll()
  }

  /** What is left fails for this reason; null: the server takes no more files. */
  fail(reason: string | null): void {
    failAll(this.#context, reason)
    this.#notify()
  }

  /** Aborts everything. The files stay in the list, and partial uploads are deleted from the server. */
  cancel(): void {
    if (this.#batch) this.#listener.onBatchStopped?.()
    this.#stopBatch()
    const stopped = this.#store.all().filter(item => !isFinished(item))
    this.#abort(stopped)
    this.#store.updateAll(idsOf(stopped), { status: 'pending', uploadRequested: false, progress: null, offline: false })
    // The next upload uses the destination chosen then.
    for (const { session } of stopped) session.destination = null
    this.#pendingUploads.remove(keysOf(stopped))
    this.#notify()
    void this.#inspectAll()
  }

  clear(): void {
    this.#stopBatch()
    this.#removeItems(this.#store.all())
    this.#notify()
  }

  discardUnfinished(): void {
    const { unfinished } = this.#pendingUploads
    void terminateUploads(unfinished.flatMap(record => record.resumeUrls.map(([, address]) => address)))
    this.#pendingUploads.remove(unfinished.map(record => record.key))
    this.#notify()
  }

  /** Called at sign-out: aborts all work and clears the list. Pending uploads stay stored for the next sign-in. */
  dispose(): void {
    this.#stopBatch()
    const items = this.#store.all()
    for (const { session } of items) session.abortController?.abort()
    this.#store.remove(idsOf(items))
    this.#transport.dispose?.()
  }

  #removeItems(items: readonly UploadItem[]): void {
    this.#abort(items)
    this.#pendingUploads.remove(keysOf(items))
    this.#store.remove(idsOf(items))
  }

  /** Aborts the work on these items and deletes their partial uploads from the server. */
  #abort(items: readonly UploadItem[]): void {
    const sessions = items.map(item => item.session)
    for (const session of sessions) {
      session.abortController?.abort(new DOMException('Cancelled', 'AbortError'))
      discardPrepared(session)
    }
    discardPartial(sessions)
  }

  /** When a file is removed, another file with the same content is no longer a duplicate. */
  #restoreDuplicateOf({ hash }: UploadItem): void {
    const twin = this.#store.all().find(item => item.duplicateOf?.where === 'selection' && item.hash === hash)
    if (!twin) return
    this.#store.add([{ ...twin, status: 'pending', inspected: false, duplicateOf: null }])
    void this.#inspectAll()
    if (twin.uploadRequested) this.#startUpload([twin])
  }

  /** Without hashes, a file of the list that is chosen again is recognised by its name, size and date. */
  #isNotListed(): (chosen: ChosenFile) => boolean {
    const listed = new Set(this.#store.all().flatMap(({ file, motion }) => [file, motion ?? file].map(fingerprintOf)))
    return ({ file }) => !listed.has(fingerprintOf(file))
  }

  #newItem(file: ChosenFile): UploadItem {
    this.#lastId += 1
    return { ...createItem(this.#lastId, file), inspected: !this.#transport.inspect }
  }

  /** One item, or two if the photo is stored and its clip, chosen beside it, is not. */
  #createItems(one: ChosenFile): UploadItem[] {
    const known = this.#pendingUploads.claim(one.file)
    if (!known) return [this.#newItem(one)]
    const { key, resumeUrls, destination, path, hash, stored } = known
    const clip = stored && known.motion === null ? one.motion : undefined
    const session = createSession(key, new Map(resumeUrls), destination)
    const item = { ...this.#newItem(clip ? { file: one.file } : one), session, path, hash, uploadRequested: true }
    if (!stored) return [item]
    const success = { status: 'success', inspected: true, hashConfirmed: true, storedBefore: true } as const
    return [{ ...item, ...success }, ...(clip ? this.#createItems({ file: clip, path }) : [])]
  }

  #startUpload(items: readonly UploadItem[]): void {
    const unfinished = items.flatMap(({ id }) => this.#store.get(id) ?? []).filter(item => !isFinished(item))
    if (unfinished.length === 0) return
    for (const item of unfinished) this.#savePending(item)
    this.#store.updateAll(idsOf(unfinished), { uploadRequested: true })
    const running = this.#batch
    const batch = running ?? new Batch(this.#context, this.#options.processing)
    batch.add(unfinished)
    this.#batch = batch
    this.#notify()
    if (!running) void this.#run(batch)
  }

  #savePending(item: UploadItem): void {
    const { name, file, path, hash, motion: clip } = item
    const { size, lastModified } = file
    const { folderId, keepStructure } = this.#options
    const { session } = item
    session.destination ??= { folderId, keepStructure }
    const { key, destination } = session
    const handle = handleOf(file)
    const motion = clip && { name: clip.name, handle: handleOf(clip) }
    const resumeUrls = [...session.resumeUrls]
    const record = { key, name, size, lastModified, path, hash, destination, resumeUrls, stored: false, handle, motion }
    this.#pendingUploads.add(record)
  }

  async #run(batch: Batch): Promise<void> {
    try {
      const finished = await batch.run()
      if (!finished || batch !== this.#batch) return
      this.#batch = null
      // Failed uploads stay stored, so that they can be retried after a reload.
      this.#pendingUploads.finish(keysOf(this.#store.all().filter(item => isFinished(item) && !isRetryable(item))))
      this.#notify()
      this.#transport.onBatchEnd?.()
      this.#listener.onBatchEnd?.(this.#store.all())
    } catch (error) {
      if (batch !== this.#batch) return
      this.cancel()
      this.#listener.onBatchFailed?.(error)
    }
  }

  #stopBatch(): void {
    this.#batch?.stop()
    this.#batch = null
  }

  /** Inspects the files that have not been inspected yet, one at a time. */
  async #inspectAll(): Promise<void> {
    if (this.#inspecting) return
    this.#inspecting = true
    await delay(uploadDialog.settle)
    for (let item = this.#nextToInspect(); item; item = this.#nextToInspect()) await this.#inspect(item)
    this.#inspecting = false
  }

  #nextToInspect(): UploadItem | undefined {
    if (this.#context.sessionEndedAt !== null) return undefined
    return this.#store.all().find(item => item.status === 'pending' && !item.inspected)
  }

  async #inspect(item: UploadItem): Promise<void> {
    await runStep(this.#context, item, async step => {
      await this.#transport.inspect?.(item, hash => this.#findDuplicate(item, hash), step)
    })
    const hash = this.#store.get(item.id)?.hash
    if (hash) this.#pendingUploads.update(item.session.key, { hash })
  }

  /**
   * Finds a file of this selection with the same content (and with a clip, if this one has a clip) that is or will be
   * uploaded.
   */
  #findDuplicate({ id, motion }: UploadItem, hash: string): UploadItem | undefined {
    const isUploadable = (item: UploadItem) => item.status !== 'error' && item.status !== 'duplicate'
    const same = (item: UploadItem) => item.hash === hash && (motion === null || item.motion !== null)
    return this.#store.all().find(item => item.id !== id && same(item) && isUploadable(item))
  }

  #computeState(): QueueState {
    const items = this.#store.sorted()
    return {
      items,
      progress: this.#batch?.progress() ?? null,
      destinations: this.#batch?.destinations() ?? [],
      offline: items.some(item => item.offline),
      options: this.#options,
      unfinished: this.#pendingUploads.unfinished,
      sessionEndedAt: this.#context.sessionEndedAt,
      closed: this.#context.closed,
    }
  }

  #notify(): void {
    this.#state = null
    for (const listener of this.#listeners) listener()
  }
}

function idsOf(items: readonly UploadItem[]): number[] {
  return items.map(item => item.id)
}

function keysOf(items: readonly UploadItem[]): string[] {
  return items.map(item => item.session.key)
}

/** The handle reopens the file after a reload. Not every browser provides one. */
function handleOf(file: File): FileSystemFileHandle | null {
  return 'handle' in file && file.handle instanceof FileSystemFileHandle ? file.handle : null
}
