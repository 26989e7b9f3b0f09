import type { IncomingMessage } from 'node:http'
import { BlockList, isIP, isIPv4 } from 'node:net'

/** IANA's special-purpose registry: RFC 6890 and its updates. */
const specialIPv4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]

/** Within 2000::/3, the only part of IPv6 that is routed: protocols (Teredo too), documentation, 6to4. */
const specialIPv6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

const routedIPv6 = networkList(['2000::/3'])
const special = { ipv4: networkList(specialIPv4), ipv6: networkList(specialIPv6) }

/** False for loopback, private, link-local, shared, reserved and multicast addresses, and for IPv4-mapped IPv6. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !special.ipv4.check(address, 'ipv4')
  if (isIP(address) === 6) return routedIPv6.check(address, 'ipv6') && !special.ipv6.check(address, 'ipv6')
  return false
}

const loopback = networkList(['127.0.0.0/8'])

/** Whether a host of a URL or a Host header (without port) is this machine. */
export function isLoopbackHost(host: string): boolean {
  const bare = host.replace(/^\[(.*)\]$/, '$1')
  if (isIP(bare) === 4) return loopback.check(bare, 'ipv4')
  return bare === '::1' || /^(?:[a-z0-9-]+\.)*localhost$/i.test(bare)
}

/** Undefined if the text is neither an address nor a network in CIDR notation. */
export function parseNetwork(text: string): { address: string; prefix: number; family: 'ipv4' | 'ipv6' } | undefined {
  const [, address = '', length] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  if (!isIP(address) || address.includes('%')) return undefined
  const longest = isIPv4(address) ? 32 : 128
  const prefix = length === undefined ? longest : Number(length)
  return prefix <= longest ? { address, prefix, family: isIPv4(address) ? 'ipv4' : 'ipv6' } : undefined
}

/** A list of networks to `check` addresses against. */
function networkList(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const text of networks) {
    const network = parseNetwork(text)
    if (!network) throw new Error(`${text} is not an address`)
    list.addSubnet(network.address, network.prefix, network.family)
  }
  return list
}

/** Whose X-Forwarded-For is trusted: nobody's, a chain of so many proxies, or these addresses and networks. */
export type TrustedProxies = { hops: number } | { addresses: readonly string[] }

/**
 * Determines the client's address of a request. Each proxy appends the address of its own client to X-Forwarded-For,
 * so the header is read from the right: entries left of the first untrusted address may be forged.
 */
export function clientAddressReader(trusted: TrustedProxies): (request: IncomingMessage) => string {
  const isTrusted = proxyMatcher(trusted)
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
      // An entry that is not an address says nothing about the client.
      if (!isIP(entry)) return nearest
      client = unmapped(entry)
      if (!isTrusted(client, hop + 1)) break
    }
    return client
  }
}

/** Whether an address is that of a trusted proxy, so many hops away from this server. */
export function proxyMatcher(trusted: TrustedProxies): (address: string, hop: number) => boolean {
  return 'hops' in trusted ? (_address, hop) => hop < trusted.hops : matcher(trusted.addresses)
}

/** The key of rate limits: an IPv6 customer has at least a /64 network of addresses. */
export function addressGroup(address: string): string {
  return isIP(address) === 6 ? `${groupsOf(address).slice(0, 4).join(':')}::/64` : address
}

/** Some have a /48, which is 65,536 of those. */
export function addressNetwork(address: string): string | undefined {
  return isIP(address) === 6 ? `${groupsOf(address).slice(0, 3).join(':')}::/48` : undefined
}

/** The groups of an IPv6 address, of which a trailing IPv4 address is left as it is. */
function groupsOf(address: string): string[] {
  const [head = '', tail] = address.replace(/%.*$/, '').toLowerCase().split('::')
  const left = head.split(':').filter(Boolean)
  const right = tail === undefined ? [] : tail.split(':').filter(Boolean)
  // A trailing IPv4 address counts as two groups.
  const groups = right.length + (right.at(-1)?.includes('.') ? 1 : 0)
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - groups)
  return [...left, ...Array<string>(zeros).fill('0'), ...right].map(group => group.replace(/^0+(?=.)/, ''))
}

function matcher(addresses: readonly string[]): (address: string) => boolean {
  const list = networkList(addresses)
  return address => isIP(address) !== 0 && list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')
}

/** A socket that listens on IPv6 reports IPv4 clients as ::ffff:192.0.2.1. */
export function unmapped(address: string): string {
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address
}
