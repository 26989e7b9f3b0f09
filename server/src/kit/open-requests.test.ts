import { request } from 'node:http'
import { Readable } from 'node:stream'
import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { listMedia } from '#contract/media-list.ts'
import { OpenRequests } from './open-requests.ts'
import { registerSessionGuard, StreamedJson, serve } from './serve.ts'

/** A server with routes that ignore sessions and stay open until they are ended. */
async function serverWithLongRoutes() {
  const openRequests = new OpenRequests()
  const app = Fastify({ forceCloseConnections: true })
  registerSessionGuard(app, {
    openRequests,
    limiter: { hit: async () => undefined },
    anonymousCosts: { spend: () => undefined, refund: () => undefined },
    authenticate: async token => ({ id: Number(token.slice(-1)), role: 'member', sessionId: token }),
    endOfSession: async () => undefined,
  })
  const never = new Promise<never>(() => undefined)
  let stopped = false
  async function* endless() {
    try {
      for (;;) {
        yield Buffer.from('more\n')
        await new Promise(resolve => setTimeout(resolve, 20))
      }
    } finally {
      stopped = true
    }
  }
  app.get('/api/silent', () => never)
  app.get('/api/quick', async () => ({}))
  app.get('/api/stream', (_request, reply) => reply.send(Readable.from(endless())))
  serve(app, listMedia, async () => new StreamedJson(endless()))
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => app.close())

  async function opened(path: string, token: string) {
    const sending = request(new URL(path, url), { headers: { authorization: `Bearer ${token}` } })
    sending.on('error', () => undefined).on('response', response => response.on('error', () => undefined).resume())
    const closed = new Promise<number>(resolve => sending.on('close', () => resolve(performance.now())))
    sending.end()
    await expect.poll(() => openRequests.sessionIds()).toContain(token)
    return { closed }
  }
  return { url, openRequests, opened, isStopped: () => stopped }
}

const [ada, ben] = ['a-token-of-ada-at-home-1', 'a-token-of-ben-at-home-2']

test.each(['/api/silent', '/api/stream', listMedia.path])('%s ends with its session', async path => {
  const { openRequests, opened, isStopped } = await serverWithLongRoutes()
  const [adas, bens] = [await opened(path, ada), await opened(path, ben)]
  const since = performance.now()
  openRequests.end({ sessionId: ada })
  const closedAt = await adas.closed
  if (process.env.LONG) expect(closedAt - since).toBeLessThan(1_500)
  await expect.poll(() => openRequests.sessionIds()).toEqual([ben])
  openRequests.end({ personId: 2 })
  await bens.closed
  await expect.poll(() => openRequests.sessionIds()).toEqual([])
  if (path !== '/api/silent') await expect.poll(isStopped).toBe(true)
})

test('nothing is kept of requests that are over', async () => {
  const { url, openRequests } = await serverWithLongRoutes()
  for (let i = 0; i < 50; i++) {
    await (await fetch(new URL('/api/quick', url), { headers: { authorization: `Bearer ${ada}` } })).text()
  }
  await expect.poll(() => openRequests.sessionIds()).toEqual([])
  const sending = request(new URL('/api/silent', url), { headers: { authorization: `Bearer ${ada}` } })
  sending.on('error', () => undefined).end()
  await expect.poll(() => openRequests.sessionIds()).toEqual([ada])
  sending.destroy()
  await expect.poll(() => openRequests.sessionIds()).toEqual([])
})
