import { z } from 'zod'
import { type Message, SharedFile } from '#contract/chat.ts'
import { Id, Moment } from '#contract/common.ts'
import { ApiError } from '../../kit/api.ts'

export type MessageStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>

interface Deps {
  /** Keeps messages across reloads. Each has its own key, so that tabs do not overwrite each other's. */
  storage: MessageStorage
  personId: number
  send: (waiting: PendingMessage) => Promise<Message>
  onSent: (message: Message, waiting: PendingMessage) => void
  onFailure: (error: unknown) => void
}

export type NewMessage = Pick<PendingMessage, 'conversation_id' | 'content' | 'media'>

/**
 * Messages that the server has not confirmed yet. Sending is idempotent: a message keeps its client id for every retry,
 * and the server deduplicates by it. So it can be retried after any failure, in any tab.
 */
export class Outbox {
  readonly #deps: Deps
  readonly #prefix: string
  readonly #waiting = new Map<string, PendingMessage>()
  readonly #listeners = new Set<() => void>()
  /** A mutex per conversation: one message in flight at a time, to keep the order. */
  readonly #sending = new Set<number>()
  #all: readonly PendingMessage[] = []

  constructor(deps: Deps) {
    this.#deps = deps
    this.#prefix = `${outboxPrefix}${deps.personId}.`
    for (const key of keysOf(deps.storage)) this.#load(key)
    this.#sort()
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Oldest first. */
  readonly all = (): readonly PendingMessage[] => this.#all

  /** Resolves to whether it was sent. */
  add(message: NewMessage): Promise<boolean> {
    const waiting: PendingMessage = {
      ...message,
      client_id: createClientId(),
      written_at: new Date().toISOString(),
      state: 'sending',
    }
    this.#put(waiting)
    void this.#sendNext(waiting.conversation_id)
    return this.#settled(waiting.client_id)
  }

  #settled(clientId: string): Promise<boolean> {
    return new Promise(resolve => {
      const unsubscribe = this.subscribe(() => {
        const waiting = this.#waiting.get(clientId)
        if (waiting?.state === 'sending') return
        unsubscribe()
        resolve(waiting === undefined)
      })
    })
  }

  /** Retries a message and the other unsent ones of its conversation, to keep the order. */
  retry(clientId: string): void {
    const wanted = this.#waiting.get(clientId)
    if (wanted === undefined) return
    const again = this.#all.filter(({ conversation_id }) => conversation_id === wanted.conversation_id)
    for (const waiting of again) {
      if (waiting === wanted || waiting.state === 'notSent') this.#put({ ...waiting, state: 'sending' })
    }
    void this.#sendNext(wanted.conversation_id)
  }

  /** When the connection is back, or the page was opened again. */
  retryAll(): void {
    for (const waiting of this.#all) {
      if (waiting.state === 'notSent') this.#put({ ...waiting, state: 'sending' })
    }
    for (const conversation of new Set(this.#all.map(({ conversation_id }) => conversation_id))) {
      void this.#sendNext(conversation)
    }
  }

  discard(clientId: string): void {
    this.#remove(clientId)
  }

  /** Another tab changed this key of the storage; null: all. */
  onStorageChange(key: string | null): void {
    const keys = key === null ? this.#all.map(({ client_id }) => this.#prefix + client_id) : [key]
    for (const changed of keys.filter(changed => changed.startsWith(this.#prefix))) {
      this.#waiting.delete(changed.slice(this.#prefix.length))
      this.#load(changed)
    }
    this.#sort()
  }

  async #sendNext(conversation: number): Promise<void> {
    if (this.#sending.has(conversation)) return
    this.#sending.add(conversation)
    try {
      for (let next = this.#next(conversation); next !== undefined; next = this.#next(conversation)) {
        await this.#send(next)
      }
    } finally {
      this.#sending.delete(conversation)
    }
  }

  #next(conversation: number): PendingMessage | undefined {
    return this.#all.find(({ conversation_id, state }) => conversation_id === conversation && state === 'sending')
  }

  async #send(waiting: PendingMessage): Promise<void> {
    try {
      const message = await this.#deps.send(waiting)
      this.#deps.onSent(message, waiting)
      this.#remove(waiting.client_id)
    } catch (error) {
      this.#deps.onFailure(error)
      this.#fail(waiting, error)
    }
  }

  #fail(failed: PendingMessage, error: unknown): void {
    const refused = isRefusal(error)
    for (const waiting of this.#all) {
      const isIt = waiting.client_id === failed.client_id
      // Later messages must not arrive before it.
      const follows = waiting.conversation_id === failed.conversation_id && waiting.state === 'sending'
      if (isIt) this.#put({ ...waiting, state: refused ? 'refused' : 'notSent' })
      else if (follows && !refused) this.#put({ ...waiting, state: 'notSent' })
    }
  }

  #put(waiting: PendingMessage): void {
    this.#waiting.set(waiting.client_id, waiting)
    try {
      this.#deps.storage.setItem(this.#prefix + waiting.client_id, JSON.stringify(waiting))
    } catch (error) {
      // The storage is full: the message is kept in memory only.
      this.#deps.onFailure(error)
    }
    this.#sort()
  }

  #remove(clientId: string): void {
    this.#waiting.delete(clientId)
    this.#deps.storage.removeItem(this.#prefix + clientId)
    this.#sort()
  }

  #load(key: string): void {
    if (!key.startsWith(this.#prefix)) return
    const kept = parsePending(this.#deps.storage.getItem(key))
    if (kept !== undefined) this.#waiting.set(kept.client_id, kept)
  }

  #sort(): void {
    this.#all = [...this.#waiting.values()].sort((a, b) => a.written_at.localeCompare(b.written_at))
    for (const listener of this.#listeners) listener()
  }
}

export const outboxPrefix = 'heirloom.outbox.'

function keysOf(storage: MessageStorage): string[] {
  return Array.from({ length: storage.length }, (_, i) => storage.key(i)).filter(key => key !== null)
}

function parsePending(text: string | null): PendingMessage | undefined {
  if (text === null) return undefined
  try {
    return PendingMessage.safeParse(JSON.parse(text)).data
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Whether a retry is useless. 401, 408 and 429 are temporary. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false
  return error.status >= 400 && error.status < 500 && ![401, 408, 429].includes(error.status)
}

/** A message that the server has not confirmed yet. */
export const PendingMessage = z.object({
  client_id: z.string(),
  conversation_id: Id,
  content: z.string(),
  media: SharedFile.nullable(),
  written_at: Moment,
  /** `notSent`: no connection. `refused`: by the server, so a retry is useless. */
  state: z.enum(['sending', 'notSent', 'refused']),
})
export type PendingMessage = z.infer<typeof PendingMessage>

/** Browsers offer randomUUID with https only. */
function createClientId(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID()
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('')
}
