import { fastify } from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { requestsOfSession } from '#contract/limits.ts'
import { CostLimiter } from './cost-limiter.ts'
import { OpenRequests } from './open-requests.ts'
import { registerSessionGuard } from './serve.ts'

/** A server with a session guard whose answers wait until they are let go. */
async function slowServer() {
  const app = fastify({ forceCloseConnections: true })
  onTestFinished(() => app.close())
  registerSessionGuard(app, {
    openRequests: new OpenRequests(),
    limiter: { hit: async () => undefined },
    anonymousCosts: new CostLimiter({ burst: 1_000, perSecond: 0 }, Date.now),
    authenticate: async token => ({ id: token.startsWith('ben') ? 1 : 2, role: 'member', sessionId: token }),
    endOfSession: async () => undefined,
  })
  const running: string[] = []
  const hold = Promise.withResolvers<void>()
  app.get('/api/slow/:who', async ({ params }) => {
    running.push((params as { who: string }).who)
    await hold.promise
    return 'done'
  })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const ask = (who: string, session = who, signal: AbortSignal | null = null) =>
    fetch(new URL(`/api/slow/${who}`, url), {
      headers: { authorization: `Bearer ${session}-session-of-this-test` },
      signal,
    })
  const started = (who: string) => running.filter(name => name === who).length
  return { ask, started, letGo: hold.resolve }
}

test('few requests of a session run at the same time, and those of others beside them', async () => {
  const { ask, started, letGo } = await slowServer()
  const many = Array.from({ length: 40 }, () => ask('ben'))
  await expect.poll(() => started('ben')).toBe(requestsOfSession)
  const other = ask('rose')
  await expect.poll(() => started('rose')).toBe(1)
  expect(started('ben')).toBe(requestsOfSession)
  letGo()
  expect((await other).status).toBe(200)
  expect(new Set((await Promise.all(many)).map(({ status }) => status))).toEqual(new Set([200]))
  expect(started('ben')).toBe(40)
})

test('requests whose clients have gone give their places to the next ones', async () => {
  const { ask, started, letGo } = await slowServer()
  const leaving = new AbortController()
  const gone = Array.from({ length: 30 }, () => ask('gone', 'ben', leaving.signal))
  const ended = Promise.allSettled(gone)
  await expect.poll(() => started('gone')).toBe(requestsOfSession)
  const stays = ask('stays', 'ben')
  leaving.abort()
  await ended
  await expect.poll(() => started('stays')).toBe(1)
  letGo()
  expect((await stays).status).toBe(200)
})
