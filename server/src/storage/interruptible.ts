import { Readable } from 'node:stream'

/** The chunks of `source`, ended by `signal` at once, even while the source is silent. */
export async function* abortable(
  source: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  const iterator = source[Symbol.asyncIterator]()
  // One listener for all chunks: a race with one long-lived promise would hold on to every chunk until the end.
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
    // Not awaited: a silent source would never answer. How it takes the news concerns nobody any more.
    iterator.return?.().catch(() => undefined)
    if (source instanceof Readable) source.destroy()
  }
}
