import { ApiError } from '../../kit/api.ts'
import type { UploadMemory } from '../memory/memory.ts'
import { newKey } from '../memory/new-key.ts'
import type { Destination } from '../memory/record.ts'
import type { Preparer } from '../prepare/prepare.ts'
import { texts } from '../texts.ts'
import type { PartRole } from '../transport/parcel.ts'
import type { Addresses } from '../transport/send.ts'
import { takeBack } from '../transport/send-resumably.ts'
import type { BatchResult } from './counts.ts'
import type { UploadItem } from './item.ts'
import type { ItemStore } from './store.ts'

export interface Services {
  preparer: Preparer
  memory: UploadMemory
  /** Where uploads go: an origin, or nothing for the page's own. */
  host: string
  /** The folder for a file that was dropped in folders; found, or made. */
  folderFor: (destination: Destination, path: readonly string[]) => Promise<number | null>
  onBatchEnd: (result: BatchResult) => void
  /** Cancelled; some of it may have arrived. */
  onBatchStopped: () => void
  onBatchBroken: (error: unknown) => void
  onConversionFailed: (name: string, reason: string) => void
}

/** What belongs to an item and nobody looks at. */
export interface Baggage {
  /** Under which it is remembered. */
  readonly key: string
  readonly addresses: Addresses
  /** Set by the press on Upload, or by an earlier visit. */
  destination: Destination | null
  work: AbortController | null
}

/** One thing that is being done to an item. Once it is stopped, nothing it reports counts. */
export interface Step {
  signal: AbortSignal
  report: (change: Partial<UploadItem>) => void
}

/** An error in the words of the specification, with what else there is to say. */
export class RowError extends Error {
  readonly note: string | null

  constructor(message: string, note: string | null = null, options?: ErrorOptions) {
    super(message, options)
    this.note = note
  }
}

/** Said in a toast too. */
export class ConversionFailed extends RowError {
  readonly reason: string

  constructor(reason: string, options?: ErrorOptions) {
    super(texts.errors.transcode(reason), null, options)
    this.reason = reason
  }
}

/** What examining and sending share: the items, what belongs to them, and how one thing is done to one of them. */
export class Desk {
  readonly store: ItemStore
  readonly services: Services
  readonly #baggage = new Map<number, Baggage>()

  constructor(store: ItemStore, services: Services) {
    this.store = store
    this.services = services
  }

  baggageOf({ id }: Pick<UploadItem, 'id'>): Baggage {
    const known = this.#baggage.get(id)
    if (known) return known
    const baggage = { key: newKey(), addresses: new Map(), destination: null, work: null }
    this.#baggage.set(id, baggage)
    return baggage
  }

  bring({ id }: UploadItem, baggage: Baggage): void {
    this.#baggage.set(id, baggage)
  }

  drop(items: readonly UploadItem[]): void {
    this.stop(items)
    this.services.memory.forget(items.map(item => this.baggageOf(item).key))
    for (const { id } of items) this.#baggage.delete(id)
    this.store.remove(items.map(item => item.id))
  }

  /** Ends what is being done to them, and takes back from the server what was half sent. */
  stop(items: readonly UploadItem[]): void {
    const baggage = items.map(item => this.baggageOf(item))
    for (const { work } of baggage) work?.abort(new DOMException(texts.cancelled, 'AbortError'))
    void takeBack(baggage.flatMap(({ addresses }) => [...addresses.values()]))
    for (const { addresses } of baggage) addresses.clear()
  }

  /** What was made anew has other bytes than what was begun to be sent of it, so that is not gone on with. */
  sendAnew(item: UploadItem, role: PartRole): void {
    const { key, addresses } = this.baggageOf(item)
    const begun = addresses.get(role)
    if (begun === undefined) return
    addresses.delete(role)
    this.services.memory.change(key, { addresses: [...addresses] })
    void takeBack([begun])
  }

  /** Does one thing to an item; whatever goes wrong with it is written on its row. */
  async step(item: UploadItem, act: (step: Step) => Promise<void>): Promise<void> {
    const baggage = this.baggageOf(item)
    const work = new AbortController()
    const { signal } = work
    baggage.work = work
    const report = (change: Partial<UploadItem>) => {
      if (!signal.aborted) this.store.change(item.id, change)
    }
    try {
      await act({ signal, report })
    } catch (error) {
      if (signal.aborted) return
      if (isMismatch(error)) this.#readAnew(item, report)
      if (error instanceof ConversionFailed) this.services.onConversionFailed(item.name, error.reason)
      const uploading = this.store.get(item.id)?.status === 'uploading'
      const refused = isRefusal(error)
      report({ status: 'error', progress: null, waiting: false, refused, ...wordsFor(error, uploading) })
    } finally {
      if (baggage.work === work) baggage.work = null
    }
  }

  /** What arrived is not what was read, so neither can be gone on from. */
  #readAnew(item: UploadItem, report: Step['report']): void {
    const { addresses } = this.baggageOf(item)
    void takeBack([...addresses.values()])
    addresses.clear()
    report({ hash: null, examined: false })
  }
}

function isMismatch(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'hash_mismatch'
}

/** The bytes will not become a photo, so this error is permanent. */
function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'not_a_photo_or_video'
}

function wordsFor(error: unknown, uploading: boolean): Pick<UploadItem, 'error' | 'note'> {
  if (error instanceof RowError) return { error: error.message, note: error.note }
  const note = error instanceof Error ? error.message : null
  return { error: uploading ? texts.errors.upload : texts.errors.process, note }
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, milliseconds))
}
