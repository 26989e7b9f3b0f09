import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A line to the library that can be cut in the middle of anything, as a cable is. */
export interface Line {
  url: string
  cut(): void
  restore(): void
  close(): void
}

export async function openLine(to: string): Promise<Line> {
  const { port, hostname } = new URL(to)
  const sockets = new Set<Socket>()
  let whole = true
  const hold = (socket: Socket) => {
    sockets.add(socket)
    // What breaks here is what the test is about.
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
