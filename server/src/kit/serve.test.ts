import { fastify } from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { listMedia } from '#contract/media.ts'
import { StreamedJson, serve } from './serve.ts'

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
  const app = fastify()
  onTestFinished(() => app.close())
  app.decorateRequest('caller', null)
  app.addHook('onRequest', async request => {
    request.caller = { id: 1, role: 'member', sessionId: 'one' }
  })
  serve(app, listMedia, async () => new StreamedJson(pieces()))
  return { app, made }
}

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
