import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { AppError } from './errors.ts'
import { createHttp } from './http.ts'
import { destroyWhenStalled } from './request-timeouts.ts'

// Much longer than the pauses of the slow senders below, so that a busy machine does not trigger them.
const times = { headers: 1_000, bodyStallsAfter: 2_000, body: 4_000, answerStallsAfter: 3_000 }
let http: Awaited<ReturnType<typeof createHttp>>
let handled = 0
beforeAll(async () => {
  http = await createHttp({
    logLevel: 'silent',
    trustedProxies: { hops: 0 },
    publicUrl: new URL('http://127.0.0.1'),
    requestTimes: times,
    isUnavailable: () => false,
    isFull: () => false,
  })
  http.post('/json', async ({ body }) => {
    handled++
    return body
  })
  http.post('/refused', {
    onRequest: async () => {
      throw new AppError('not_signed_in', 'auth.signIn')
    },
    handler: async () => undefined,
  })
  http.addContentTypeParser('video/mp4', (_request, _body, done) => done(null))
  http.post('/stream', async ({ raw }) => {
    destroyWhenStalled(raw, times.bodyStallsAfter)
    let bytes = 0
    for await (const chunk of raw) bytes += chunk.length
    return { bytes }
  })
  http.get('/events', (_request, reply) => {
    reply.hijack()
    reply.raw.writeHead(200)
    reply.raw.write('open\n')
  })
  http.get('/large', async () => Buffer.alloc(60_000_000, 'x'))
  await http.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => http.close())

interface Line {
  socket: Socket
  text(): string
  closedAfter(): number | undefined
}

function send(text: string): Line {
  const address = http.server.address()
  const begun = performance.now()
  let received = ''
  let closedAfter: number | undefined
  const socket = connect(typeof address === 'object' ? (address?.port ?? 0) : 0, '127.0.0.1')
  socket.on('data', chunk => {
    received += String(chunk)
  })
  socket
    .on('error', () => undefined)
    .on('close', () => {
      closedAfter = performance.now() - begun
    })
  socket.write(text)
  onTestFinished(() => void socket.destroy())
  return { socket, text: () => received, closedAfter: () => closedAfter }
}

const post = (path: string, type: string, length: number) =>
  `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: ${type}\r\ncontent-length: ${length}\r\n\r\n`
const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`
const unfinishedUpload = `${post('/stream', 'video/mp4', 20)}begun`
const soon = { timeout: 10_000 }
const timedOut = {
  error: 'The request did not arrive in full. Please try again.',
  code: 'timed_out',
  key: 'request.cutOff',
}

function answerOf({ text }: Line): [string | undefined, unknown] {
  const [head = '', body = ''] = text().split('\r\n\r\n')
  return [head.split('\r\n')[0], JSON.parse(body)]
}

test('a JSON body that stalls is answered with 408 and its connection closed', async () => {
  const line = send(`${post('/json', 'application/json', 100)}{"a":`)
  await expect.poll(line.closedAfter, soon).toBeGreaterThan(times.bodyStallsAfter)
  expect(answerOf(line)).toEqual(['HTTP/1.1 408 Request Timeout', timedOut])
  expect(handled).toBe(0)
})

test('a JSON body that trickles in without end is given up too', async () => {
  const line = send(post('/json', 'application/json', 100))
  const trickle = setInterval(() => line.socket.write(' '), 300)
  onTestFinished(() => clearInterval(trickle))
  await expect.poll(line.closedAfter, soon).toBeGreaterThan(times.body - 100)
  expect(answerOf(line)).toEqual(['HTTP/1.1 408 Request Timeout', timedOut])
})

test.each([
  ['that was refused before it was read', '/refused', 'application/json', '401'],
  ['for which there is no route', '/nothing', 'application/json', '408'],
  ['of a kind that nobody reads', '/json', 'x/y', '415|400'],
])('a body %s keeps no connection open', async (_, path, type, status) => {
  const line = send(`${post(path, type, 100)}{"a":`)
  await expect.poll(line.closedAfter, soon).toBeDefined()
  expect(line.text()).toMatch(new RegExp(`^HTTP/1.1 (${status}) `))
})

test('headers that do not arrive are answered with 408 and the connection closed', async () => {
  const line = send('GET / HTTP/1.1\r\nhost: x\r\nx-a')
  const trickle = setInterval(() => line.socket.write('a'), 300)
  onTestFinished(() => clearInterval(trickle))
  await expect.poll(line.closedAfter, soon).toBeGreaterThan(times.headers)
  expect(answerOf(line)).toEqual(['HTTP/1.1 408 Request Timeout', timedOut])
})

test('a connection on which nothing is said is closed', async () => {
  const line = send('')
  await expect.poll(line.closedAfter, soon).toBeGreaterThan(times.headers)
})

test('a slow but steady upload is let finish, and one that stalls is not', async () => {
  const steady = send(
    'POST /stream HTTP/1.1\r\nhost: x\r\ncontent-type: video/mp4\r\ntransfer-encoding: chunked\r\n\r\n',
  )
  let sent = 0
  const sending = setInterval(() => {
    steady.socket.write('1\r\nx\r\n')
    sent++
  }, 250)
  onTestFinished(() => clearInterval(sending))
  // One after another, so that the steady one takes longer than a body may that is read as a whole.
  for (let stalls = 0; stalls <= times.body / times.bodyStallsAfter; stalls++) {
    const stalled = send(unfinishedUpload)
    await expect.poll(stalled.closedAfter, soon).toBeGreaterThan(times.bodyStallsAfter)
  }
  clearInterval(sending)
  steady.socket.write('0\r\n\r\n')
  await expect.poll(steady.text, soon).toContain(`{"bytes":${sent}}`)
})

test('an answer that stays open is not cut off', async () => {
  const line = send(get('/events'))
  const unfinished = send(`${post('/json', 'application/json', 100)}{"a":`)
  const trickle = setInterval(() => unfinished.socket.write(' '), 300)
  onTestFinished(() => clearInterval(trickle))
  await expect.poll(unfinished.closedAfter, soon).toBeDefined()
  expect(line.text()).toContain('open')
  expect(line.closedAfter()).toBeUndefined()
})

const serverSockets = () => new Promise<number>(resolve => http.server.getConnections((_, count) => resolve(count)))

test('an answer that nobody reads is given up, one that is read slowly is not', async () => {
  const unread = send(get('/large'))
  unread.socket.pause()
  const slow = send(get('/large'))
  let bytes = 0
  slow.socket.removeAllListeners('data').pause()
  // Reads a little at a time, for longer than a response may stall.
  const reading = setInterval(() => {
    bytes += slow.socket.read(100_000)?.length ?? slow.socket.read()?.length ?? 0
  }, 50)
  onTestFinished(() => clearInterval(reading))
  const waiting = send(get('/events'))
  await expect.poll(serverSockets, soon).toBe(3)
  await expect.poll(serverSockets, soon).toBe(2)
  unread.socket.resume()
  await expect.poll(unread.closedAfter, soon).toBeGreaterThan(times.answerStallsAfter)
  expect(unread.text().length).toBeLessThan(60_000_000)
  const unreadLater = send(get('/large'))
  unreadLater.socket.pause()
  await expect.poll(serverSockets, soon).toBe(3)
  await expect.poll(serverSockets, soon).toBe(2)
  expect([slow.closedAfter(), waiting.closedAfter()]).toEqual([undefined, undefined])
  expect(bytes).toBeLessThan(60_000_000)
  expect(bytes).toBeGreaterThan(1_000_000)
}, 60_000)

test('connections beyond the limit are closed at once, and a place that becomes free is taken', async () => {
  const before = http.server.maxConnections
  await expect.poll(serverSockets, soon).toBe(0)
  http.server.maxConnections = 2
  onTestFinished(() => {
    http.server.maxConnections = before
  })
  const lines = [send(get('/events')), send(get('/events'))]
  await expect.poll(() => lines.map(line => line.text().includes('open')), soon).toEqual([true, true])
  const third = send(get('/events'))
  await expect.poll(third.closedAfter, soon).toBeDefined()
  expect(third.text()).toBe('')
  lines[0]?.socket.destroy()
  await expect.poll(serverSockets, soon).toBe(1)
  const fourth = send(get('/events'))
  await expect.poll(fourth.text, soon).toContain('open')
})

test('the number of connections is limited', () => {
  expect(http.server.maxConnections).toBe(4_000)
})
