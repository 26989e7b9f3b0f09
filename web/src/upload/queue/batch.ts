import { uploadDialog } from '#contract/limits.ts'
import { texts } from '../texts.ts'
import { persistently } from '../transport/connection.ts'
import { type Sent, send } from '../transport/send.ts'
import { type BatchResult, resultOf } from './counts.ts'
import { type Desk, pause, type Step } from './desk.ts'
import { isFinished, type UploadItem } from './item.ts'
import { type Made, makeReady, type Processing } from './make-ready.ts'
import { type Progress, ProgressTracker } from './progress.ts'

/** From a press on Upload until nothing is left to do: strictly one file at a time, the next ones prepared meanwhile. */
export class Batch {
  readonly #desk: Desk
  readonly #processing: Processing
  readonly #members = new Set<number>()
  readonly #ready = new Map<number, Made>()
  readonly #tracker = new ProgressTracker()
  readonly #preparing = new Set<number>()
  /** Until the pause after the last file is over: what is added or tried again in it goes up too, and has to be prepared. */
  #uploading = false
  #stopped = false

  constructor(desk: Desk, processing: Processing) {
    this.#desk = desk
    this.#processing = processing
  }

  join(items: readonly UploadItem[]): void {
    for (const { id } of items) this.#members.add(id)
  }

  /** Resolves when every file has come to its end; undefined where it was stopped before. */
  async run(): Promise<BatchResult | undefined> {
    while (this.#goesOn()) {
      this.#uploading = true
      await Promise.all([this.#prepareAhead(), this.#prepareAhead(), this.#uploadAll()])
    }
    return this.#stopped ? undefined : resultOf(this.#items())
  }

  stop(): void {
    this.#stopped = true
    this.#uploading = false
    for (const id of this.#ready.keys()) this.#discard(id)
  }

  progress(): Progress {
    return this.#tracker.follow(this.#items(), Date.now())
  }

  #items(): UploadItem[] {
    return this.#desk.store.all().filter(item => this.#members.has(item.id))
  }

  #goesOn(): boolean {
    return !this.#stopped && this.#items().some(item => !isFinished(item))
  }

  #next(fits: (item: UploadItem) => boolean): UploadItem | undefined {
    return this.#items().find(item => item.status === 'pending' && item.examined && fits(item))
  }

  /** Two of these run beside each other, as many pictures as are made at once. Only so many wait, since they fill memory. */
  async #prepareAhead(): Promise<void> {
    while (this.#uploading) {
      this.#discardRemoved()
      const room = this.#ready.size + this.#preparing.size < uploadDialog.preparedAtOnce
      const next = room ? this.#next(item => !this.#ready.has(item.id) && !this.#preparing.has(item.id)) : undefined
      if (next) await this.#prepare(next)
      else await pause(uploadDialog.slotRetry)
    }
  }

  async #uploadAll(): Promise<void> {
    while (this.#goesOn()) {
      const next = this.#next(item => this.#ready.has(item.id))
      if (next) {
        await this.#upload(next)
        await pause(uploadDialog.pauseBetweenFiles)
      } else await pause(uploadDialog.slotRetry)
    }
    this.#uploading = false
  }

  async #prepare(item: UploadItem): Promise<void> {
    const { preparer } = this.#desk.services
    this.#preparing.add(item.id)
    await this.#desk.step(item, async step => {
      const made = await makeReady(item, this.#processing, preparer, step)
      if (step.signal.aborted) return made?.discard()
      if (!made) return
      this.#desk.sendAnew(item, 'converted')
      this.#ready.set(item.id, made)
      step.report({ status: 'pending', progress: null })
    })
    this.#preparing.delete(item.id)
  }

  async #upload(item: UploadItem): Promise<void> {
    await this.#desk.step(item, async step => {
      step.report({ status: 'uploading', progress: 0 })
      const sent = await this.#deliver(item, step)
      const { addresses, key } = this.#desk.baggageOf(item)
      addresses.clear()
      this.#desk.services.memory.change(key, { safe: true, addresses: [] })
      step.report({ ...becameOf(item, sent), progress: null, waiting: false })
    })
    this.#discard(item.id)
  }

  async #deliver(item: UploadItem, { signal, report }: Step): Promise<Sent> {
    const { key, addresses, destination } = this.#desk.baggageOf(item)
    const { memory, host, folderFor } = this.#desk.services
    if (!destination) throw new Error(`Nobody said where ${item.name} goes`)
    const { name, file: original, motion, hash, metadata, path } = item
    const { pictures, converted } = this.#ready.get(item.id) ?? {}
    const onWaiting = (waiting: boolean) => report({ waiting })
    const folderId = await persistently(() => folderFor(destination, path), { signal, onWaiting })
    const parcel = { name, original, motion, hash, metadata, folderId, pictures, converted }
    return send(parcel, {
      host,
      signal,
      addresses,
      onAddressesChanged: () => memory.change(key, { addresses: [...addresses] }),
      onProgress: progress => report({ progress }),
      onWaiting,
    })
  }

  /** What a person took off the list must not keep others from their turn. */
  #discardRemoved(): void {
    for (const id of this.#ready.keys()) if (!this.#desk.store.get(id)) this.#discard(id)
  }

  #discard(id: number): void {
    void this.#ready.get(id)?.discard()
    this.#ready.delete(id)
  }
}

function becameOf({ hash, motion }: UploadItem, sent: Sent): Partial<UploadItem> {
  if (sent.outcome === 'duplicate') return { status: 'duplicate', duplicateOf: { name: sent.name, where: 'library' } }
  const { clipIsSeparate } = sent
  const said = clipIsSeparate && motion ? { clipIsSeparate, note: texts.clipIsSeparate(motion.name) } : {}
  return { status: 'success', confirmed: hash === null ? null : sent.hash === hash, ...said }
}
