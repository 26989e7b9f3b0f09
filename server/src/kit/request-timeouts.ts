import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { AppError } from './errors.ts'

/** How long a client may take, in milliseconds. */
export interface RequestTimes {
  headers: number
  bodyStallsAfter: number
  body: number
  /** A response of which the client reads nothing for this long is aborted. */
  answerStallsAfter: number
}

/** Stops the watchdog of a body that is still arriving. */
const watches = new WeakMap<IncomingMessage, () => void>()

/** Aborts a request whose body does not arrive, with 408 if it can still be answered. */
export function timeOutBodies(app: FastifyInstance, times: RequestTimes): void {
  app.addHook('onRequest', async ({ raw }, reply) => {
    const { 'transfer-encoding': encoding, 'content-length': length } = raw.headers
    if (encoding === undefined && !(Number(length) > 0)) return
    watchBody(raw, { stallsAfterMs: times.bodyStallsAfter, withinMs: times.body }, () => {
      if (reply.sent || raw.listenerCount('error') === 0) return void raw.destroy()
      reply.header('connection', 'close')
      reply.raw.once('finish', () => raw.destroy())
      // The body parser passes this to the error handler, which sends the response.
      raw.emit('error', new AppError('timed_out', 'request.cutOff'))
    })
  })
}

/**
 * For a handler that streams its body: a slow upload may take hours, but is aborted when nothing arrives for
 * `stallsAfterMs`. Replaces the limits of ordinary requests.
 */
export function destroyWhenStalled(request: IncomingMessage, stallsAfterMs: number): void {
  watchBody(request, { stallsAfterMs }, () => request.destroy())
}

interface BodyTimes {
  stallsAfterMs: number
  /** Timeout of the whole body; absent: none. */
  withinMs?: number
}

/** Calls `giveUp` when the body stalls or takes too long. Stops when the body is complete. */
function watchBody(request: IncomingMessage, { stallsAfterMs, withinMs }: BodyTimes, giveUp: () => void): void {
  watches.get(request)?.()
  const { socket } = request
  const begunAt = performance.now()
  let received = socket.bytesRead
  let receivedAt = begunAt
  const end = () => clearInterval(watch)
  const watch = setInterval(() => {
    if (request.complete || request.destroyed) return end()
    const now = performance.now()
    if (socket.bytesRead !== received) {
      received = socket.bytesRead
      receivedAt = now
    }
    const isLate = withinMs !== undefined && now - begunAt > withinMs
    if (now - receivedAt <= stallsAfterMs && !isLate) return
    end()
    giveUp()
  }, stallsAfterMs / 4)
  watch.unref()
  request.once('close', end)
  watches.set(request, end)
}

/**
 * Closes connections whose client reads nothing of a pending response. Slow readers, and idle connections where the
 * server has nothing to send, are left alone.
 */
export function closeStalledResponses(server: Server, stallsAfterMs: number): void {
  const open = new Map<Socket, { taken: number; since: number }>()
  server.on('connection', socket => {
    open.set(socket, { taken: 0, since: performance.now() })
    socket.once('close', () => open.delete(socket))
  })
  const watch = setInterval(() => {
    const now = performance.now()
    for (const [socket, last] of open) {
      const taken = bytesTaken(socket)
      if (socket.writableLength === 0 || taken !== last.taken) open.set(socket, { taken, since: now })
      else if (now - last.since > stallsAfterMs) socket.destroy()
    }
  }, stallsAfterMs / 4)
  watch.unref()
  server.once('close', () => clearInterval(watch))
}

/** The number of bytes that the kernel has accepted: `bytesWritten` also counts those that are still queued. */
function bytesTaken(socket: Socket): number {
  const { _handle: handle } = socket as { _handle?: { bytesWritten: number; writeQueueSize: number } | null }
  return handle ? handle.bytesWritten - handle.writeQueueSize : socket.bytesWritten - socket.writableLength
}

const READS_ON_FOR_MS = 30_000

/**
 * Drains the rest of a request body. Most clients read the response only after sending everything, so an error during
 * an upload would never be seen; a client that has far more to send is disconnected.
 */
export function readOn(request: IncomingMessage): void {
  if (request.complete) return
  request.unpipe()
  request.resume()
  const patience = setTimeout(() => request.destroy(), READS_ON_FOR_MS)
  request.once('close', () => clearTimeout(patience))
  request.once('end', () => clearTimeout(patience))
}
