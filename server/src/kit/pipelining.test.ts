import { once } from 'node:events'
import { createConnection } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { createHttp } from './http.ts'

/** A server whose handler takes a moment, and what it saw. */
async function slowServer() {
  const seen = { handled: 0, running: 0, mostAtOnce: 0 }
  const app = await createHttp({
    logLevel: 'silent',
    trustedProxies: { hops: 0 },
    publicUrl: new URL('http://127.0.0.1'),
    isUnavailable: () => false,
    isFull: () => false,
  })
  app.all('/:number', async ({ params, body }) => {
    seen.handled += 1
    seen.mostAtOnce = Math.max(seen.mostAtOnce, ++seen.running)
    for (let turn = 0; turn < 3; turn++) await setImmediate()
    seen.running -= 1
    return { ...(params as object), body }
  })
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
  onTestFinished(() => app.close())
  const socket = createConnection({ host: '127.0.0.1', port: Number(port) })
  onTestFinished(() => void socket.destroy())
  let received = ''
  socket.setEncoding('latin1').on('data', text => {
    received += text
  })
  const answers = () => Array.from(received.matchAll(/"number":"(\d+)"/g), ([, number]) => Number(number))
  return { seen, socket, answers }
}

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i)
const get = (number: number) => `GET /${number} HTTP/1.1\r\nhost: x\r\n\r\n`

test('pipelined requests are answered in their order, one at a time', async () => {
  const { seen, socket, answers } = await slowServer()
  const post = 'POST /100 HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 7\r\n\r\n{"a":1}'
  socket.write([...numbers(100).map(get), post, get(101)].join(''))
  await expect.poll(answers).toEqual(numbers(102))
  expect(seen.mostAtOnce).toBe(1)
  socket.write(get(102))
  await expect.poll(answers).toEqual(numbers(103))
})

test('a client that pipelines without end is disconnected, and what waited is not handled', async () => {
  const { seen, socket } = await slowServer()
  socket.on('error', () => {})
  socket.write(numbers(2_000).map(get).join(''))
  await once(socket, 'close')
  const { handled } = seen
  for (let turn = 0; turn < 20; turn++) await setImmediate()
  expect(seen.handled).toBe(handled)
  expect(handled).toBeLessThan(200)
})
