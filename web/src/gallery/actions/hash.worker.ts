import { createBLAKE3 } from 'hash-wasm'

/** Hashes a stream chunk by chunk, so that memory stays constant. */

export type Piece = { kind: 'bytes'; bytes: Uint8Array } | { kind: 'end' }
export type Outcome = { digest: string } | { failure: string }

// Chunks may arrive before the hasher is ready; the promise chain keeps their order.
let hasher = createBLAKE3()

addEventListener('message', ({ data }: MessageEvent<Piece>) => {
  hasher = hasher.then(ready => (data.kind === 'bytes' ? ready.update(data.bytes) : ready))
  if (data.kind === 'end') hasher.then(ready => answer({ digest: ready.digest('hex') }), fail)
})

function fail(error: unknown): void {
  answer({ failure: error instanceof Error ? error.message : String(error) })
}

function answer(outcome: Outcome): void {
  postMessage(outcome)
}
