const MEGABYTE = 2 ** 20
const PIECE = MEGABYTE

interface Ways {
  /** From this size on the pieces come into one memory of our own: new ones would add up before they are swept away. */
  ownMemoryFrom: number
  /** How long the browser may take for a piece of that. */
  patience: number
}

const usual: Ways = { ownMemoryFrom: 64 * MEGABYTE, patience: 10_000 }

/** Every byte of a file, in order. A piece is valid until the call that takes it returns. */
export async function readInPieces(file: Blob, take: (piece: Uint8Array) => void, ways: Ways = usual): Promise<void> {
  const read = file.size < ways.ownMemoryFrom ? 0 : await readIntoOwnMemory(file, take, ways.patience)
  const reader = file.slice(read).stream().getReader()
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) take(chunk.value)
}

/**
 * Resolves to how many bytes were taken. That may be fewer than all: some browsers do not know this way of reading, and
 * Chromium, once in some thousand files, never answers for the last piece.
 */
async function readIntoOwnMemory(file: Blob, take: (piece: Uint8Array) => void, patience: number): Promise<number> {
  const reader = readerIntoOwnMemory(file)
  if (reader === undefined) return 0
  let [memory, read] = [new ArrayBuffer(PIECE), 0]
  for (;;) {
    const chunk = await within(patience, reader.read(new Uint8Array(memory)))
    if (chunk?.value === undefined || chunk.done) break
    take(chunk.value)
    read += chunk.value.byteLength
    memory = chunk.value.buffer
  }
  // Where it never answers it does not answer this either.
  reader.cancel().catch(() => undefined)
  return read
}

function readerIntoOwnMemory(file: Blob): ReadableStreamBYOBReader | undefined {
  try {
    return file.stream().getReader({ mode: 'byob' })
  } catch {
    return undefined
  }
}

async function within<T>(milliseconds: number, answer: Promise<T>): Promise<T | undefined> {
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
