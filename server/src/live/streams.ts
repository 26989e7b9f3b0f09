import { Readable } from 'node:stream'
import { live } from '#contract/limits.ts'
import type { LiveEvent } from '#contract/live.ts'
import type { Caller } from '../kit/serve.ts'
import type { Ended, PublishedEvent } from './announce.ts'

/** One open page: a server-sent event (SSE) stream. */
export interface Stream {
  readonly caller: Caller
  readonly text: Readable
  /** Events of the same tick, sent in one write: many small writes cost more than the data. */
  buffer: string
}

/** A client that reads too slowly is disconnected at this point. It reconnects and resyncs. */
const MAX_BUFFERED_BYTES = 64 * 1024

/** The SSE streams that are open on this server, and their recent events. */
export class Streams {
  readonly #ofPerson = new Map<number, Set<Stream>>()
  readonly #history = new History()
  /** Set from a gap in the bus until all clients were sent a resync. Until then no event id is sent. */
  #hasGap = false

  /** The last event id of all streams here; undefined if events may have been missed. */
  get position(): string | undefined {
    return this.#hasGap ? undefined : this.#history.position
  }

  /** Resumes after `lastEventId` if it is known. Undefined if the person has too many streams already. */
  open(caller: Caller, lastEventId?: string): Stream | undefined {
    const theirs = this.#ofPerson.get(caller.id) ?? new Set()
    if (theirs.size >= live.streamsPerPerson) return undefined
    const stream: Stream = { caller, text: new Readable({ encoding: 'utf8', read() {} }), buffer: '' }
    this.#ofPerson.set(caller.id, theirs.add(stream))
    stream.text.once('close', () => this.#forget(stream))
    write(stream, `retry: ${live.retry}\n\n${this.#beginning(caller, lastEventId)}`)
    return stream
  }

  deliver({ position, event, to }: PublishedEvent): void {
    // Typing is out of date when a page reconnects, so it is not replayed.
    const isKept = event.kind !== 'typing'
    if (isKept) this.#history.add({ position, event, to })
    const text = formatEvent(event, isKept ? this.position : undefined)
    if (to === 'everyone') this.#writeToAll(text)
    else for (const id of to) for (const stream of this.#ofPerson.get(id) ?? []) write(stream, text)
  }

  /** A position that every server knows, whatever each of them received before. */
  addPosition(position: string): void {
    this.#history.add({ position })
  }

  /** Bus messages were lost; `resync` must follow. */
  markGap(): void {
    this.#hasGap = true
    this.#history.clear()
  }

  get needsResync(): boolean {
    return this.#hasGap
  }

  resync(): void {
    this.#hasGap = false
    this.#writeToAll(formatEvent({ kind: 'resync' }, this.position))
  }

  /** Keeps proxies from closing the connection, and lets a page detect that it is dead. */
  heartbeat(): void {
    this.#writeToAll(formatEvent({ kind: 'heartbeat' }, this.position))
  }

  end(ended: Ended): void {
    const ending =
      'personId' in ended
        ? [...(this.#ofPerson.get(ended.personId) ?? [])]
        : this.all().filter(({ caller }) => caller.sessionId === ended.sessionId)
    for (const stream of ending) this.#end(stream)
  }

  endAll(): void {
    for (const stream of this.all()) this.#end(stream)
  }

  all(): Stream[] {
    return [...this.#ofPerson.values()].flatMap(streams => [...streams])
  }

  #beginning(caller: Caller, lastEventId: string | undefined): string {
    const missed = lastEventId === undefined ? undefined : this.#history.since(lastEventId, caller.id)
    if (missed === undefined) return formatEvent({ kind: 'resync' }, this.position)
    return [...missed.map(event => formatEvent(event)), formatEvent({ kind: 'heartbeat' }, this.position)].join('')
  }

  #writeToAll(text: string): void {
    for (const stream of this.all()) write(stream, text)
  }

  /** Ends cleanly if the client has read everything; unread events are discarded. */
  #end(stream: Stream): void {
    this.#forget(stream)
    if (bufferedLength(stream) > 0) stream.text.destroy()
    else stream.text.push(null)
  }

  #forget(stream: Stream): void {
    const theirs = this.#ofPerson.get(stream.caller.id)
    theirs?.delete(stream)
    if (theirs?.size === 0) this.#ofPerson.delete(stream.caller.id)
  }
}

function formatEvent(event: LiveEvent, position?: string): string {
  return `${position === undefined ? '' : `id: ${position}\n`}data: ${JSON.stringify(event)}\n\n`
}

function write(stream: Stream, words: string): void {
  const { text } = stream
  if (text.destroyed) return
  if (stream.buffer === '') setImmediate(flush, stream)
  stream.buffer += words
  if (bufferedLength(stream) > MAX_BUFFERED_BYTES) text.destroy()
}

function flush(stream: Stream): void {
  const words = stream.buffer
  stream.buffer = ''
  if (!stream.text.destroyed) stream.text.push(words, 'utf8')
}

function bufferedLength({ text, buffer }: Stream): number {
  return text.readableLength + buffer.length
}

/** A page that missed more events than this must reload everything. */
const MAX_EVENTS = 1_000

type HistoryEntry = Pick<PublishedEvent, 'position'> & Partial<PublishedEvent>

/**
 * The recent events in the order of the bus, which is the same on every server. A page that reconnects with the id of
 * its last event, from whichever server, gets the events after it.
 */
export class History {
  #events: HistoryEntry[] = []

  /** The last received position; undefined if this server does not know what it missed. */
  get position(): string | undefined {
    return this.#events.at(-1)?.position
  }

  add(entry: HistoryEntry): void {
    this.#events.push(entry)
    // Trimmed in batches, because each slice copies the array.
    if (this.#events.length >= 2 * MAX_EVENTS) this.#events = this.#events.slice(-MAX_EVENTS)
  }

  /** Deduplicated; undefined if that position is unknown. */
  since(position: string, personId: number): LiveEvent[] | undefined {
    const at = this.#events.findLastIndex(events => events.position === position)
    if (at < 0) return undefined
    const missed = new Map<string, LiveEvent>()
    for (const { event, to } of this.#events.slice(at + 1)) {
      if (event && (to === 'everyone' || to?.includes(personId))) missed.set(JSON.stringify(event), event)
    }
    return [...missed.values()]
  }

  /** Called after a gap: later events do not follow these. */
  clear(): void {
    this.#events = []
  }
}
