import { Readable } from 'node:stream'
import { live } from '#contract/limits.ts'
import type { LiveEvent } from '#contract/live.ts'
import type { Caller } from '../kit/serve.ts'
import type { Audience } from './announce.ts'
import type { Ended } from './bus-message.ts'

/** One page that listens: what it still has to read, as text. */
export interface Stream {
  readonly caller: Caller
  readonly text: Readable
}

/** What a reader may leave unread before it is let go. It comes back and fetches everything anew. */
const MOST_UNREAD_BYTES = 64 * 1024

/** The streams that are open on this server. */
export class Streams {
  readonly #ofPerson = new Map<number, Set<Stream>>()

  /** Undefined where the person has as many as one may have. */
  open(caller: Caller): Stream | undefined {
    const theirs = this.#ofPerson.get(caller.id) ?? new Set()
    if (theirs.size >= live.streamsPerPerson) return undefined
    const stream: Stream = { caller, text: new Readable({ read() {} }) }
    this.#ofPerson.set(caller.id, theirs.add(stream))
    stream.text.once('close', () => this.#forget(stream))
    write(stream, `retry: ${live.retry}\n\n${asText({ kind: 'resync' })}`)
    return stream
  }

  deliver(event: LiveEvent, to: Audience): void {
    const text = asText(event)
    if (to === 'everyone') {
      for (const stream of this.all()) write(stream, text)
    } else {
      for (const id of to) for (const stream of this.#ofPerson.get(id) ?? []) write(stream, text)
    }
  }

  /** A comment, which keeps proxies from closing the line and lets a page notice that it is dead. */
  beat(): void {
    for (const stream of this.all()) write(stream, ': \n\n')
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

  /** A reader that keeps up sees a clean end; what another has yet to read is none of its business any more. */
  #end(stream: Stream): void {
    this.#forget(stream)
    if (stream.text.readableLength > 0) stream.text.destroy()
    else stream.text.push(null)
  }

  #forget(stream: Stream): void {
    const theirs = this.#ofPerson.get(stream.caller.id)
    theirs?.delete(stream)
    if (theirs?.size === 0) this.#ofPerson.delete(stream.caller.id)
  }
}

function asText(event: LiveEvent): string {
  return `data: ${JSON.stringify(event)}\n\n`
}

function write({ text }: Stream, words: string): void {
  if (text.destroyed) return
  text.push(words)
  if (text.readableLength > MOST_UNREAD_BYTES) text.destroy()
}
