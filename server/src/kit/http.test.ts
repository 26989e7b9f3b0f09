import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { confirmSignIn } from '#contract/auth.ts'
import { jsonBodyBytes, jsonDepth } from '#contract/limits.ts'
import { Browser } from '../../test/browser.ts'
import { type Library, type SignedIn, startLibrary } from '../../test/library.ts'
import { isTooDeep } from './http.ts'

let library: Library
let ben: SignedIn
beforeAll(async () => {
  library = await startLibrary()
  ben = await library.signInAs('ben')
})
afterAll(() => library.close())

describe('every failure has the one shape', () => {
  const json = { 'content-type': 'application/json' }
  const failures: [what: string, status: number, code: string, send: () => Promise<Response>][] = [
    ['no session', 401, 'not_signed_in', () => library.anyone.fetch('/api/users')],
    ['not an admin', 403, 'forbidden', () => ben.fetch('/api/admin/stats')],
    ['an unknown path of the API', 404, 'not_found', () => ben.fetch('/api/nothing')],
    ['an unknown path beside the API', 404, 'not_found', () => ben.fetch('/auth/nothing')],
    ['an unknown method', 404, 'not_found', () => ben.fetch('/api/users', { method: 'DELETE' })],
    ['an address that cannot be read', 400, 'malformed', () => ben.fetch('/%ff')],
    ['one of the API that cannot be read', 400, 'malformed', () => ben.fetch('/api/media/%c0%af/file?x=%')],
    ['the same without a session', 401, 'not_signed_in', () => library.anyone.fetch('/api/media/%c0%af/file')],
    ['an overlong part of an address', 400, 'malformed', () => ben.fetch(`/api/media/${'1'.repeat(9_000)}`)],
    ['one without a session', 401, 'not_signed_in', () => library.anyone.fetch(`/api/media/${'1'.repeat(9_000)}`)],
    ['broken JSON', 400, 'malformed', () => post('/auth/logout', '{"a":', json)],
    ['JSON that would change every object', 400, 'malformed', () => post('/auth/logout', '{"__proto__":{}}', json)],
    ['JSON that nests too deep', 400, 'malformed', () => post('/auth/logout', '['.repeat(500_000), json)],
    ['a body of no known kind', 400, 'malformed', () => post('/auth/logout', 'hello', { 'content-type': 'x/y' })],
    ['too much JSON', 413, 'too_large', () => post('/auth/logout', JSON.stringify('x'.repeat(jsonBodyBytes)), json)],
  ]
  test.each(failures)('%s: %i %s', async (_, status, code, send) => {
    const response = await send()
    expect(response.status).toBe(status)
    expect(response.headers.get('content-type')).toMatch(/^application\/json/)
    expect(response.headers.get('cache-control')).toBe('no-store')
    const answer = { ...((await response.json()) as object), values: undefined }
    expect(answer).toEqual({ error: expect.stringMatching(/^[A-Z].+\.$/), code, key: expect.any(String) })
  })

  test.each([
    ['what is not HTTP', 'nonsense\r\n\r\n', 400, 'malformed'],
    ['headers without end', `GET / HTTP/1.1\r\nhost: x\r\nx: ${'x'.repeat(100_000)}\r\n\r\n`, 431, 'malformed'],
  ])('%s', async (_, sent, status, code) => {
    const answer = await overTheWire(library, sent)
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toEqual({
      error: expect.any(String),
      code,
      key: 'request.notUnderstood',
    })
  })

  function post(path: string, body: string, headers: Record<string, string>): Promise<Response> {
    return ben.fetch(path, { method: 'POST', body, headers })
  }
})

describe('bodies', () => {
  test('are not read without a session', async () => {
    const body = JSON.stringify('x'.repeat(jsonBodyBytes))
    const headers = { 'content-type': 'application/json' }
    expect((await library.anyone.fetch('/auth/logout', { method: 'POST', body, headers })).status).toBe(401)
  })

  test('of calls that anyone may make are not parsed', async () => {
    const body = JSON.stringify('x'.repeat(2_000))
    const headers = { 'content-type': 'application/json' }
    const response = await library.anyone.fetch(confirmSignIn.path, { method: 'POST', body, headers })
    expect(response.status).toBe(413)
  })

  test('may be as large as the limit', async () => {
    const rose = await library.signInAs('rose')
    const body = JSON.stringify('x'.repeat(jsonBodyBytes - 2))
    const headers = { 'content-type': 'application/json' }
    expect((await rose.fetch('/auth/logout', { method: 'POST', body, headers })).status).toBe(204)
  })

  test('may be missing where none is asked for, whatever the header says', async () => {
    const rose = await library.signInAs('rose')
    const headers = { 'content-type': 'application/json' }
    expect((await rose.fetch('/auth/logout', { method: 'POST', headers })).status).toBe(204)
  })
})

describe('headers', () => {
  const everywhere = [
    '/',
    '/login',
    '/healthz',
    '/auth/settings',
    '/auth/google',
    '/api/users',
    '/api/docs',
    '/nowhere.js',
  ]
  test.each(everywhere)('%s is locked down', async path => {
    const { headers } = await ben.fetch(path)
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(/default-src '(self|none)'/)
    expect(policy).toMatch(/frame-ancestors 'none'/)
    expect(policy).toMatch(/base-uri 'none'/)
    expect(policy).not.toMatch(/script-src[^;]*'unsafe-(inline|eval)'/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('strict-transport-security')).toBeNull()
    expect(headers.get('x-powered-by')).toBeNull()
    expect(headers.get('access-control-allow-origin')).toBeNull()
  })

  test('the pages run no inline script but their own', async () => {
    const { headers } = await ben.fetch('/')
    expect(headers.get('content-security-policy')).toMatch(/script-src 'self' 'wasm-unsafe-eval'( 'sha256-[^']+')*;/)
  })

  test('answers about the family are kept by no cache', async () => {
    for (const path of ['/auth/me', '/api/users']) {
      expect((await ben.fetch(path)).headers.get('cache-control')).toBe('no-store')
    }
  })

  test('every answer bears an id of its own, which nobody outside can choose', async () => {
    const [first, second] = await Promise.all([
      ben.fetch('/auth/me', { headers: { 'x-request-id': 'mine', 'request-id': 'mine' } }),
      library.anyone.fetch('/api/nothing'),
    ])
    const ids = [first, second].map(({ headers }) => headers.get('x-request-id'))
    expect(ids).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), expect.stringMatching(/^[0-9a-f-]{36}$/)])
    expect(new Set(ids).size).toBe(2)
    for (const id of ids) expect(library.log.some(line => line.includes(`"reqId":"${id}"`))).toBe(true)
  })

  test('behind https the response sets HSTS and the cookie is Secure', async () => {
    const secure = await startLibrary({ environment: { PUBLIC_URL: 'https://photos.example' } })
    onTestFinished(secure.close)
    const { headers } = await secure.anyone.fetch('/healthz')
    expect(headers.get('strict-transport-security')).toMatch(/max-age=31536000/)
    const left = await new Browser().visit(new URL('/auth/google', secure.url))
    expect(left.headers.getSetCookie()[0]).toMatch(/; Secure/)
    expect(left.headers.get('location')).toContain(encodeURIComponent('https://photos.example/auth/google/callback'))
  })
})

test('a trailing slash makes no difference', async () => {
  const ada = await library.admin()
  expect((await ada.fetch('/api/admin/stats/')).status).toBe(200)
  expect((await library.anyone.fetch('/api/admin/stats/')).status).toBe(401)
})

test('another spelling of a path has the same session check', async () => {
  for (const path of ['/%61pi/users', '/api/%75sers', '/api//users', '/api/../api/users', '/API/users', '/api?x']) {
    const response = await overTheWire(library, `GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`)
    expect([path, response]).toEqual([path, expect.not.stringContaining('"username"')])
    if (!path.startsWith('/API')) expect([path, response]).toEqual([path, expect.stringMatching(/^HTTP\/1.1 401 /)])
  }
})

/** Sends raw bytes that no HTTP client would, and reads until the server closes the connection. */
async function overTheWire({ url }: Library, sent: string): Promise<string> {
  const socket = connect(Number(url.port), url.hostname)
  let received = ''
  socket.on('data', chunk => {
    received += chunk
  })
  socket.end(sent)
  // The server may close the connection with unread data, which this end sees as an error.
  await new Promise(resolve => socket.on('error', resolve).on('close', resolve))
  return received
}

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

test('counts nested lists and objects, whatever is between them', () => {
  expect(isTooDeep(nested(jsonDepth))).toBe(false)
  expect(isTooDeep(nested(jsonDepth + 1))).toBe(true)
  expect(isTooDeep('{"a":'.repeat(jsonDepth + 1))).toBe(true)
  expect(isTooDeep(`[${Array(1_000).fill('[]').join(',')}]`)).toBe(false)
})

test('brackets in texts do not count, quotes that are escaped end no text', () => {
  expect(isTooDeep(JSON.stringify('['.repeat(1_000)))).toBe(false)
  expect(isTooDeep(JSON.stringify(`"\\"${'['.repeat(1_000)}`))).toBe(false)
  expect(isTooDeep(JSON.stringify('\\') + nested(jsonDepth + 1))).toBe(true)
})
