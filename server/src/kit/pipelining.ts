import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Browsers and proxies do not pipeline at all. */
const MOST_WAITING = 200
const MAX_LISTENERS = 20

type Request = [IncomingMessage, ServerResponse]

/**
 * Handles the requests of one connection one after the other. Node parses all that a packet contains at once: a thousand
 * pipelined requests would be handled before any request of another connection.
 */
export function handleInTurn(server: Server): void {
  const handlers = server.listeners('request') as ((...request: Request) => void)[]
  server.removeAllListeners('request')
  const waiting = new WeakMap<Socket, Request[]>()

  const handle = (socket: Socket, [request, response]: Request) => {
    // Node, Fastify and several of our limits listen for its end; ten listeners are Node's limit for a warning.
    response.setMaxListeners(MAX_LISTENERS)
    // After other connections had their turn.
    response.once('close', () => setImmediate(next, socket))
    for (const handler of handlers) handler.call(server, request, response)
  }
  const next = (socket: Socket) => {
    const request = socket.destroyed ? undefined : waiting.get(socket)?.shift()
    if (request) handle(socket, request)
    else waiting.delete(socket)
  }
  server.on('request', (...request) => {
    const { socket } = request[0]
    const queue = waiting.get(socket)
    if (!queue) {
      waiting.set(socket, [])
      handle(socket, request)
    } else if (queue.length < MOST_WAITING) queue.push(request)
    else socket.destroy()
  })
}
