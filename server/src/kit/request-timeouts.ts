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
      raw.emit('error', new AppError('timed_out', 'The request did not arrive in full. Please try again.'))
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
  /** For the whole body; absent: as long as it takes. */
  withinMs?: number
}

/** Calls `giveUp` when too little of a body arrives. Stops when the body is complete. */
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
 * Closes connections whose client takes nothing of an answer that waits for it. One that reads slowly, or from a server that
 * has nothing to say, is left alone.
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

/** Of what was written to a socket, the part that the system has taken. A large piece is taken little by little. */
function bytesTaken(socket: Socket): number {
  const { _handle: handle } = socket as { _handle?: { bytesWritten: number; writeQueueSize: number } | null }
  return handle ? handle.bytesWritten - handle.writeQueueSize : socket.bytesWritten - socket.writableLength
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
