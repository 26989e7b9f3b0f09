import { uploadDialog } from '#contract/limits.ts'
import { type PreparedParts, type Processing, prepareItem } from './item-steps.ts'
import { retryUntilOnline } from './retry.ts'
import { type SendResult, sendUpload } from './send-upload.ts'
import { texts } from './texts.ts'
import { delay, type Step, type UploadContext } from './upload-context.ts'
import { isFinished, type UploadItem } from './upload-items.ts'
import { type BatchResult, type Progress, ProgressTracker, resultOf } from './upload-progress.ts'

/** Uploads files one at a time while preparing the next ones, from a press on Upload until all are finished. */
export class Batch {
  readonly #context: UploadContext
  readonly #processing: Processing
  readonly #itemIds = new Set<number>()
  readonly #prepared = new Map<number, PreparedParts>()
  readonly #tracker = new ProgressTracker()
  readonly #preparing = new Set<number>()
  /** Stays true during the pause after the last file, so that files added or retried in it are prepared. */
  #uploading = false
  #stopped = false

  constructor(context: UploadContext, processing: Processing) {
    this.#context = context
    this.#processing = processing
  }

  add(items: readonly UploadItem[]): void {
    for (const { id } of items) this.#itemIds.add(id)
  }

  /** Resolves when every file is finished; to undefined if the batch was stopped. */
  async run(): Promise<BatchResult | undefined> {
    while (this.#hasWork()) {
      this.#uploading = true
      await Promise.all([this.#prepareAhead(), this.#prepareAhead(), this.#uploadAll()])
    }
    return this.#stopped ? undefined : resultOf(this.#items())
  }

  stop(): void {
    this.#stopped = true
    this.#uploading = false
    for (const id of this.#prepared.keys()) this.#discard(id)
  }

  progress(): Progress {
    return this.#tracker.update(this.#items(), Date.now())
  }

  destinations(): (number | null)[] {
    const folderIds = this.#items().map(item => this.#context.sessionOf(item).destination?.folderId ?? null)
    return [...new Set(folderIds)]
  }

  #items(): UploadItem[] {
    return this.#context.store.all().filter(item => this.#itemIds.has(item.id))
  }

  #hasWork(): boolean {
    return !this.#stopped && this.#items().some(item => !isFinished(item))
  }

  #nextItem(fits: (item: UploadItem) => boolean): UploadItem | undefined {
    return this.#items().find(item => item.status === 'pending' && item.inspected && fits(item))
  }

  /** Two of these loops run at once. The number of prepared files is limited because they are held in memory. */
  async #prepareAhead(): Promise<void> {
    while (this.#uploading) {
      this.#discardRemoved()
      const room = this.#prepared.size + this.#preparing.size < uploadDialog.preparedAtOnce
      const next = room
        ? this.#nextItem(item => !this.#prepared.has(item.id) && !this.#preparing.has(item.id))
        : undefined
      if (next) await this.#prepare(next)
      else await delay(uploadDialog.slotRetry)
    }
  }

  async #uploadAll(): Promise<void> {
    while (this.#hasWork()) {
      const next = this.#nextItem(item => this.#prepared.has(item.id))
      if (next) {
        await this.#upload(next)
        await delay(uploadDialog.pauseBetweenFiles)
      } else await delay(uploadDialog.slotRetry)
    }
    this.#uploading = false
  }

  async #prepare(item: UploadItem): Promise<void> {
    const { preparer } = this.#context.services
    this.#preparing.add(item.id)
    await this.#context.runStep(item, async step => {
      const made = await prepareItem(item, this.#processing, preparer, step)
      if (step.signal.aborted) return made?.discard()
      if (!made) return
      this.#context.restartPart(item, 'converted')
      this.#prepared.set(item.id, made)
      step.report({ status: 'pending', progress: null })
    })
    this.#preparing.delete(item.id)
  }

  async #upload(item: UploadItem): Promise<void> {
    await this.#context.runStep(item, async step => {
      step.report({ status: 'uploading', progress: 0 })
      const sent = await this.#send(item, step)
      const { resumeUrls, key } = this.#context.sessionOf(item)
      resumeUrls.clear()
      this.#context.services.pendingUploads.update(key, { stored: true, resumeUrls: [] })
      step.report({ ...outcomeOf(item, sent), progress: null, offline: false })
    })
    this.#discard(item.id)
  }

  async #send(item: UploadItem, { signal, report }: Step): Promise<SendResult> {
    const { key, resumeUrls, destination } = this.#context.sessionOf(item)
    const { pendingUploads, host, resolveFolder } = this.#context.services
    if (!destination) throw new Error(`Nobody noted where ${item.name} goes`)
    const { name, file: original, motion, hash, metadata, path } = item
    const { images, converted } = this.#prepared.get(item.id) ?? {}
    const onOffline = (offline: boolean) => report({ offline })
    const folderId = await retryUntilOnline(() => resolveFolder(destination, path), { signal, onOffline })
    const payload = { name, original, motion, hash, metadata, folderId, images, converted }
    return sendUpload(payload, {
      host,
      signal,
      resumeUrls,
      onResumeUrlsChanged: () => pendingUploads.update(key, { resumeUrls: [...resumeUrls] }),
      onProgress: progress => report({ progress }),
      onOffline,
    })
  }

  /** Files removed from the list must not occupy the limited slots. */
  #discardRemoved(): void {
    for (const id of this.#prepared.keys()) if (!this.#context.store.get(id)) this.#discard(id)
  }

  #discard(id: number): void {
    void this.#prepared.get(id)?.discard()
    this.#prepared.delete(id)
  }
}

function outcomeOf({ hash, motion }: UploadItem, sent: SendResult): Partial<UploadItem> {
  if (sent.outcome === 'duplicate') return { status: 'duplicate', duplicateOf: { name: sent.name, where: 'library' } }
  const { clipIsSeparate } = sent
  const noted = clipIsSeparate && motion ? { clipIsSeparate, note: texts.clipIsSeparate(motion.name) } : {}
  return { status: 'success', hashConfirmed: hash === null ? null : sent.hash === hash, ...noted }
}
