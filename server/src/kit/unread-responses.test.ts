import { EventEmitter, once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import Fastify from 'fastify'
import { expect, onTestFinished, test, vi } from 'vitest'
import { unreadResponses } from '#contract/limits.ts'
import { AppError } from './errors.ts'
import { limitUnreadResponses } from './unread-responses.ts'

test('somebody who reads none of the long responses gets no more of them, until the connections end', async () => {
  const app = Fastify()
  onTestFinished(() => app.close())
  app.decorateRequest('caller', null)
  app.addHook('onRequest', async request => {
    request.caller = { id: Number(request.headers.person), role: 'viewer', sessionId: 's' }
  })
  app.setErrorHandler((error, _request, reply) => {
    void reply.code(error instanceof AppError && error.code === 'too_many_requests' ? 429 : 500).send()
  })
  limitUnreadResponses(app)
  // More than the operating system keeps for a connection.
  const long = 'x'.repeat(unreadResponses.maxBytes / 2 + 1)
  app.get('/long', async () => long)
  app.get('/short', async () => 'short')
  app.get('/slow', async ({ raw }) => {
    slow.emit('reached')
    await once(raw.socket, 'close')
    setImmediate(() => slow.emit('answered'))
    return long
  })
  const slow = new EventEmitter()
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const statusFor = async (person: number) =>
    (await fetch(`http://127.0.0.1:${port}/short`, { headers: { person: String(person) } })).status

  const sockets = [1, 2].map(() => connect(port, '127.0.0.1'))
  for (const socket of sockets) {
    socket.write('GET /long HTTP/1.1\r\nHost: h\r\nPerson: 7\r\n\r\n')
    await once(socket, 'readable')
  }
  expect(await statusFor(7)).toBe(429)
  expect(await statusFor(8)).toBe(200)
  for (const socket of sockets) socket.destroy()
  await vi.waitFor(async () => expect(await statusFor(7)).toBe(200))

  // Who has gone before the answer is ready leaves nothing behind.
  for (let i = 0; i < 3; i++) {
    const socket = connect(port, '127.0.0.1')
    socket.write('GET /slow HTTP/1.1\r\nHost: h\r\nPerson: 9\r\n\r\n')
    await once(slow, 'reached')
    socket.destroy()
    await once(slow, 'answered')
  }
  expect(await statusFor(9)).toBe(200)
})
