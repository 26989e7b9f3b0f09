import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A TCP proxy that can simulate a network failure: closing it breaks open connections and refuses new ones. */
export interface TcpProxy {
  url: string
  close(): void
  open(): void
}

export async function openTcpProxy(target: URL): Promise<TcpProxy> {
  const sockets = new Set<Socket>()
  let closed = false
  const server = createServer(socket => {
    if (closed) return void socket.destroy()
    const beyond = connect(Number(target.port), target.hostname)
    for (const [end, other] of [
      [socket, beyond],
      [beyond, socket],
    ] as const) {
      sockets.add(end)
      end.on('error', () => other.destroy())
      end.on('close', () => {
        sockets.delete(end)
        other.destroy()
      })
      end.pipe(other)
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      closed = true
      for (const socket of sockets) socket.destroy()
    },
    open() {
      closed = false
    },
  }
}
