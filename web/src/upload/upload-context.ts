import { ApiError } from '../kit/api.ts'
import type { PendingUploads } from './pending-uploads.ts'
import { randomId } from './pending-uploads.ts'
import type { Destination } from './pending-uploads-db.ts'
import type { Preparer } from './prepare/prepare.ts'
import type { PartRole, ResumeUrls } from './send-upload.ts'
import { texts } from './texts.ts'
import type { ItemStore, UploadItem } from './upload-items.ts'
import type { BatchResult } from './upload-progress.ts'
import { terminateUploads } from './upload-requests.ts'

export interface UploadServices {
  preparer: Preparer
  pendingUploads: PendingUploads
  /** Origin that uploads are sent to; empty for the page's own. */
  host: string
  /** Finds or creates the folder for a file that was dropped inside folders. */
  resolveFolder: (destination: Destination, path: readonly string[]) => Promise<number | null>
  /** With all files of the list, also those that are not part of the batch. */
  onBatchEnd: (result: BatchResult, items: readonly UploadItem[]) => void
  /** Cancelled. Some files may have been stored. */
  onBatchStopped: () => void
  onBatchFailed: (error: unknown) => void
  onConversionFailed: (name: string, reason: string) => void
}

/** State of one upload that is not displayed. */
export interface UploadSession {
  /** Key of its record in PendingUploads. */
  readonly key: string
  readonly resumeUrls: ResumeUrls
  /** Set when the person presses Upload, or restored from an earlier visit. */
  destination: Destination | null
  abortController: AbortController | null
}

/** One step of work on an item. Reports after an abort are ignored. */
export interface Step {
  signal: AbortSignal
  report: (change: Partial<UploadItem>) => void
}

/** An error whose message is shown on the item's row, with an optional detail. */
export class ItemError extends Error {
  readonly note: string | null

  constructor(message: string, note: string | null = null, options?: ErrorOptions) {
    super(message, options)
    this.note = note
  }
}

/** Also shown in a toast. */
export class ConversionError extends ItemError {
  readonly reason: string

  constructor(reason: string, options?: ErrorOptions) {
    super(texts.errors.transcode(reason), null, options)
    this.reason = reason
  }
}

/** Shared by inspecting, preparing and sending: the items, their sessions, and how a step on an item runs. */
export class UploadContext {
  readonly store: ItemStore
  readonly services: UploadServices
  readonly #sessions = new Map<number, UploadSession>()

  constructor(store: ItemStore, services: UploadServices) {
    this.store = store
    this.services = services
  }

  sessionOf({ id }: Pick<UploadItem, 'id'>): UploadSession {
    const known = this.#sessions.get(id)
    if (known) return known
    const session = { key: randomId(), resumeUrls: new Map(), destination: null, abortController: null }
    this.#sessions.set(id, session)
    return session
  }

  restoreSession({ id }: UploadItem, session: UploadSession): void {
    this.#sessions.set(id, session)
  }

  remove(items: readonly UploadItem[]): void {
    this.abort(items)
    this.services.pendingUploads.remove(items.map(item => this.sessionOf(item).key))
    for (const { id } of items) this.#sessions.delete(id)
    this.store.remove(items.map(item => item.id))
  }

  /** Aborts the work on these items and deletes their partial uploads from the server. */
  abort(items: readonly UploadItem[]): void {
    const session = items.map(item => this.sessionOf(item))
    for (const { abortController } of session) abortController?.abort(new DOMException(texts.cancelled, 'AbortError'))
    void terminateUploads(session.flatMap(({ resumeUrls }) => [...resumeUrls.values()]))
    for (const { resumeUrls } of session) resumeUrls.clear()
  }

  /** A part that was prepared again has different bytes, so its partial upload cannot be resumed. */
  restartPart(item: UploadItem, role: PartRole): void {
    const { key, resumeUrls } = this.sessionOf(item)
    const startedUrl = resumeUrls.get(role)
    if (startedUrl === undefined) return
    resumeUrls.delete(role)
    this.services.pendingUploads.update(key, { resumeUrls: [...resumeUrls] })
    void terminateUploads([startedUrl])
  }

  /** Runs one step on an item. Errors are shown on its row. */
  async runStep(item: UploadItem, act: (step: Step) => Promise<void>): Promise<void> {
    const session = this.sessionOf(item)
    const abortController = new AbortController()
    const { signal } = abortController
    session.abortController = abortController
    const report = (change: Partial<UploadItem>) => {
      if (!signal.aborted) this.store.update(item.id, change)
    }
    try {
      await act({ signal, report })
    } catch (error) {
      if (signal.aborted) return
      if (isHashMismatch(error)) this.#resetItem(item, report)
      if (error instanceof ConversionError) this.services.onConversionFailed(item.name, error.reason)
      const uploading = this.store.get(item.id)?.status === 'uploading'
      const rejectedByServer = isPermanent(error)
      report({ status: 'error', progress: null, offline: false, rejectedByServer, ...messageFor(error, uploading) })
    } finally {
      if (session.abortController === abortController) session.abortController = null
    }
  }

  /** The uploaded bytes do not match the hash, so the file is read and uploaded again from the start. */
  #resetItem(item: UploadItem, report: Step['report']): void {
    const { resumeUrls } = this.sessionOf(item)
    void terminateUploads([...resumeUrls.values()])
    resumeUrls.clear()
    report({ hash: null, inspected: false })
  }
}

function isHashMismatch(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'hash_mismatch'
}

function isPermanent(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'not_a_photo_or_video'
}

function messageFor(error: unknown, uploading: boolean): Pick<UploadItem, 'error' | 'note'> {
  if (error instanceof ItemError) return { error: error.message, note: error.note }
  const note = error instanceof Error ? error.message : null
  return { error: uploading ? texts.errors.upload : texts.errors.process, note }
}

export function delay(milliseconds: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, milliseconds))
}
