import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A TCP proxy in front of the server whose connections can be cut at any moment. */
export interface ConnectionProxy {
  url: string
  cut(): void
  restore(): void
  close(): void
}

export async function openConnectionProxy(to: string): Promise<ConnectionProxy> {
  const { port, hostname } = new URL(to)
  const sockets = new Set<Socket>()
  let whole = true
  const hold = (socket: Socket) => {
    sockets.add(socket)
    // Connection errors are expected: the tests cut connections.
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket))
    return socket
  }
  const server = createServer(near => {
    hold(near)
    if (!whole) return near.destroy()
    const far = hold(connect(Number(port), hostname))
    near.on('close', () => far.destroy())
    far.on('close', () => near.destroy())
    near.pipe(far).pipe(near)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const hangUp = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut() {
      whole = false
      hangUp()
    },
    restore() {
      whole = true
    },
    close() {
      server.close()
      hangUp()
    },
  }
}
