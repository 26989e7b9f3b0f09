import { finishSentFile, guestTusPath, listSentFiles } from '#contract/guest-uploads.ts'
import { ApiError, call } from '../kit/api.ts'
import { requestUrl } from '../kit/request-url.ts'
import { folderPathOf } from './accept.ts'
import { guestTexts as texts } from './guest-texts.ts'
import { retryUntilOnline } from './retry.ts'
import { pairLivePhotos } from './upload-items.ts'
import { sendResumable } from './upload-requests.ts'

export interface GuestItem {
  key: number
  file: File
  /** The clip of a Live Photo, sent together with its still. */
  clip: File | undefined
  /** `refused`: not a file that can be sent, so that trying again is no use. */
  status: 'waiting' | 'sending' | 'sent' | 'failed' | 'refused'
  /** From 0 to 1. */
  progress: number
  error: string | null
}

export interface GuestQueueState {
  items: readonly GuestItem[]
  /** The server cannot be reached; sending goes on by itself. */
  offline: boolean
  /** The link takes nothing any more. */
  ended: boolean
  /** How many of the files that were chosen last had arrived on an earlier visit. */
  skipped: number
}

/**
 * Sends the files of a guest one after the other. When the same files are chosen again after a reload, those that have
 * arrived are skipped, and the one that was interrupted continues where it stopped.
 */
export class GuestQueue {
  readonly #linkId: number
  readonly #onExpired: () => void
  readonly #listeners = new Set<() => void>()
  #state: GuestQueueState = { items: [], offline: false, ended: false, skipped: 0 }
  #lastKey = 0
  #running = false

  /** `onExpired`: the browser has to open the link again. */
  constructor(linkId: number, onExpired: () => void) {
    this.#linkId = linkId
    this.#onExpired = onExpired
  }

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  readonly state = () => this.#state

  /** Files that are in the list already are skipped. */
  add(files: readonly File[], refused: readonly { file: File; reason: string }[] = []): void {
    const known = new Set(this.#state.items.flatMap(({ file, clip }) => [file, clip ?? file]).map(fingerprint))
    const unknown = files.filter(file => !known.has(fingerprint(file)))
    const sent = new Set(sentFiles(this.#linkId).read())
    const chosen = unknown
      .filter(file => !sent.has(fingerprint(file)))
      .map(file => ({ file, path: folderPathOf(file) }))
    const added = pairLivePhotos(chosen).map(({ file, motion }) => this.#item(file, motion))
    const notSent = refused.map(
      ({ file, reason }): GuestItem => ({ ...this.#item(file), status: 'refused', error: reason }),
    )
    this.#set({
      items: [...this.#state.items, ...added, ...notSent],
      skipped: unknown.length - chosen.length,
    })
    void this.#run()
  }

  #item(file: File, clip?: File): GuestItem {
    return { key: ++this.#lastKey, file, clip, status: 'waiting', progress: 0, error: null }
  }

  retryFailed(): void {
    const again = (item: GuestItem) =>
      item.status === 'failed' ? { ...item, status: 'waiting' as const, error: null } : item
    this.#set({ items: this.#state.items.map(again), ended: false })
    void this.#run()
  }

  /** Whether an earlier visit ended while a file was being sent. */
  wasInterrupted(): boolean {
    return resumeUrls(this.#linkId).any()
  }

  async #run(): Promise<void> {
    if (this.#running) return
    this.#running = true
    for (;;) {
      const next = this.#state.items.find(item => item.status === 'waiting')
      if (!next) break
      await this.#send(next)
    }
    this.#running = false
  }

  async #send({ key, file, clip }: GuestItem): Promise<void> {
    this.#change(key, { status: 'sending' })
    const id = this.#linkId
    const urls = resumeUrls(id)
    const { signal } = new AbortController()
    const options = { signal, onOffline: (offline: boolean) => this.#set({ offline }) }
    const total = Math.max(1, file.size + (clip?.size ?? 0))
    const send = async (part: File, sentBefore: number) => {
      const once = () =>
        sendResumable(part, {
          host: '',
          path: requestUrl(guestTusPath, { id }, {}),
          signal,
          resumeUrl: urls.get(part),
          onResumeUrl: url => urls.set(part, url),
          onProgress: bytes => this.#change(key, { progress: (sentBefore + bytes) / total }),
        })
      const uploadId = await retryUntilOnline(once, options)
      return { uploadId, originalName: part.name, lastModified: part.lastModified }
    }
    try {
      const sent = await send(file, 0)
      const body = clip ? { ...sent, clip: await send(clip, file.size) } : sent
      const { with_clip } = await retryUntilOnline(() => call(finishSentFile, { params: { id }, body }), options)
      for (const part of with_clip ? [file, clip] : [file]) {
        if (!part) continue
        urls.set(part, undefined)
        sentFiles(id).add(part)
      }
      this.#change(key, { status: 'sent', progress: 1 })
      // Its bytes have arrived already.
      if (clip && !with_clip) this.#set({ items: [...this.#state.items, this.#item(clip)] })
    } catch (error) {
      const status = error instanceof ApiError ? error.status : 0
      // Begun again from the start, if the guest retries.
      if (status === 404 || status === 415) for (const part of [file, clip]) if (part) urls.set(part, undefined)
      this.#change(key, { status: 'failed', error: error instanceof Error ? error.message : texts.failed })
      if (status === 403) this.#onExpired()
      if (status === 404 && (await this.#hasEnded())) this.#end()
    }
  }

  async #hasEnded(): Promise<boolean> {
    try {
      await call(listSentFiles, { params: { id: this.#linkId }, query: { limit: 1 } })
      return false
    } catch (error) {
      return error instanceof ApiError && error.status === 404
    }
  }

  /** The others would fail in the same way; the page says why. */
  #end(): void {
    const isLeft = ({ status }: GuestItem) => status === 'waiting' || status === 'failed'
    const stop = (item: GuestItem) => (isLeft(item) ? { ...item, status: 'failed' as const, error: null } : item)
    this.#set({ items: this.#state.items.map(stop), ended: true })
  }

  #change(key: number, change: Partial<GuestItem>): void {
    this.#set({ items: this.#state.items.map(item => (item.key === key ? { ...item, ...change } : item)) })
  }

  #set(change: Partial<GuestQueueState>): void {
    this.#state = { ...this.#state, ...change }
    for (const listener of this.#listeners) listener()
  }
}

function fingerprint({ name, size, lastModified }: File): string {
  return `${name}/${size}/${lastModified}`
}

/** The addresses of begun uploads, by file. Kept over a reload where the browser has storage. */
function resumeUrls(linkId: number) {
  const name = `guest-uploads ${linkId}`
  function read(): Record<string, string> {
    const stored = load(name)
    return typeof stored === 'object' && stored !== null ? (stored as Record<string, string>) : {}
  }
  return {
    any: () => Object.keys(read()).length > 0,
    get: (file: File) => read()[fingerprint(file)],
    set(file: File, url: string | undefined) {
      const { [fingerprint(file)]: _, ...others } = read()
      save(name, url === undefined ? others : { ...others, [fingerprint(file)]: url })
    },
  }
}

/** The files that have arrived, also on earlier visits. */
function sentFiles(linkId: number) {
  const name = `guest-sent ${linkId}`
  function read(): string[] {
    const stored = load(name)
    return Array.isArray(stored) ? stored.map(String) : []
  }
  return { read, add: (file: File) => save(name, [...read(), fingerprint(file)]) }
}

function load(name: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(name) ?? 'null')
  } catch {
    // Storage is blocked or contains something else: files are sent from the beginning.
    return null
  }
}

function save(name: string, value: unknown): void {
  try {
    localStorage.setItem(name, JSON.stringify(value))
  } catch {
    // Without storage a file only cannot be continued after a reload.
  }
}
