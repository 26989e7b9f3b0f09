import type { IncomingMessage } from 'node:http'
import { describe, expect, test } from 'vitest'
import { addressGroup, clientAddressReader, type TrustedProxies } from './ip-addresses.ts'

function addressOf(trusted: TrustedProxies, socket: string, forwarded?: string): string {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
  return clientAddressReader(trusted)({ socket: { remoteAddress: socket }, headers } as unknown as IncomingMessage)
}

const nobody: TrustedProxies = { hops: 0 }
const one: TrustedProxies = { hops: 1 }
const two: TrustedProxies = { hops: 2 }
const listed: TrustedProxies = { addresses: ['10.0.0.2', '172.18.0.0/16', 'fd00::/8'] }

describe('the address of a client', () => {
  test.each<[string, TrustedProxies, string, string | undefined, string]>([
    ['without a proxy is the socket’s', nobody, '1.1.1.1', '2.2.2.2', '1.1.1.1'],
    ['behind one proxy is what that proxy wrote', one, '127.0.0.1', '6.6.6.6, 2.2.2.2', '2.2.2.2'],
    ['behind one proxy that wrote nothing is the proxy’s', one, '127.0.0.1', undefined, '127.0.0.1'],
    ['behind two proxies is the last but one', two, '127.0.0.1', '6.6.6.6, 2.2.2.2, 3.3.3.3', '2.2.2.2'],
    ['behind fewer proxies than said is the first', two, '127.0.0.1', '2.2.2.2', '2.2.2.2'],
    ['is the first untrusted from the right', listed, '10.0.0.2', '6.6.6.6, 2.2.2.2, 172.18.3.4', '2.2.2.2'],
    ['of a stranger who claims to be a proxy is their own', listed, '9.9.9.9', '2.2.2.2, 10.0.0.2', '9.9.9.9'],
    ['where all are proxies is the first', listed, '10.0.0.2', '172.18.0.9', '172.18.0.9'],
    ['by an IPv6 proxy', listed, 'fd12::1', '2001:db8::1', '2001:db8::1'],
    ['by a proxy that IPv6 names', listed, '::ffff:10.0.0.2', '2.2.2.2', '2.2.2.2'],
    ['that is mapped into IPv6 is the IPv4 one', one, '127.0.0.1', '::ffff:2.2.2.2', '2.2.2.2'],
    ['that is none is the socket’s', one, '127.0.0.1', 'unknown', '127.0.0.1'],
    ['that is no address at all is the socket’s', one, '127.0.0.1', `2.2.2.2, ${'x'.repeat(5_000)}`, '127.0.0.1'],
    ['with a port is the socket’s', one, '127.0.0.1', '2.2.2.2:80', '127.0.0.1'],
    ['among empty entries', one, '127.0.0.1', ' , 2.2.2.2, ,', '2.2.2.2'],
  ])('%s', (_, trusted, socket, forwarded, expected) => {
    expect(addressOf(trusted, socket, forwarded)).toBe(expected)
  })
})

test.each([
  ['1.2.3.4', '1.2.3.4'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:0001:2:ffff::1', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
])('limits count %s under %s', (address, group) => {
  expect(addressGroup(address)).toBe(group)
})
