import { Readable } from 'node:stream'
import { live } from '#contract/limits.ts'
import type { LiveEvent } from '#contract/live.ts'
import type { Caller } from '../kit/serve.ts'
import type { Ended, PublishedEvent } from './announce.ts'

/** One page that listens: what it still has to read, as text. */
export interface Stream {
  readonly caller: Caller
  readonly text: Readable
  /** What is said in the same moment, gathered: a write to each of many pages costs more than what is written. */
  buffer: string
}

/** What a reader may leave unread before it is let go. It comes back and fetches everything anew. */
const MAX_BUFFERED_BYTES = 64 * 1024

/** The streams that are open on this server, and what was told on them lately. */
export class Streams {
  readonly #ofPerson = new Map<number, Set<Stream>>()
  readonly #history = new History()
  /** From when something was missed until everyone has been told so: nobody may believe to have been told all until then. */
  #hasGap = false

  /** How far every stream here has been told; undefined where something may have been missed. */
  get position(): string | undefined {
    return this.#hasGap ? undefined : this.#history.position
  }

  /** Continues where the page was told until, if that is known. Undefined where the person has as many as one may have. */
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
    // That somebody writes is over when a page comes back.
    const isKept = event.kind !== 'typing'
    if (isKept) this.#history.add({ position, event, to })
    const text = formatEvent(event, isKept ? this.position : undefined)
    if (to === 'everyone') this.#writeToAll(text)
    else for (const id of to) for (const stream of this.#ofPerson.get(id) ?? []) write(stream, text)
  }

  /** A place that every server knows, whatever each of them heard before. */
  mark(position: string): void {
    this.#history.add({ position })
  }

  /** Nobody knows what was said for a while; `resync` is to follow. */
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

  /** Keeps proxies from closing the line, and lets a page notice that it is dead. */
  heartbeat(): void {
    this.#writeToAll(formatEvent({ kind: 'beat' }, this.position))
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
    return [...missed.map(event => formatEvent(event)), formatEvent({ kind: 'beat' }, this.position)].join('')
  }

  #writeToAll(text: string): void {
    for (const stream of this.all()) write(stream, text)
  }

  /** A reader that keeps up sees a clean end; what another has yet to read is none of its business any more. */
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

/** So many are kept. A page that was away for longer reads everything anew. */
const MAX_EVENTS = 1_000

type HistoryEntry = Pick<PublishedEvent, 'position'> & Partial<PublishedEvent>

/**
 * What was told lately, in the order in which every server hears it. A page that says how far it was told, by whichever
 * server, hears here what came after.
 */
export class History {
  #events: HistoryEntry[] = []

  /** How far this server has heard; undefined where it does not know what it missed. */
  get position(): string | undefined {
    return this.#events.at(-1)?.position
  }

  add(told: HistoryEntry): void {
    this.#events.push(told)
    // Not one at a time: each time, all of them move.
    if (this.#events.length >= 2 * MAX_EVENTS) this.#events = this.#events.slice(-MAX_EVENTS)
  }

  /** Each thing once, however often it was told; undefined where nobody knows what came after that position. */
  since(position: string, personId: number): LiveEvent[] | undefined {
    const at = this.#events.findLastIndex(events => events.position === position)
    if (at < 0) return undefined
    const missed = new Map<string, LiveEvent>()
    for (const { event, to } of this.#events.slice(at + 1)) {
      if (event && (to === 'everyone' || to?.includes(personId))) missed.set(JSON.stringify(event), event)
    }
    return [...missed.values()]
  }

  /** What comes now does not follow what is kept. */
  clear(): void {
    this.#events = []
  }
}
