import { uploadDialog } from '#contract/limits.ts'
import { Batch } from './batch.ts'
import type { Processing } from './item-steps.ts'
import { inspectItem } from './item-steps.ts'
import type { Destination, PendingUpload } from './pending-uploads-db.ts'
import { delay, UploadContext, type UploadServices } from './upload-context.ts'
import {
  type ChosenFile,
  createItem,
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
}

export interface UploadOptions extends Destination {
  readonly processing: Processing
}

/** The uploads of this page. It keeps running while the dialog is closed. */
export class UploadQueue {
  readonly #services: UploadServices
  readonly #store = new ItemStore(() => this.#notify())
  readonly #context: UploadContext
  readonly #listeners = new Set<() => void>()
  #lastId = 0
  #options: UploadOptions = { folderId: null, keepStructure: true, processing: 'client' }
  #state: QueueState | null = null
  #inspecting = false
  #batch: Batch | null = null

  constructor(services: UploadServices) {
    this.#services = services
    this.#context = new UploadContext(this.#store, services)
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

  /** Adds chosen files. A file that an earlier visit left unfinished resumes where it stopped. */
  add(chosen: readonly ChosenFile[]): void {
    const items = pairLivePhotos(chosen).map(one => this.#createItem(one))
    this.#store.add(items)
    void this.#inspectAll()
    // Files added during an upload are uploaded too.
    const wanted = this.#batch ? items : items.filter(item => item.uploadRequested)
    if (wanted.length > 0) this.#startUpload(wanted)
  }

  /** Adds files that the picker rejected, with the reason for each. */
  addRejected(refused: readonly { file: File; reason: string }[]): void {
    const rejected: Partial<UploadItem> = { status: 'error', rejectedByPicker: true }
    this.#store.add(refused.map(({ file, reason }) => ({ ...this.#newItem({ file }), ...rejected, error: reason })))
  }

  remove(id: number): void {
    const item = this.#store.get(id)
    if (!item || !isRemovable(item)) return
    this.#context.remove([item])
    this.#restoreDuplicateOf(item)
  }

  retry(id: number): void {
    this.#retryItems(this.#store.all().filter(item => item.id === id && isRetryable(item)))
  }

  retryAll(): void {
    this.#retryItems(this.#store.all().filter(isRetryable))
  }

  /** Uploads every file that is not finished. */
  upload(): void {
    this.#startUpload(this.#store.all())
  }

  /** Aborts everything. The files stay in the list, and partial uploads are deleted from the server. */
  cancel(): void {
    if (this.#batch) this.#services.onBatchStopped()
    this.#stopBatch()
    const stopped = this.#store.all().filter(item => !isFinished(item))
    this.#context.abort(stopped)
    this.#store.updateAll(idsOf(stopped), { status: 'pending', uploadRequested: false, progress: null, offline: false })
    // The next upload uses the destination chosen then.
    for (const item of stopped) this.#context.sessionOf(item).destination = null
    this.#removePending(stopped)
    this.#notify()
    void this.#inspectAll()
  }

  clear(): void {
    this.#stopBatch()
    this.#context.remove(this.#store.all())
    this.#notify()
  }

  discardUnfinished(): void {
    const { pendingUploads } = this.#services
    void terminateUploads(pendingUploads.unfinished.flatMap(record => record.resumeUrls.map(([, address]) => address)))
    pendingUploads.remove(pendingUploads.unfinished.map(record => record.key))
    this.#notify()
  }

  /** Called at sign-out: aborts all work and clears the list. Pending uploads stay stored for the next sign-in. */
  dispose(): void {
    this.#stopBatch()
    const items = this.#store.all()
    for (const item of items) this.#context.sessionOf(item).abortController?.abort()
    this.#store.remove(idsOf(items))
    this.#services.preparer.dispose()
  }

  /** When a file is removed, another file with the same content is no longer a duplicate. */
  #restoreDuplicateOf({ hash }: UploadItem): void {
    const twin = this.#store.all().find(item => item.duplicateOf?.where === 'selection' && item.hash === hash)
    if (!twin) return
    this.#store.add([{ ...twin, status: 'pending', inspected: false, duplicateOf: null }])
    void this.#inspectAll()
    if (twin.uploadRequested) this.#startUpload([twin])
  }

  #newItem(file: ChosenFile): UploadItem {
    this.#lastId += 1
    return createItem(this.#lastId, file)
  }

  #createItem(one: ChosenFile): UploadItem {
    const item = this.#newItem(one)
    const known = this.#services.pendingUploads.claim(one.file)
    if (!known) return item
    const { key, resumeUrls, destination, path, hash } = known
    this.#context.restoreSession(item, { key, resumeUrls: new Map(resumeUrls), destination, abortController: null })
    const remembered: UploadItem = { ...item, path, hash, uploadRequested: true }
    return known.stored ? { ...remembered, status: 'success', inspected: true, hashConfirmed: true } : remembered
  }

  #retryItems(items: readonly UploadItem[]): void {
    this.#store.updateAll(idsOf(items), { status: 'pending', error: null, note: null })
    void this.#inspectAll()
    const wanted = items.filter(item => item.uploadRequested)
    if (wanted.length > 0) this.#startUpload(wanted)
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
    const session = this.#context.sessionOf(item)
    session.destination ??= { folderId, keepStructure }
    const { key, destination } = session
    const handle = handleOf(file)
    const motion = clip && { name: clip.name, handle: handleOf(clip) }
    const resumeUrls = [...session.resumeUrls]
    const record = { key, name, size, lastModified, path, hash, destination, resumeUrls, stored: false, handle, motion }
    this.#services.pendingUploads.add(record)
  }

  async #run(batch: Batch): Promise<void> {
    try {
      const result = await batch.run()
      if (result === undefined || batch !== this.#batch) return
      this.#batch = null
      this.#removeFinished()
      this.#notify()
      this.#services.onBatchEnd(result, this.#store.all())
    } catch (error) {
      if (batch !== this.#batch) return
      this.cancel()
      this.#services.onBatchFailed(error)
    }
  }

  #stopBatch(): void {
    this.#batch?.stop()
    this.#batch = null
  }

  /** Failed uploads stay stored, so that they can be retried after a reload. */
  #removeFinished(): void {
    const done = this.#store
      .all()
      .filter(item => isFinished(item) && (item.status !== 'error' || item.rejectedByServer))
    this.#removePending(done)
    this.#services.pendingUploads.removeIfAllStored()
  }

  #removePending(items: readonly UploadItem[]): void {
    this.#services.pendingUploads.remove(items.map(item => this.#context.sessionOf(item).key))
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
    return this.#store.all().find(item => item.status === 'pending' && !item.inspected)
  }

  async #inspect(item: UploadItem): Promise<void> {
    const { preparer, pendingUploads } = this.#services
    await this.#context.runStep(item, step =>
      inspectItem(item, preparer, hash => this.#findDuplicate(item, hash), step),
    )
    const hash = this.#store.get(item.id)?.hash
    if (hash) pendingUploads.update(this.#context.sessionOf(item).key, { hash })
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
      unfinished: this.#services.pendingUploads.unfinished,
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

/** The handle reopens the file after a reload. Not every browser provides one. */
function handleOf(file: File): FileSystemFileHandle | null {
  return 'handle' in file && file.handle instanceof FileSystemFileHandle ? file.handle : null
}
