import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { type ClientRequest, createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { isLoopbackHost, isPublicAddress } from './ip-addresses.ts'
import { FetchRefused, type SafeFetchOptions, type SafePostOptions, safeFetch, safePost } from './safe-fetch.ts'

test.each([
  ...['0.0.0.0', '10.1.2.3', '100.64.0.1', '100.127.255.255', '127.0.0.1', '127.9.9.9', '169.254.169.254'],
  ...['172.16.0.1', '172.31.255.255', '192.0.0.1', '192.168.1.1', '198.18.0.1', '224.0.0.1', '240.0.0.1'],
  ...['255.255.255.255', '192.0.2.1', '198.51.100.1', '203.0.113.1', '192.88.99.1'],
  ...['::', '::1', 'fc00::1', 'fdff::1', 'fe80::1', 'fe80::1%eth0', 'ff02::1', '2001:db8::1', '3fff::1'],
  ...['::ffff:127.0.0.1', '::ffff:8.8.8.8', '::ffff:7f00:1', '::127.0.0.1', '64:ff9b::7f00:1', '64:ff9b:1::1'],
  ...['2002:7f00:1::', '2001:0:7f00:1::', 'example.com', '', '2130706433', '0x7f000001', '127.1'],
])('%s is no public address', address => {
  expect(isPublicAddress(address)).toBe(false)
})

test.each(['8.8.8.8', '1.1.1.1', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2a00:1450:4001::1'])(
  '%s is a public address',
  address => expect(isPublicAddress(address)).toBe(true),
)

test('loopback hosts are distinguished from similar names', () => {
  for (const host of ['localhost', 'LOCALHOST', 'photos.localhost', '127.0.0.1', '127.8.9.1', '[::1]', '::1']) {
    expect([host, isLoopbackHost(host)]).toEqual([host, true])
  }
  for (const host of [
    'localhost.evil.example',
    '127.0.0.1.nip.io',
    'notlocalhost',
    '0.0.0.0',
    '[::]',
    '10.0.0.1',
    '',
  ]) {
    expect([host, isLoopbackHost(host)]).toEqual([host, false])
  }
})

describe('fetching an address that somebody else has chosen', () => {
  test.each([
    ['http://127.0.0.1:9/a.png', 'Only https'],
    ['http://93.184.215.14/a.png', 'Only https'],
    ['https://127.0.0.1/a.png', 'public server'],
    ['https://2130706433/a.png', 'public server'],
    ['https://0x7f.1/a.png', 'public server'],
    ['https://[::1]/a.png', 'public server'],
    ['https://[::ffff:10.0.0.1]/a.png', 'public server'],
    ['https://[fe80::1]/a.png', 'public server'],
    ['https://169.254.169.254/latest/meta-data', 'public server'],
    ['https://localhost/a.png', 'public server'],
    ['https://93.184.215.14:8443/a.png', 'standard port'],
    ['https://name:password@93.184.215.14/a.png', 'password'],
    ['file:///etc/passwd', 'web address'],
    ['data:image/png;base64,AAAA', 'web address'],
    ['nothing of the kind', 'not a URL'],
  ])('%s is refused', async (address, reason) => {
    await expect(fetched(address)).rejects.toThrow(FetchRefused)
    await expect(fetched(address)).rejects.toThrow(reason)
  })

  test('a name is refused when one of its addresses is private', async () => {
    const resolve = async () => ['93.184.215.14', '10.0.0.1']
    await expect(fetched('https://mixed.example/a.png', { resolve })).rejects.toThrow('public server')
    await expect(fetched('https://none.example/a.png', { resolve: async () => [] })).rejects.toThrow('public server')
  })

  test('a name is resolved once, and the connection goes to the address that was checked', async () => {
    let asked = 0
    // DNS rebinding: first a public address in an unassigned range, where nothing answers, then loopback.
    const resolve = async () => [asked++ === 0 ? '2000::1' : '127.0.0.1']
    const failure = await fetched('https://rebound.example/a.png', { resolve, timeoutMs: 1_000 }).catch(error => error)
    expect(failure).not.toBeInstanceOf(FetchRefused)
    expect(String(failure.cause ?? failure)).not.toContain('127.0.0.1')
    expect(asked).toBe(1)
  })

  test('where the first address of a name does not answer, the next one is tried', async () => {
    const tried = addressesTried()
    // Public, but in a range that is not assigned: nothing answers.
    const resolve = async () => ['2000::1', '2000::2']
    const failure = await fetched('https://two.example/a.png', { resolve, timeoutMs: 2_000 }).catch(error => error)
    expect(failure).not.toBeInstanceOf(FetchRefused)
    for (const { address } of failure.errors ?? []) tried.add(address)
    expect([...tried]).toContain('2000::2')
  })

  test('a name that nobody resolves is given up in time', async () => {
    const resolve = () => new Promise<never>(() => undefined)
    await expect(fetched('https://slow.example/a.png', { resolve, timeoutMs: 200 })).rejects.toThrow(/abort/i)
    const stopped = AbortSignal.abort(new Error('The job was stopped'))
    await expect(fetched('https://slow.example/a.png', { resolve, signal: stopped })).rejects.toThrow('was stopped')
  })

  test('the server is asked for the type that is wanted', async () => {
    const asked: (string | undefined)[] = []
    const { origin } = await serving((request, response) => {
      asked.push(request.headers.accept)
      response.writeHead(200, { 'content-type': 'audio/ogg' }).end('a sound')
    })
    await fetched(`${origin}/a`, { trustedOrigin: origin, typePrefix: 'audio/' })
    expect(asked).toEqual(['audio/*'])
  })

  test('the configured origin is fetched from, although it is on this machine', async () => {
    const { origin } = await serving(picture)
    expect(await fetched(`${origin}/a.png`, { trustedOrigin: origin })).toEqual(Buffer.from('the picture'))
  })

  test('another port of the configured host is not', async () => {
    const [provider, other] = [await serving(picture), await serving(picture)]
    await expect(fetched(`${other.origin}/a.png`, { trustedOrigin: provider.origin })).rejects.toThrow(FetchRefused)
    expect(other.requests).toEqual([])
  })

  test('a redirect is followed within the configured origin, and nowhere else on this machine', async () => {
    const other = await serving(picture)
    const provider = await serving((request, response) => {
      if (request.url === '/moved') return void response.writeHead(302, { location: '/a.png' }).end()
      if (request.url === '/away') return void response.writeHead(302, { location: `${other.origin}/a.png` }).end()
      if (request.url === '/circle') return void response.writeHead(302, { location: '/circle' }).end()
      picture(request, response)
    })
    const trusting = { trustedOrigin: provider.origin }
    expect(await fetched(`${provider.origin}/moved`, trusting)).toEqual(Buffer.from('the picture'))
    await expect(fetched(`${provider.origin}/away`, trusting)).rejects.toThrow(FetchRefused)
    await expect(fetched(`${provider.origin}/circle`, trusting)).rejects.toThrow('too often')
    expect(other.requests).toEqual([])
  })

  test.each([
    ['another type', { 'content-type': 'text/html' }, 'of another type'],
    ['no type', {}, 'of another type'],
    ['a compressed body', { 'content-type': 'image/png', 'content-encoding': 'gzip' }, 'compressed'],
    ['a length beyond the limit', { 'content-type': 'image/png', 'content-length': '2000' }, 'too large'],
  ])('an answer with %s is refused', async (_name, headers, reason) => {
    const { origin } = await serving((_request, response) => {
      response.writeHead(200, headers)
      response.flushHeaders()
    })
    await expect(fetched(`${origin}/a.png`, { trustedOrigin: origin })).rejects.toThrow(reason)
  })

  test('a body without end, and one that stalls, are given up', async () => {
    const { origin } = await serving((request, response) => {
      response.writeHead(200, { 'content-type': 'image/png' })
      response.write('x'.repeat(request.url === '/endless' ? 2_000 : 10))
    })
    const trusting = { trustedOrigin: origin }
    await expect(fetched(`${origin}/endless`, trusting)).rejects.toThrow('too large')
    await expect(fetched(`${origin}/stalls`, { ...trusting, timeoutMs: 300 })).rejects.toThrow(/abort/i)
  })
})

describe('posting to an address that somebody else has chosen', () => {
  test.each([
    ['http://93.184.215.14/push', 'Only https'],
    ['https://127.0.0.1/push', 'public server'],
    ['https://[::ffff:169.254.169.254]/push', 'public server'],
    ['https://localhost/push', 'public server'],
    ['https://93.184.215.14:8443/push', 'standard port'],
    ['https://name:password@93.184.215.14/push', 'password'],
    ['file:///etc/passwd', 'web address'],
  ])('%s is refused', async (address, reason) => {
    await expect(posted(address)).rejects.toThrow(FetchRefused)
    await expect(posted(address)).rejects.toThrow(reason)
  })

  test('body and headers arrive, and every status is an answer', async () => {
    const bodies: string[] = []
    const { origin } = await serving(async (request, response) => {
      bodies.push(`${request.method} ${request.headers.ttl} ${await text(request)}`)
      response.writeHead(request.url === '/gone' ? 410 : 201, { 'retry-after': '7' }).end('thanks')
    })
    const trusting = { trustedOrigin: origin, headers: { ttl: 60 } }
    expect(await posted(`${origin}/here`, trusting)).toMatchObject({ status: 201, headers: { 'retry-after': '7' } })
    expect(await posted(`${origin}/gone`, trusting)).toMatchObject({ status: 410 })
    expect(bodies).toEqual(['POST 60 a message', 'POST 60 a message'])
  })

  test('a redirect is not followed', async () => {
    const other = await serving(picture)
    const { origin } = await serving((_request, response) => {
      response.writeHead(307, { location: `${other.origin}/a` }).end()
    })
    expect(await posted(`${origin}/moved`, { trustedOrigin: origin })).toMatchObject({ status: 307 })
    expect(other.requests).toEqual([])
  })

  test('an answer without end is cut off, and one that stalls is given up', async () => {
    const { origin, connections } = await serving((request, response) => {
      response.writeHead(201)
      response.write('x'.repeat(request.url === '/endless' ? 200_000 : 10))
    })
    expect(await posted(`${origin}/endless`, { trustedOrigin: origin })).toMatchObject({ status: 201 })
    await expect.poll(connections).toBe(0)
    await expect(posted(`${origin}/stalls`, { trustedOrigin: origin, timeoutMs: 300 })).rejects.toThrow(/abort/i)
  })
})

function posted(address: string, options: Partial<SafePostOptions> = {}) {
  const { signal } = new AbortController()
  const body = Buffer.from('a message')
  return safePost(address, { headers: {}, body, maxBytes: 1_000, timeoutMs: 5_000, signal, ...options })
}

/** Records the addresses that requests of this process try to connect to. */
function addressesTried(): Set<string> {
  const tried = new Set<string>()
  const note = (message: unknown) => {
    const { request } = message as { request: ClientRequest }
    request.socket?.on('connectionAttempt', address => tried.add(address))
  }
  subscribe('http.client.request.start', note)
  onTestFinished(() => void unsubscribe('http.client.request.start', note))
  return tried
}

const picture: RequestListener = (_request, response) => {
  response.writeHead(200, { 'content-type': 'image/png' }).end('the picture')
}

async function fetched(address: string, options: Partial<SafeFetchOptions> = {}): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'heirloom-fetch-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const into = join(folder, 'fetched')
  const { signal } = new AbortController()
  await safeFetch(address, { into, typePrefix: 'image/', maxBytes: 1_000, timeoutMs: 5_000, signal, ...options })
  return readFile(into)
}

interface Serving {
  origin: string
  requests: (string | undefined)[]
  connections: () => Promise<number>
}

async function serving(listener: RequestListener): Promise<Serving> {
  const requests: (string | undefined)[] = []
  const server: Server = createServer((request, response) => {
    requests.push(request.url)
    listener(request, response)
  })
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const connections = () => promisify(server.getConnections.bind(server))()
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests, connections }
}
