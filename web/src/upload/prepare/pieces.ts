const PIECE_BYTES = 1024 * 1024

/**
 * A file piece by piece, from the first byte to the last; each piece holds until the next is asked for. They come in one
 * and the same memory where the browser can do that: of a long film, hundreds of megabytes would pile up before they are
 * cleared away.
 */
export async function* piecesOf(file: Blob): AsyncGenerator<Uint8Array> {
  const reader = byteReaderOf(file)
  if (reader === undefined) return yield* freshPiecesOf(file)
  let memory = new ArrayBuffer(PIECE_BYTES)
  // Counted, since the end is not asked for: now and then Chromium never answers that there is nothing more.
  for (let left = file.size; left > 0; ) {
    const { value, done } = await reader.read(new Uint8Array(memory))
    if (done) return
    left -= value.byteLength
    yield value
    memory = value.buffer
  }
  reader.releaseLock()
}

function byteReaderOf(file: Blob): ReadableStreamBYOBReader | undefined {
  try {
    return file.stream().getReader({ mode: 'byob' })
  } catch {
    // Not every browser reads files so.
    return undefined
  }
}

async function* freshPiecesOf(file: Blob): AsyncGenerator<Uint8Array> {
  const reader = file.stream().getReader()
  for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
}
