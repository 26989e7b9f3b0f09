import { expect, test } from 'vitest'
import { Streams } from './streams.ts'

const ada = { id: 1, role: 'admin', sessionId: 'a' } as const
const ben = { id: 2, role: 'member', sessionId: 'b' } as const

test('a page that does not read is let go, and keeps nobody else waiting', async () => {
  const streams = new Streams()
  const [reads, sleeps] = [streams.open(ada), streams.open(ben)]
  let read = 0
  reads?.text.on('data', (chunk: Buffer) => {
    read += chunk.length
  })
  const before = process.memoryUsage().heapUsed
  for (let i = 0; i < 20_000; i++) {
    streams.deliver({ position: `${i}`, event: { kind: 'messages', conversation_id: i + 1 }, to: 'everyone' })
    if (i % 100 === 0) await new Promise(setImmediate)
  }
  expect(sleeps?.text.destroyed).toBe(true)
  await expect.poll(() => streams.all()).toEqual([reads])
  await expect.poll(() => read).toBeGreaterThan(20_000 * 40)
  if (process.env.LONG) expect(process.memoryUsage().heapUsed - before).toBeLessThan(50_000_000)
})

test('what a page has yet to read when its session ends, it never reads', () => {
  const streams = new Streams()
  const stream = streams.open(ben)
  streams.deliver({ position: 'now', event: { kind: 'folders' }, to: [ben.id] })
  streams.end({ sessionId: 'b' })
  expect(stream?.text.destroyed).toBe(true)
})

test('what is said in one moment goes out in one piece', async () => {
  const streams = new Streams()
  const stream = streams.open(ada)
  await new Promise(setImmediate)
  const pieces: string[] = []
  stream?.text.on('data', (text: string) => pieces.push(text))
  await new Promise(setImmediate)
  pieces.length = 0
  streams.deliver({ position: 'a', event: { kind: 'folders' }, to: 'everyone' })
  streams.deliver({ position: 'b', event: { kind: 'people' }, to: [ada.id] })
  await expect.poll(() => pieces).toEqual(['id: a\ndata: {"kind":"folders"}\n\nid: b\ndata: {"kind":"people"}\n\n'])
})
