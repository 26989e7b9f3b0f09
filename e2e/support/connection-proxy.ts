import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A TCP proxy in front of the server whose connections can be cut, or stop passing data, at any moment. */
export interface ConnectionProxy {
  url: string
  cut(): void
  /** Keeps connections open without passing anything on, like a server that hangs. */
  hang(): void
  restore(): void
  close(): void
}

export async function openConnectionProxy(to: string): Promise<ConnectionProxy> {
  const { port, hostname } = new URL(to)
  const sockets = new Set<Socket>()
  let whole = true
  let hanging = false
  const hold = (socket: Socket) => {
    sockets.add(socket)
    // Connection errors are expected: the tests cut connections.
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket))
    return socket
  }
  const server = createServer(near => {
    hold(near)
    if (hanging) return near.pause()
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
    hang() {
      hanging = true
      for (const socket of sockets) socket.pause()
    },
    restore() {
      whole = true
      // A server that goes on would answer; here the browser sends its requests again.
      if (hanging) hangUp()
      hanging = false
    },
    close() {
      server.close()
      hangUp()
    },
  }
}
