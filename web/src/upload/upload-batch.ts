import { uploadDialog } from '#contract/limits.ts'
import { ApiError } from '../kit/api.ts'
import type { PendingUploads } from './pending-uploads.ts'
import type { Destination } from './pending-uploads-db.ts'
import type { PreparedParts } from './prepare/prepare.ts'
import type { SendOptions } from './send-upload.ts'
import { texts } from './texts.ts'
import { type ItemStore, isFinished, isRetryable, type UploadItem, type UploadSession } from './upload-items.ts'
import { type Progress, ProgressTracker } from './upload-progress.ts'
import { terminateUploads } from './upload-requests.ts'

/** Where photos and videos are made ready to be shown: on this device or on the server. */
export type Processing = 'client' | 'server'

/** How files reach the server: those of a member, or those that a guest sends by a link. */
export interface Transport {
  /** Whether files are sent as soon as they are chosen. */
  readonly sendsAtOnce: boolean
  /** In milliseconds. */
  readonly pauseBetweenFiles: number
  /** Reads a chosen file and looks for duplicates. Without it, files are ready as they are. */
  inspect?(item: UploadItem, sameInSelection: FindByHash, step: Step): Promise<void>
  /** The expensive work before sending. Undefined if the library has the file by then. */
  prepare?(item: UploadItem, processing: Processing, step: Step): Promise<PreparedParts | undefined>
  /** Sends a file and returns what its row shows then. */
  send(item: UploadItem, prepared: PreparedParts, step: Step): Promise<Partial<UploadItem>>
  /** Nothing can be sent until the person has signed in, or opened the link, again. */
  isSessionEnd(error: unknown): boolean
  onBatchEnd?(): void
  dispose?(): void
}

export type FindByHash = (hash: string) => UploadItem | undefined

/** One step of work on an item. Reports after an abort are ignored. */
export interface Step extends Omit<SendOptions, 'host' | 'path'> {
  readonly destination: Destination | null
  readonly report: (change: Partial<UploadItem>) => void
  /** Resolves when a reload would find the upload again. */
  readonly saved: () => Promise<void>
}

/** An error whose message is shown on the item's row, with an optional detail. */
export class ItemError extends Error {
  readonly note: string | null

  constructor(message: string, note: string | null = null, options?: ErrorOptions) {
    super(message, options)
    this.note = note
  }
}

/** The server takes no file of this queue any more. */
export class UploadsClosedError extends Error {}

/** Shared by inspecting, preparing and sending. */
export interface UploadContext {
  readonly store: ItemStore
  readonly transport: Transport
  readonly pendingUploads: PendingUploads
  /** When the session ended. No step begins until it is null again. */
  sessionEndedAt: number | null
  closed: boolean
}

/** Runs one step on an item. Errors are shown on its row; an ended session only interrupts it. */
export async function runStep(
  context: UploadContext,
  { id, session }: UploadItem,
  act: (step: Step) => Promise<void>,
): Promise<void> {
  const { store, transport, pendingUploads } = context
  const { key, resumeUrls, destination } = session
  const abortController = new AbortController()
  const { signal } = abortController
  session.abortController = abortController
  const report = (change: Partial<UploadItem>) => {
    if (!signal.aborted) store.update(id, change)
  }
  try {
    await act({
      signal,
      resumeUrls,
      destination,
      report,
      saved: () => pendingUploads.saved(),
      onResumeUrlsChanged: () => pendingUploads.update(key, { resumeUrls: [...resumeUrls] }),
      onProgress: progress => report({ progress }),
      onOffline: offline => report({ offline }),
    })
  } catch (error) {
    if (signal.aborted) return
    if (transport.isSessionEnd(error)) {
      context.sessionEndedAt ??= Date.now()
      report({ status: 'pending', progress: null, offline: false })
    } else if (error instanceof UploadsClosedError) failAll(context, null)
    else {
      // The uploaded bytes do not match the hash, so the file is read and uploaded again from the start.
      if (hasCode(error, 'hash_mismatch')) {
        discardPartial([session])
        report({ hash: null, inspected: false })
      }
      const uploading = store.get(id)?.status === 'uploading'
      const rejectedByServer = hasCode(error, 'not_a_photo_or_video')
      report({ status: 'error', progress: null, offline: false, rejectedByServer, ...messageFor(error, uploading) })
    }
  } finally {
    if (session.abortController === abortController) session.abortController = null
  }
}

/** Every file that is not stored fails, and can be retried. Null: the server takes no more, which the page says once. */
export function failAll(context: UploadContext, reason: string | null): void {
  context.sessionEndedAt = null
  context.closed = reason === null
  const left = context.store.all().filter(item => !isFinished(item) || isRetryable(item))
  for (const { session } of left) session.abortController?.abort()
  const ids = left.map(item => item.id)
  const error = reason ?? texts.errors.upload
  context.store.updateAll(ids, { status: 'error', error, note: null, progress: null, offline: false })
}

/** Deletes partial uploads from the server. */
export function discardPartial(sessions: readonly UploadSession[]): void {
  void terminateUploads(sessions.flatMap(({ resumeUrls }) => [...resumeUrls.values()]))
  for (const { resumeUrls } of sessions) resumeUrls.clear()
}

export function discardPrepared(session: UploadSession): void {
  void session.prepared?.discard?.()
  session.prepared = null
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof ApiError && error.code === code
}

function messageFor(error: unknown, uploading: boolean): Pick<UploadItem, 'error' | 'note'> {
  if (error instanceof ItemError) return { error: error.message, note: error.note }
  const note = error instanceof Error ? error.message : null
  return { error: uploading ? texts.errors.upload : texts.errors.process, note }
}

export function delay(milliseconds: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, milliseconds))
}

/** Uploads files one at a time while preparing the next ones, from a press on Upload until all are finished. */
export class Batch {
  readonly #context: UploadContext
  readonly #processing: Processing
  readonly #itemIds = new Set<number>()
  readonly #tracker = new ProgressTracker()
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

  /** Resolves when every file is finished, to true, or when the batch was stopped, to false. */
  async run(): Promise<boolean> {
    while (this.#hasWork()) {
      this.#uploading = true
      await Promise.all([this.#prepareAhead(), this.#prepareAhead(), this.#uploadAll()])
    }
    return !this.#stopped
  }

  stop(): void {
    this.#stopped = true
    this.#uploading = false
    for (const { session } of this.#items()) discardPrepared(session)
  }

  progress(): Progress {
    return this.#tracker.update(this.#items(), Date.now())
  }

  destinations(): (number | null)[] {
    return [...new Set(this.#items().map(({ session }) => session.destination?.folderId ?? null))]
  }

  #items(): UploadItem[] {
    return this.#context.store.all().filter(item => this.#itemIds.has(item.id))
  }

  #hasWork(): boolean {
    return !this.#stopped && this.#items().some(item => !isFinished(item))
  }

  #ready(): UploadItem[] {
    if (this.#context.sessionEndedAt !== null) return []
    return this.#items().filter(item => item.status === 'pending' && item.inspected)
  }

  /** Two of these loops run at once. The number of prepared files is limited because they are held in memory. */
  async #prepareAhead(): Promise<void> {
    if (!this.#context.transport.prepare) return
    const isHeld = ({ inspected, session }: UploadItem) =>
      inspected && (session.prepared !== null || session.abortController !== null)
    while (this.#uploading) {
      const room = this.#items().filter(isHeld).length < uploadDialog.preparedAtOnce
      const next = room ? this.#ready().find(item => !isHeld(item)) : undefined
      if (next) await this.#prepare(next)
      else await delay(uploadDialog.slotRetry)
    }
  }

  async #uploadAll(): Promise<void> {
    const { transport } = this.#context
    while (this.#hasWork()) {
      const next = this.#ready().find(({ session }) => !transport.prepare || session.prepared !== null)
      if (next) await this.#upload(next)
      await delay(next ? transport.pauseBetweenFiles : uploadDialog.slotRetry)
    }
    this.#uploading = false
  }

  async #prepare(item: UploadItem): Promise<void> {
    const { transport } = this.#context
    const { session } = item
    await runStep(this.#context, item, async step => {
      const made = await transport.prepare?.(item, this.#processing, step)
      if (step.signal.aborted) return made?.discard?.()
      if (!made) return
      // Prepared again it has different bytes, so its partial upload cannot be resumed.
      const startedUrl = session.resumeUrls.get('converted')
      if (startedUrl !== undefined) {
        session.resumeUrls.delete('converted')
        step.onResumeUrlsChanged()
        void terminateUploads([startedUrl])
      }
      session.prepared = made
      step.report({ status: 'pending', progress: null })
    })
  }

  async #upload(item: UploadItem): Promise<void> {
    const { transport, pendingUploads, store } = this.#context
    const { session } = item
    await runStep(this.#context, item, async step => {
      step.report({ status: 'uploading', progress: 0 })
      const outcome = await transport.send(item, session.prepared ?? {}, step)
      session.resumeUrls.clear()
      pendingUploads.update(session.key, { stored: true, resumeUrls: [] })
      step.report({ ...outcome, progress: null, offline: false })
    })
    // After an ended session it is sent with what was prepared.
    if (store.get(item.id)?.status !== 'pending') discardPrepared(session)
  }
}
