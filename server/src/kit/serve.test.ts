import { fastify } from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { bulkDelete, getMedia } from '#contract/media.ts'
import { listMedia } from '#contract/media-list.ts'
import { AppError } from './errors.ts'
import { KeyedMutex } from './keyed-mutex.ts'
import { bearerToken, StreamedJson, serve } from './serve.ts'

/** A streamed response of three chunks that counts how many were produced and whether the stream has ended. */
function inThree() {
  const made = { pieces: 0, isOver: false }
  async function* pieces() {
    try {
      for (const piece of ['{"a":1', ',"b":2', '}']) {
        made.pieces++
        yield Buffer.from(piece)
      }
    } finally {
      made.isOver = true
    }
  }
  const app = withCallers()
  serve(app, listMedia, async () => new StreamedJson(pieces()))
  return { app, made }
}

/** Everybody is signed in, as the person whose id a header gives. */
function withCallers() {
  const app = fastify()
  onTestFinished(() => app.close())
  app.decorate('perPersonMutex', new KeyedMutex<string>())
  app.decorateRequest('caller', null)
  app.decorateRequest('endTurn', () => undefined)
  app.addHook('onRequest', async request => {
    request.caller = { id: Number(request.headers['x-person'] ?? 1), role: 'member', sessionId: 'one' }
  })
  return app
}

test('an app password is one token in all its spellings, and other tokens are as they are', () => {
  const tokenOf = (token: string) => bearerToken({ headers: { authorization: `Bearer ${token}` } })
  expect(tokenOf('ABCDE-fghjk-MNPQR-stuvw-23456')).toBe('abcde-fghjk-mnpqr-stuvw-23456')
  expect(tokenOf('A'.repeat(43))).toBe('A'.repeat(43))
})

test('an answer in pieces is one answer', async () => {
  const { app, made } = inThree()
  const answer = await app.inject({ method: 'GET', url: listMedia.path })
  expect(answer.json()).toEqual({ a: 1, b: 2 })
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  expect(made).toEqual({ pieces: 3, isOver: true })
})

test('a HEAD request computes only whether there is a response', async () => {
  const { app, made } = inThree()
  const answer = await app.inject({ method: 'HEAD', url: listMedia.path })
  expect(answer.statusCode).toBe(200)
  expect(answer.body).toBe('')
  expect(made).toEqual({ pieces: 1, isOver: true })
})

test('long answers of one person are made one after the other, and nobody else waits for them', async () => {
  const app = withCallers()
  let givenUp = 0
  app.addHook('onRequestAbort', async _request => void givenUp++)
  const begun: { person: number; search: string | undefined; end(): void }[] = []
  serve(app, listMedia, async ({ caller, query }) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    begun.push({ person: caller.id, search: query.search, end: resolve })
    await promise
    throw new AppError('not_found', 'files.missing')
  })
  for (const other of [getMedia, bulkDelete]) {
    serve(app, other, async () => {
      throw new AppError('not_found', 'albums.missing')
    })
  }
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  const ask = (person: number, search: string, signal?: AbortSignal) =>
    fetch(`${address}${listMedia.path}?search=${search}`, {
      headers: { 'x-person': `${person}` },
      signal: signal ?? null,
    })
  const searches = () => begun.map(({ person, search }) => `${person} ${search}`)

  const first = ask(1, 'first')
  await expect.poll(searches).toEqual(['1 first'])
  const givingUp = new AbortController()
  const second = ask(1, 'second', givingUp.signal)
  const third = ask(1, 'third')
  const others = ask(2, 'other')
  await expect.poll(searches).toEqual(['1 first', '2 other'])
  expect((await fetch(`${address}/api/media/5`)).status).toBe(404)
  // Changes wait for other changes, not for lists.
  const body = JSON.stringify({ fileIds: [1] })
  const change = { method: 'POST', headers: { 'content-type': 'application/json' }, body }
  expect((await fetch(`${address}${bulkDelete.path}`, change)).status).toBe(404)

  givingUp.abort()
  await expect(second).rejects.toThrow()
  await expect.poll(() => givenUp).toBe(1)
  begun[0]?.end()
  expect((await first).status).toBe(404)
  // What nobody waits for any more is left out.
  await expect.poll(searches).toEqual(['1 first', '2 other', '1 third'])
  for (const { end } of begun) end()
  expect((await third).status).toBe(404)
  expect((await others).status).toBe(404)
})

test('a streamed list keeps its person waiting until it has been read or its connection is closed', async () => {
  const app = withCallers()
  let begun = 0
  async function* large() {
    for (let i = 0; i < 200; i++) yield Buffer.alloc(1_000_000, ' ')
  }
  serve(app, listMedia, async ({ query }) => {
    begun++
    if (query.limit === undefined) return new StreamedJson(large())
    throw new AppError('not_found', 'albums.missing')
  })
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  const ask = (person: number, query = '', signal: AbortSignal | null = null) =>
    fetch(`${address}${listMedia.path}${query}`, { headers: { 'x-person': `${person}` }, signal })

  const givingUp = new AbortController()
  const unread = await ask(1, '', givingUp.signal)
  expect(unread.status).toBe(200)
  const waiting = Array.from({ length: 5 }, () => ask(1))
  expect((await ask(2, '?limit=5')).status).toBe(404)
  expect(begun).toBe(2)

  givingUp.abort()
  const second = await Promise.race(waiting)
  await expect.poll(() => begun).toBe(3)
  for (const list of waiting) await (await list).body?.cancel()
  expect(second.status).toBe(200)
  await expect.poll(() => begun).toBe(7)
  expect((await ask(1, '?limit=5')).status).toBe(404)
})
