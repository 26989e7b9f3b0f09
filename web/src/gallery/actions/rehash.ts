import { rehash as constants } from '#contract/limits.ts'
import { type MediaFile, rehashMedia } from '#contract/media.ts'
import { call } from '../../kit/api.ts'
import { texts } from '../texts.ts'
import type { Outcome, Piece } from './hash.worker.ts'

export type RehashState = 'waiting' | 'downloading' | 'hashing' | 'updating' | 'completed' | 'error'

export interface RehashProgressStep {
  state: RehashState
  percent: number
}

const { started, downloading, downloaded, hashing, updating, completed } = constants.progress

/** First step: fetching the file's signed URL. */
export const firstStep: RehashProgressStep = { state: 'downloading', percent: started }

/** Downloads the original and sends its hash to the server, which compares it with the stored one. */
export async function rehashFile(file: MediaFile, onStep: (step: RehashProgressStep) => void): Promise<void> {
  onStep({ state: 'downloading', percent: downloading })
  const body = await download(file.download_url)
  let received = 0
  const hash = await hashStream(
    body,
    count => {
      received += count
      onStep({ state: 'downloading', percent: downloadPercent(received, file.file_size) })
    },
    () => onStep({ state: 'hashing', percent: hashing }),
  )
  if (received === 0) throw new Error(texts.rehash.emptyBody)
  onStep({ state: 'updating', percent: updating })
  await call(rehashMedia, { params: { id: file.id }, body: { hash } })
  onStep({ state: 'completed', percent: completed })
}

/** Directly from the storage, without the session. */
async function download(address: string): Promise<ReadableStream<Uint8Array>> {
  if (address === '') throw new Error(texts.rehash.noAddress)
  const response = await fetch(address, { credentials: 'omit', cache: 'no-store' })
  if (!response.ok) throw new Error(texts.rehash.downloadFailed({ status: String(response.status) }))
  if (response.body === null) throw new Error(texts.rehash.emptyBody)
  return response.body
}

/** The download counts as 10 to 50 percent. */
export function downloadPercent(received: number, size: number): number {
  const part = size === 0 ? 1 : Math.min(1, received / size)
  return Math.round(downloading + part * (downloaded - downloading))
}

/** BLAKE3 of a stream in hex, computed in a worker during the download. */
async function hashStream(
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

/** Not every browser supports async iteration of streams. */
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
  // Prevents an unhandled rejection: if the download fails first, nothing awaits this promise.
  answer.catch(() => undefined)
  return answer
}

/** Runs the callback for each item in order, with limited concurrency. */
export async function runConcurrently<Item>(
  items: readonly Item[],
  atOnce: number,
  act: (item: Item) => Promise<void>,
) {
  const left = items.values()
  const worker = async () => {
    for (const item of left) await act(item)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}
