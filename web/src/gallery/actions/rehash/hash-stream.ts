import type { Outcome, Piece } from './hash.worker.ts'

/** BLAKE3 of a stream, in hex, computed in a worker while the bytes arrive. */
export async function hashStream(
  stream: ReadableStream<Uint8Array>,
  onBytes: (count: number) => void,
  onAllRead: () => void,
): Promise<string> {
  const worker = new Worker(new URL('./hash.worker.ts', import.meta.url), { type: 'module' })
  try {
    const digest = answerOf(worker)
    for await (const bytes of piecesOf(stream)) {
      onBytes(bytes.byteLength)
      send(worker, { kind: 'bytes', bytes })
    }
    onAllRead()
    send(worker, { kind: 'end' })
    return await digest
  } finally {
    worker.terminate()
  }
}

/** Not every browser can go through a stream by itself. */
async function* piecesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    yield value
  }
}

function send(worker: Worker, piece: Piece): void {
  worker.postMessage(piece, piece.kind === 'bytes' ? [piece.bytes.buffer] : [])
}

function answerOf(worker: Worker): Promise<string> {
  const answer = new Promise<string>((resolve, reject) => {
    worker.addEventListener('message', ({ data }: MessageEvent<Outcome>) => {
      if ('digest' in data) resolve(data.digest)
      else reject(new Error(data.failure))
    })
    worker.addEventListener('error', event => reject(new Error(event.message)))
  })
  // The download may fail first, and then nobody waits for this any more.
  answer.catch(() => undefined)
  return answer
}
