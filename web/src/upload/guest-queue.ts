import { finishSentFile, guestTusPath } from '#contract/guest-uploads.ts'
import { ApiError, call } from '../kit/api.ts'
import { requestUrl } from '../kit/request-url.ts'
import { guestTexts as texts } from './guest-texts.ts'
import { retryUntilOnline } from './retry.ts'
import { sendResumable } from './upload-requests.ts'

export interface GuestItem {
  key: number
  file: File
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
}

/** Sends the files of a guest one after the other. A file that is chosen again after a reload continues where it stopped. */
export class GuestQueue {
  readonly #linkId: number
  readonly #onExpired: () => void
  readonly #listeners = new Set<() => void>()
  #state: GuestQueueState = { items: [], offline: false }
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
    const known = new Set(this.#state.items.map(({ file }) => fingerprint(file)))
    const added = files
      .filter(file => !known.has(fingerprint(file)))
      .map((file): GuestItem => ({ key: ++this.#lastKey, file, status: 'waiting', progress: 0, error: null }))
    const notSent = refused.map(
      ({ file, reason }): GuestItem => ({ key: ++this.#lastKey, file, status: 'refused', progress: 0, error: reason }),
    )
    this.#set({ items: [...this.#state.items, ...added, ...notSent] })
    void this.#run()
  }

  retryFailed(): void {
    const again = (item: GuestItem) =>
      item.status === 'failed' ? { ...item, status: 'waiting' as const, error: null } : item
    this.#set({ items: this.#state.items.map(again) })
    void this.#run()
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

  async #send({ key, file }: GuestItem): Promise<void> {
    this.#change(key, { status: 'sending' })
    const id = this.#linkId
    const urls = resumeUrls(id)
    const { signal } = new AbortController()
    const options = { signal, onOffline: (offline: boolean) => this.#set({ offline }) }
    try {
      const send = () =>
        sendResumable(file, {
          host: '',
          path: requestUrl(guestTusPath, { id }, {}),
          signal,
          resumeUrl: urls.get(file),
          onResumeUrl: url => urls.set(file, url),
          onProgress: bytes => this.#change(key, { progress: bytes / Math.max(1, file.size) }),
        })
      const uploadId = await retryUntilOnline(send, options)
      const body = { uploadId, originalName: file.name, lastModified: file.lastModified }
      await retryUntilOnline(() => call(finishSentFile, { params: { id }, body }), options)
      urls.set(file, undefined)
      this.#change(key, { status: 'sent', progress: 1 })
    } catch (error) {
      const status = error instanceof ApiError ? error.status : 0
      // Begun again from the start, if the guest retries.
      if (status === 404 || status === 415) urls.set(file, undefined)
      this.#change(key, { status: 'failed', error: error instanceof Error ? error.message : texts.failed })
      if (status === 403) this.#onExpired()
    }
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
    try {
      const stored: unknown = JSON.parse(localStorage.getItem(name) ?? '{}')
      return typeof stored === 'object' && stored !== null ? (stored as Record<string, string>) : {}
    } catch {
      // Storage is blocked or contains something else: the upload starts from the beginning.
      return {}
    }
  }
  return {
    get: (file: File) => read()[fingerprint(file)],
    set(file: File, url: string | undefined) {
      const { [fingerprint(file)]: _, ...others } = read()
      try {
        localStorage.setItem(name, JSON.stringify(url === undefined ? others : { ...others, [fingerprint(file)]: url }))
      } catch {
        // Without storage it only cannot be continued after a reload.
      }
    },
  }
}
