import type { IncomingMessage } from 'node:http'
import { isIP, isIPv4 } from 'node:net'
import { networkList } from './public-address.ts'

/** Whose X-Forwarded-For counts: nobody's, that of so many proxies in a row, or that of these addresses and networks. */
export type TrustedProxies = { hops: number } | { addresses: readonly string[] }

/**
 * Finds the address that a request came from. Each proxy appends the address of its own client to X-Forwarded-For, so
 * the header is read from the right: what lies left of the first untrusted address may be invented by the client.
 */
export function clientAddressReader(trusted: TrustedProxies): (request: IncomingMessage) => string {
  const isTrusted =
    'hops' in trusted ? (_address: string, hop: number) => hop < trusted.hops : matcher(trusted.addresses)
  return ({ socket, headers }) => {
    const nearest = unmapped(socket.remoteAddress ?? '')
    if (!isTrusted(nearest, 0)) return nearest
    const forwarded = String(headers['x-forwarded-for'] ?? '')
      .split(',')
      .map(entry => entry.trim())
      .filter(Boolean)
      .reverse()
    let client = nearest
    for (const [hop, entry] of forwarded.entries()) {
      // A proxy that writes anything but an address tells nothing about the client.
      if (!isIP(entry)) return nearest
      client = unmapped(entry)
      if (!isTrusted(client, hop + 1)) break
    }
    return client
  }
}

/** What rate limits count under: an IPv6 customer has at least a /64 network of addresses. */
export function addressGroup(address: string): string {
  if (isIP(address) !== 6) return address
  const [head = '', tail] = address.replace(/%.*$/, '').toLowerCase().split('::')
  const left = head.split(':').filter(Boolean)
  const right = tail === undefined ? [] : tail.split(':').filter(Boolean)
  // An IPv4 address at the end stands for two groups.
  const groups = right.length + (right.at(-1)?.includes('.') ? 1 : 0)
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - groups)
  const network = [...left, ...Array<string>(zeros).fill('0'), ...right].slice(0, 4)
  return `${network.map(group => group.replace(/^0+(?=.)/, '')).join(':')}::/64`
}

function matcher(addresses: readonly string[]): (address: string) => boolean {
  const list = networkList(addresses)
  return address => isIP(address) !== 0 && list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')
}

/** A socket that listens on IPv6 names its IPv4 clients as ::ffff:192.0.2.1. */
function unmapped(address: string): string {
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address
}
