import { Readable } from 'node:stream'

/** The chunks of `source`. An abort ends the iteration at once, even while the source sends nothing. */
export async function* abortable(
  source: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  const iterator = source[Symbol.asyncIterator]()
  // One listener for all chunks: `Promise.race` with a long-lived promise would leak every chunk until the end.
  let interrupt: ((reason: unknown) => void) | undefined
  const onAbort = () => interrupt?.(signal.reason)
  signal.addEventListener('abort', onAbort)
  try {
    while (true) {
      signal.throwIfAborted()
      const next = await new Promise<IteratorResult<Uint8Array>>((resolve, reject) => {
        interrupt = reject
        iterator.next().then(resolve, reject)
      })
      if (next.done) return
      yield next.value
    }
  } finally {
    signal.removeEventListener('abort', onAbort)
    // Not awaited: a stalled source would never return. Its errors no longer matter.
    iterator.return?.().catch(() => undefined)
    if (source instanceof Readable) source.destroy()
  }
}
