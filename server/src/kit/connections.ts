import type { Server } from 'node:http'
import { addressGroup, proxyMatcher, type TrustedProxies, unmapped } from './ip-addresses.ts'

/**
 * Limits the connections of a server: in all, and to half of them those of one address (an IPv6 network of 64 bits), so that
 * nobody takes all. A trusted proxy connects for everybody.
 */
export function limitConnections(server: Server, max: number, trusted: TrustedProxies): void {
  server.maxConnections = max
  const isProxy = proxyMatcher(trusted)
  const open = new Map<string, number>()
  server.on('connection', socket => {
    const remote = unmapped(socket.remoteAddress ?? '')
    if (isProxy(remote, 0)) return
    const address = addressGroup(remote)
    const count = (open.get(address) ?? 0) + 1
    if (count > max / 2) return void socket.destroy()
    open.set(address, count)
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1
      if (left > 0) open.set(address, left)
      else open.delete(address)
    })
  })
}
