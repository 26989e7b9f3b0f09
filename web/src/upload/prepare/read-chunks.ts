const MEGABYTE = 2 ** 20
const CHUNK_BYTES = MEGABYTE

interface ReadOptions {
  /**
   * Larger files are read into one reused buffer (BYOB): fresh chunks would pile up before they are garbage-collected.
   */
  byobFrom: number
  /** How long the browser may take for one chunk with BYOB. */
  timeout: number
}

const defaults: ReadOptions = { byobFrom: 64 * MEGABYTE, timeout: 10_000 }

/** Reads a file in order. A chunk is valid only until the callback returns. */
export async function readChunks(
  file: Blob,
  take: (piece: Uint8Array) => void,
  ways: ReadOptions = defaults,
): Promise<void> {
  const read = file.size < ways.byobFrom ? 0 : await readWithByob(file, take, ways.timeout)
  const reader = file.slice(read).stream().getReader()
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) take(chunk.value)
}

/**
 * Resolves to the number of bytes read, which may be fewer than all: some browsers lack BYOB readers, and Chromium
 * never delivers the last chunk of about one in several thousand files.
 */
async function readWithByob(file: Blob, take: (piece: Uint8Array) => void, patience: number): Promise<number> {
  const reader = byobReader(file)
  if (reader === undefined) return 0
  let [memory, read] = [new ArrayBuffer(CHUNK_BYTES), 0]
  for (;;) {
    const chunk = await withTimeout(patience, reader.read(new Uint8Array(memory)))
    if (chunk?.value === undefined || chunk.done) break
    take(chunk.value)
    read += chunk.value.byteLength
    memory = chunk.value.buffer
  }
  // If the reader hangs, cancelling hangs too.
  reader.cancel().catch(() => undefined)
  return read
}

function byobReader(file: Blob): ReadableStreamBYOBReader | undefined {
  try {
    return file.stream().getReader({ mode: 'byob' })
  } catch {
    return undefined
  }
}

async function withTimeout<T>(milliseconds: number, answer: Promise<T>): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const silence = new Promise<undefined>(resolve => {
    timer = setTimeout(() => resolve(undefined), milliseconds)
  })
  try {
    return await Promise.race([answer, silence])
  } finally {
    clearTimeout(timer)
  }
}
