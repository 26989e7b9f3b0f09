import { uploadDialog } from '#contract/limits.ts'
import type { Destination, UploadRecord } from '../memory/record.ts'
import { takeBack } from '../transport/send-resumably.ts'
import { Batch } from './batch.ts'
import { Desk, pause, type Services } from './desk.ts'
import { examine } from './examine.ts'
import { isFinished, isRemovable, isRetryable, type NewFile, newItem, type UploadItem } from './item.ts'
import { pairLivePhotos } from './live-photos.ts'
import type { Processing } from './make-ready.ts'
import type { Progress } from './progress.ts'
import { ItemStore } from './store.ts'

export interface QueueState {
  /** As they are listed. */
  readonly items: readonly UploadItem[]
  /** While a batch runs. */
  readonly progress: Progress | null
  /** Nothing goes on until the connection is back. */
  readonly waiting: boolean
  readonly options: Options
  /** Left by an earlier visit, until they are chosen anew or forgotten. */
  readonly left: readonly UploadRecord[]
}

export interface Options extends Destination {
  readonly processing: Processing
}

/** The files on their way into the library, whether anybody looks or not. */
export class UploadQueue {
  readonly #services: Services
  readonly #store = new ItemStore(() => this.#changed())
  readonly #desk: Desk
  readonly #listeners = new Set<() => void>()
  #lastId = 0
  #options: Options = { folderId: null, keepStructure: true, processing: 'client' }
  #state: QueueState | null = null
  #examining = false
  #batch: Batch | null = null

  constructor(services: Services) {
    this.#services = services
    this.#desk = new Desk(this.#store, services)
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly state = (): QueueState => {
    this.#state ??= this.#look()
    return this.#state
  }

  choose(options: Partial<Options>): void {
    this.#options = { ...this.#options, ...options }
    this.#changed()
  }

  /** Files that the person chose. Those that an earlier visit left go on from where they were. */
  add(chosen: readonly NewFile[]): void {
    const items = pairLivePhotos(chosen).map(one => this.#take(one))
    this.#store.add(items)
    void this.#examineAll()
    // Whoever adds files while others upload wants these uploaded too.
    const wanted = this.#batch ? items : items.filter(item => item.wanted)
    if (wanted.length > 0) this.#send(wanted)
  }

  /** Files that the picker refused, each with its reason. */
  addRejected(refused: readonly { file: File; reason: string }[]): void {
    const rejected = { status: 'error', rejected: true } as const
    this.#store.add(refused.map(({ file, reason }) => ({ ...this.#newItem({ file }), ...rejected, error: reason })))
  }

  remove(id: number): void {
    const item = this.#store.get(id)
    if (!item || !isRemovable(item)) return
    this.#desk.drop([item])
    this.#standInFor(item)
  }

  retry(id: number): void {
    this.#tryAgain(this.#store.all().filter(item => item.id === id && isRetryable(item)))
  }

  retryAll(): void {
    this.#tryAgain(this.#store.all().filter(isRetryable))
  }

  /** Sends everything that is not done yet. */
  upload(): void {
    this.#send(this.#store.all())
  }

  /** Stops whatever runs, at once. What was chosen stays chosen; what was half sent is taken back from the server. */
  cancel(): void {
    if (this.#batch) this.#services.onBatchStopped()
    this.#endBatch()
    const stopped = this.#store.all().filter(item => !isFinished(item))
    this.#desk.stop(stopped)
    const idle = { status: 'pending', wanted: false, progress: null, waiting: false } as const
    this.#store.changeAll(idsOf(stopped), idle)
    // Asked for again, they go where the person then chooses.
    for (const item of stopped) this.#desk.baggageOf(item).destination = null
    this.#forget(stopped)
    this.#changed()
    void this.#examineAll()
  }

  /** Empties the list. */
  clear(): void {
    this.#endBatch()
    this.#desk.drop(this.#store.all())
    this.#changed()
  }

  forgetLeft(): void {
    const { memory } = this.#services
    void takeBack(memory.left.flatMap(record => record.addresses.map(([, address]) => address)))
    memory.forget(memory.left.map(record => record.key))
    this.#changed()
  }

  /** The person is gone: nothing of theirs goes on or stays in sight. What was begun waits for them to come back. */
  leave(): void {
    this.#endBatch()
    const items = this.#store.all()
    for (const item of items) this.#desk.baggageOf(item).work?.abort()
    this.#store.remove(idsOf(items))
    this.#services.preparer.dispose()
  }

  /** Where a file is taken off the list, another one of the same bytes is no longer skipped for its sake. */
  #standInFor({ hash }: UploadItem): void {
    const twin = this.#store.all().find(item => item.duplicateOf?.where === 'selection' && item.hash === hash)
    if (!twin) return
    this.#store.add([{ ...twin, status: 'pending', examined: false, duplicateOf: null }])
    void this.#examineAll()
    if (twin.wanted) this.#send([twin])
  }

  #newItem(file: NewFile): UploadItem {
    this.#lastId += 1
    return newItem(this.#lastId, file)
  }

  #take(one: NewFile): UploadItem {
    const item = this.#newItem(one)
    const known = this.#services.memory.recall(one.file)
    if (!known) return item
    const { key, addresses, destination, path, hash } = known
    this.#desk.bring(item, { key, addresses: new Map(addresses), destination, work: null })
    const remembered = { ...item, path, hash, wanted: true }
    return known.safe ? { ...remembered, status: 'success', examined: true, confirmed: true } : remembered
  }

  #tryAgain(items: readonly UploadItem[]): void {
    this.#store.changeAll(idsOf(items), { status: 'pending', error: null, note: null })
    void this.#examineAll()
    const wanted = items.filter(item => item.wanted)
    if (wanted.length > 0) this.#send(wanted)
  }

  #send(items: readonly UploadItem[]): void {
    const unfinished = items.flatMap(({ id }) => this.#store.get(id) ?? []).filter(item => !isFinished(item))
    if (unfinished.length === 0) return
    for (const item of unfinished) this.#remember(item)
    this.#store.changeAll(idsOf(unfinished), { wanted: true })
    const running = this.#batch
    const batch = running ?? new Batch(this.#desk, this.#options.processing)
    batch.join(unfinished)
    this.#batch = batch
    this.#changed()
    if (!running) void this.#run(batch)
  }

  #remember(item: UploadItem): void {
    const { name, file, path, hash, motion: clip } = item
    const { size, lastModified } = file
    const { folderId, keepStructure } = this.#options
    const baggage = this.#desk.baggageOf(item)
    baggage.destination ??= { folderId, keepStructure }
    const { key, destination } = baggage
    const handle = handleOf(file)
    const motion = clip && { name: clip.name, handle: handleOf(clip) }
    const addresses = [...baggage.addresses]
    const record = { key, name, size, lastModified, path, hash, destination, addresses, safe: false, handle, motion }
    this.#services.memory.keep(record)
  }

  async #run(batch: Batch): Promise<void> {
    try {
      const result = await batch.run()
      if (result === undefined || batch !== this.#batch) return
      this.#batch = null
      this.#forgetDone()
      this.#changed()
      this.#services.onBatchEnd(result)
    } catch (error) {
      if (batch !== this.#batch) return
      this.cancel()
      this.#services.onBatchBroken(error)
    }
  }

  #endBatch(): void {
    this.#batch?.stop()
    this.#batch = null
  }

  /** What failed is remembered, so that it can be tried again after a reload too. */
  #forgetDone(): void {
    const done = this.#store.all().filter(item => isFinished(item) && (item.status !== 'error' || item.refused))
    this.#forget(done)
    this.#services.memory.forgetSettled()
  }

  #forget(items: readonly UploadItem[]): void {
    this.#services.memory.forget(items.map(item => this.#desk.baggageOf(item).key))
  }

  /** Looks at the files that nobody has looked at yet, one after the other. */
  async #examineAll(): Promise<void> {
    if (this.#examining) return
    this.#examining = true
    await pause(uploadDialog.settle)
    for (let item = this.#nextToExamine(); item; item = this.#nextToExamine()) await this.#examine(item)
    this.#examining = false
  }

  #nextToExamine(): UploadItem | undefined {
    return this.#store.all().find(item => item.status === 'pending' && !item.examined)
  }

  async #examine(item: UploadItem): Promise<void> {
    const { preparer, memory } = this.#services
    await this.#desk.step(item, step => examine(item, preparer, hash => this.#twinOf(item, hash), step))
    const hash = this.#store.get(item.id)?.hash
    if (hash) memory.change(this.#desk.baggageOf(item).key, { hash })
  }

  /** Another file of this selection with the same bytes that is to be uploaded, or has been, and has a clip if this has. */
  #twinOf({ id, motion }: UploadItem, hash: string): UploadItem | undefined {
    const stands = (item: UploadItem) => item.status !== 'error' && item.status !== 'duplicate'
    const same = (item: UploadItem) => item.hash === hash && (motion === null || item.motion !== null)
    return this.#store.all().find(item => item.id !== id && same(item) && stands(item))
  }

  #look(): QueueState {
    const items = this.#store.listed()
    return {
      items,
      progress: this.#batch?.progress() ?? null,
      waiting: items.some(item => item.waiting),
      options: this.#options,
      left: this.#services.memory.left,
    }
  }

  #changed(): void {
    this.#state = null
    for (const listener of this.#listeners) listener()
  }
}

function idsOf(items: readonly UploadItem[]): number[] {
  return items.map(item => item.id)
}

/** Opens the file again after a reload, where the browser gave one with it. */
function handleOf(file: File): FileSystemFileHandle | null {
  return 'handle' in file && file.handle instanceof FileSystemFileHandle ? file.handle : null
}
