import { createConnection } from 'node:net'
import { fastify } from 'fastify'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { confirmSignIn, providerReturnPath, signInPath, whoAmI } from '#contract/auth.ts'
import { DAY, anonymousCosts as limits } from '#contract/limits.ts'
import { listMedia } from '#contract/media-list.ts'
import { Browser } from '../../test/browser.ts'
import { type Library, startLibrary, startOfWindow } from '../../test/library.ts'
import { CostLimiter } from './cost-limiter.ts'
import { OpenRequests } from './open-requests.ts'
import { TooManyRequests } from './rate-limiter.ts'
import { registerSessionGuard } from './serve.ts'

// Hundreds of requests in each test are slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

let library: Library
beforeAll(async () => {
  library = await startLibrary()
})
afterAll(() => library.close())

const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })

test('an address that costs the server too much without a session must wait, on every route', async () => {
  const { anyone } = library
  const ben = await library.signInAs('ben')
  const home = from('10.88.0.1')
  const status = async (path: string, init: RequestInit = home) => (await anyone.fetch(path, init)).status
  const avatar = '/files/avatars/none.jpg'
  const asset = /src="(\/assets\/[^"]+)"/.exec(await (await anyone.fetch('/')).text())?.[1] ?? ''

  // Nothing comes back while the requests are sent, however slow the machine is.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  onTestFinished(() => void vi.useRealTimers())
  const answers = await Promise.all(Array.from({ length: limits.burst / 10 + 5 }, () => status('/shared/1/zip')))
  expect(answers.filter(answer => answer === 429)).toHaveLength(5)
  for (const path of ['/', '/api/docs/', signInPath, '/auth/settings', '/auth/nothing', '/api/media']) {
    const { status, headers } = await anyone.fetch(path, home)
    expect([path, status, headers.get('retry-after')]).toEqual([path, 429, '1'])
  }
  // A family behind the same address, its pictures, a monitor, and other addresses.
  expect((await ben.fetch(listMedia.path, home)).status).toBe(200)
  expect([await status('/healthz'), await status(asset), await status(avatar)]).toEqual([200, 200, 403])
  expect(await status('/', from('10.88.0.2'))).toBe(200)

  library.pass((limits.burst / limits.perSecond) * 1_000)
  expect(await status('/api/docs/openapi.json')).toBe(200)
})

test('tokens that are not valid are looked up only while their address can pay for it', async () => {
  const { app, lookedUp } = guarded({ burst: 9, perSecond: 0 })
  const ask = async (token: string) => {
    const headers = { authorization: `Bearer ${token}` }
    return (await app.inject({ method: 'GET', url: '/api/nothing', headers })).statusCode
  }
  const [atHome, elsewhere, made] = ['valid-token-at-home-0001', 'valid-token-elsewhere-01', 'made-up-token-number-001']
  // A valid token costs nothing, however often it is used.
  for (let i = 0; i < 10; i++) expect(await ask(atHome)).toBe(404)
  for (let i = 0; i < 10; i++) expect(await ask(made)).toBe(i < 3 ? 401 : 429)
  expect(lookedUp(made)).toBe(3)
  expect(await ask(atHome)).toBe(404)
  expect(await ask(elsewhere)).toBe(429)
})

/** The guard alone, so that the test can count what reaches the database. */
function guarded(budget: { burst: number; perSecond: number }) {
  const app = fastify()
  onTestFinished(() => app.close())
  const tokens: string[] = []
  registerSessionGuard(app, {
    openRequests: new OpenRequests(),
    limiter: { hit: async () => undefined },
    anonymousCosts: new CostLimiter(budget, Date.now),
    authenticate: async token => {
      tokens.push(token)
      return token.startsWith('valid') ? { id: 1, role: 'member', sessionId: token } : undefined
    },
    endOfSession: async () => undefined,
  })
  app.setErrorHandler((error, _request, reply) => {
    reply.code(error instanceof TooManyRequests ? 429 : 401).send()
  })
  return { app, lookedUp: (wanted: string) => tokens.filter(token => token === wanted).length }
}

test('200 people behind one address load the page, sign in and look around', async () => {
  const address = '10.89.0.1'
  const ben = await library.signInAs('ben')
  const seen = new Map<number, number>()
  const visit = async (person: number) => {
    const browser = new Browser(address)
    const open = async (path: string, init: RequestInit = {}) => {
      const { status } = await browser.visit(new URL(path, library.url), init)
      seen.set(status, (seen.get(status) ?? 0) + 1)
    }
    for (const path of ['/', '/auth/settings', signInPath, `${providerReturnPath}?state=forged`, '/auth/callback'])
      await open(path)
    await open(confirmSignIn.path, { method: 'POST' })
    const headers = { authorization: `Bearer ${ben.token}` }
    for (const path of [whoAmI.path, listMedia.path, '/api/folders']) await open(path, { headers })
    if (person % 50 === 0) expect((await library.signIn('rose', new Browser(address))).search).toContain('token=')
  }
  for (const half of [0, 100]) {
    // The specification allows 120 sign-ins a minute.
    startOfWindow(library)
    await Promise.all(Array.from({ length: 100 }, (_, i) => visit(half + i)))
  }
  expect([...seen.keys()].sort()).toEqual([200, 302, 403])
})

test('a hundred pipelined requests for the API document do not delay the others', async () => {
  const { anyone, url } = library
  expect((await anyone.fetch('/healthz')).status).toBe(200)
  const socket = createConnection({ host: url.hostname, port: Number(url.port) })
  onTestFinished(() => void socket.destroy())
  let received = ''
  socket.setEncoding('latin1').on('data', text => {
    received += text
  })
  const answered = () => received.match(/HTTP\/1\.1 200/g)?.length ?? 0
  socket.write('GET /api/docs/openapi.yaml HTTP/1.1\r\nhost: x\r\nx-forwarded-for: 10.90.0.1\r\n\r\n'.repeat(100))
  await expect.poll(answered, { interval: 1 }).toBeGreaterThan(0)
  expect((await anyone.fetch('/healthz')).status).toBe(200)
  expect(answered()).toBeLessThan(100)
  await expect.poll(answered, { timeout: 20_000 }).toBe(100)
})

test('a body that is sent to an unknown address is not parsed', async () => {
  const init = { method: 'POST', body: '{"broken', headers: { 'content-type': 'application/json' } }
  expect((await library.anyone.fetch('/nothing', init)).status).toBe(404)
})

test('what was spent comes back with time, and the memory for it is bounded', () => {
  let now = DAY
  const limiter = new CostLimiter({ burst: 10, perSecond: 2 }, () => now, 100)
  limiter.spend('ada', 9)
  expect(() => limiter.spend('ada', 4)).toThrow(expect.objectContaining({ retryAfterSeconds: 2 }))
  limiter.spend('ada', 1)
  now += 2_000
  limiter.spend('ada', 4)
  expect(() => limiter.spend('ada', 1)).toThrow(TooManyRequests)
  now += DAY
  expect(() => limiter.spend('ada', 11)).toThrow(TooManyRequests)
  limiter.spend('ada', 10)
  for (let i = 0; i < 100; i++) limiter.spend(`stranger ${i}`, 1)
  limiter.spend('ada', 10)
})
