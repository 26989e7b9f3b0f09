import type { IncomingMessage } from 'node:http'

/** A slow sender is welcome; one from whom nothing comes for `stallsAfterMs` is cut off. Call the answer to end the watch. */
export function cutOffWhenStalled(request: IncomingMessage, stallsAfterMs: number): () => void {
  const { socket } = request
  let heard = socket.bytesRead
  let heardAt = performance.now()
  const watch = setInterval(() => {
    if (socket.bytesRead !== heard) {
      heard = socket.bytesRead
      heardAt = performance.now()
    } else if (performance.now() - heardAt > stallsAfterMs && !request.complete) {
      request.destroy()
    }
  }, stallsAfterMs / 4)
  return () => clearInterval(watch)
}

const READS_ON_FOR_MS = 30_000

/**
 * Throws away what a sender still sends. Most look for an answer only when they have sent everything, so a refusal in
 * the midst of an upload would never be seen; one who has far more to send is cut off.
 */
export function readOn(request: IncomingMessage): void {
  if (request.complete) return
  request.unpipe()
  request.resume()
  const patience = setTimeout(() => request.destroy(), READS_ON_FOR_MS)
  request.once('close', () => clearTimeout(patience))
  request.once('end', () => clearTimeout(patience))
}
