import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * A port of the loopback that nobody listens on, for a server that must know its own address before it starts. It is below
 * the range from which the system takes ports for outgoing connections: one of those could take it in the meantime.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_000)
    const socket = createServer().listen(port, '127.0.0.1')
    try {
      await once(socket, 'listening')
    } catch {
      // Somebody listens there.
      continue
    }
    socket.close()
    await once(socket, 'close')
    return port
  }
}
