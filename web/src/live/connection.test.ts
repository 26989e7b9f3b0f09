import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import type { LiveEvent } from '#contract/live.ts'
import { maintainConnection, reconnectDelay } from './connection.ts'

const timeouts = { idleTimeout: 1_000, initialDelay: 20, maxDelay: 40 }
const HEARTBEAT = 50
const folders: LiveEvent = { kind: 'folders' }
const people: LiveEvent = { kind: 'people' }

const cleanUps: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

/** A server that handles each connection with the next of these functions, and repeats the last one. */
async function serverThat(...answers: ((reply: ServerResponse, request: IncomingMessage) => void)[]) {
  let calls = 0
  const server = createServer((request, reply) => {
    const answer = answers[Math.min(calls, answers.length - 1)]
    calls += 1
    answer?.(reply, request)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanUps.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, calls: () => calls }
}

function connectTo(address: string, position?: string) {
  const leaving = new AbortController()
  const received = {
    events: [] as LiveEvent[],
    positions: [] as (string | undefined)[],
    connected: [] as boolean[],
    refused: false,
  }
  const ended = maintainConnection(
    {
      address,
      token: 'a-token',
      position,
      onEvent: (event, toldUntil) => {
        received.events.push(event)
        received.positions.push(toldUntil)
      },
      onConnected: connected => received.connected.push(connected),
      onRefused: () => {
        received.refused = true
      },
      timeouts,
    },
    leaving.signal,
  )
  cleanUps.push(async () => {
    leaving.abort()
    await ended
  })
  return { received, ended, leave: () => leaving.abort() }
}

function open(reply: ServerResponse, ...events: LiveEvent[]): void {
  reply.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const event of events) reply.write(`data: ${JSON.stringify(event)}\n\n`)
}

test('events are delivered, also in chunks, and unknown ones are ignored', async () => {
  const { address } = await serverThat(async (reply, { headers }) => {
    expect(headers.authorization).toBe('Bearer a-token')
    open(reply, folders)
    reply.write('data: {"kind":"from the future"}\n\ndata: not even JSON\n\n')
    reply.write('data: {"ki')
    await new Promise(resolve => setTimeout(resolve, 20))
    reply.write('nd":"people"}\n\n')
  })
  const { received } = connectTo(address)
  await vi.waitFor(() => expect(received.events).toEqual([folders, people]), { timeout: 10_000 })
  expect(received.connected).toEqual([true])
})

test('a broken connection is opened again', async () => {
  const { address } = await serverThat(
    reply => {
      open(reply, folders)
      setTimeout(() => reply.destroy(), 20)
    },
    reply => open(reply, people),
  )
  const { received } = connectTo(address)
  await vi.waitFor(() => expect(received.events).toEqual([folders, people]), { timeout: 10_000 })
  expect(received.connected).toEqual([true, false, true])
})

test('a new connection resumes at the last position, the first one at the position of the page', async () => {
  const continued: unknown[] = []
  const { address } = await serverThat(
    (reply, { headers }) => {
      continued.push(headers['last-event-id'])
      open(reply)
      reply.write(`id: two\ndata: ${JSON.stringify(folders)}\n\ndata: ${JSON.stringify(people)}\n\n`)
      setTimeout(() => reply.destroy(), 20)
    },
    (reply, { headers }) => {
      continued.push(headers['last-event-id'])
      open(reply, folders)
    },
  )
  const { received } = connectTo(address, 'one')
  await vi.waitFor(() => expect(received.events).toEqual([folders, people, folders]), { timeout: 10_000 })
  expect(continued).toEqual(['one', 'two'])
  // An event without a position keeps the last one.
  expect(received.positions).toEqual(['two', 'two', 'two'])
})

test('a silent connection is dead, and one with heartbeats is not', async () => {
  let beats = 0
  const { address, calls } = await serverThat(
    reply => open(reply, folders),
    reply => {
      open(reply, people)
      const beating = setInterval(() => {
        reply.write(': \n\n')
        beats++
      }, HEARTBEAT)
      cleanUps.push(() => clearInterval(beating))
    },
  )
  const { received } = connectTo(address)
  await vi.waitFor(() => expect(received.connected).toEqual([true, false, true]), { timeout: 10_000 })
  await vi.waitFor(() => expect(beats * HEARTBEAT).toBeGreaterThan(2 * timeouts.idleTimeout), { timeout: 10_000 })
  expect(received.connected).toEqual([true, false, true])
  expect(calls()).toBe(2)
})

test('an answer that is no event stream is retried', async () => {
  const { address } = await serverThat(
    reply => reply.writeHead(503).end(),
    reply => reply.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome to the hotel’s Wi-Fi</h1>'),
    reply => open(reply, people),
  )
  const { received } = connectTo(address)
  await vi.waitFor(() => expect(received.events).toEqual([people]), { timeout: 10_000 })
  expect(received.connected.filter(Boolean)).toHaveLength(1)
})

test('a 401 is not retried', async () => {
  const { address, calls } = await serverThat(reply => reply.writeHead(401).end())
  const { received, ended } = connectTo(address)
  await ended
  expect(received.refused).toBe(true)
  expect(calls()).toBe(1)
})

test('aborting ends a stream and a backoff delay', async () => {
  const { address } = await serverThat(reply => open(reply, folders))
  const listening = connectTo(address)
  await vi.waitFor(() => expect(listening.received.events).toEqual([folders]), { timeout: 10_000 })
  listening.leave()
  await listening.ended
  expect(listening.received.connected).toEqual([true])

  const waiting = connectTo('http://127.0.0.1:9/')
  waiting.leave()
  await waiting.ended
})

test('each failure doubles the delay up to the maximum, with jitter of up to half', () => {
  const bounds = { idleTimeout: 0, initialDelay: 1_000, maxDelay: 30_000 }
  const longest = [0, 1, 2, 3, 4, 5, 50].map(failures => reconnectDelay(failures, bounds, 1))
  expect(longest).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000])
  expect(reconnectDelay(3, bounds, 0)).toBe(4_000)
})
