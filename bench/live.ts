/**
 * A hundred members, each with a live stream, in one conversation: a burst of 1,000 messages. Is any lost or
 * duplicated, how soon does every stream receive each, and does the server's memory stay flat?
 * MEMBERS, MESSAGES and WRITERS (who write at the same time, each the next one when the last is sent) set other numbers;
 * DATABASE_URL takes an empty Postgres instead of SQLite.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createParser } from 'eventsource-parser'
import type { Conversation, Message } from '../contract/src/chat.ts'
import { type LiveEvent, livePath } from '../contract/src/live.ts'
import { connect } from '../server/src/db/database.ts'
import { hashToken, newToken } from '../server/src/kit/tokens.ts'
import { type Product, startProduct } from './lib/product.ts'
import { line, quantile } from './lib/report.ts'

const MEMBERS = Number(process.env.MEMBERS ?? 100)
const MESSAGES = Number(process.env.MESSAGES ?? 1_000)
const WRITERS = Number(process.env.WRITERS ?? 10)
const WARM_UP = 200
const LATER_BURSTS = 24
const LATER_MESSAGES = 300
const QUIET_AFTER_MS = 10_000
const databaseUrl = process.env.DATABASE_URL

interface Member {
  id: number
  headers: Record<string, string>
  /** The time of each received event. */
  receivedAt: number[]
}

// The demo refuses forwarded requests. Nobody signs in here, so the provider does not have to exist.
const noProvider = { OIDC_ISSUER: 'http://127.0.0.1', OIDC_CLIENT_ID: 'none', OIDC_CLIENT_SECRET: 'none' }

const folder = await mkdtemp(join(tmpdir(), 'heirloom-live-'))
try {
  const members = await makeMembers()
  const product = await startProduct({ folder, env: { TRUST_PROXY: 'true', ...noProvider } })
  try {
    await measure(product, members)
  } finally {
    await product.stop()
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}

/** People with sessions, inserted directly: a hundred sign-ins are not what is measured. */
async function makeMembers(): Promise<Member[]> {
  const db = await connect({ url: databaseUrl, dataFolder: folder })
  const now = Date.now()
  const members: Member[] = []
  await db.transaction(async tx => {
    for (let i = 0; i < MEMBERS; i++) {
      const username = `member${i}`
      const account = { issuer: 'bench', subject: username, email: `${username}@bench.example`, username }
      const { id } = await tx
        .insertInto('people')
        .values({ ...account, name: `Member ${i}`, role: 'member', status: 'approved', requested_at: now })
        .returning('id')
        .executeTakeFirstOrThrow()
      const token = newToken()
      await tx
        .insertInto('sessions')
        .values({ token_hash: hashToken(token), person_id: id, created_at: now, last_used_at: now })
        .execute()
      // One address per person, since rate limits are per address too.
      const headers = { authorization: `Bearer ${token}`, 'x-forwarded-for': `10.0.${i >> 8}.${i & 255}` }
      members.push({ id, headers, receivedAt: [] })
    }
  })
  await db.close()
  return members
}

async function measure(product: Product, members: Member[]): Promise<void> {
  const [founder] = members
  if (!founder) throw new Error('Nobody is there')
  const others = members.slice(1).map(({ id }) => id)
  const group = { title: 'Everybody', participantIds: others }
  const { id } = await call<Conversation>(product, founder, '/api/conversations/group', group)
  await Promise.all(members.map(member => listen(product, member, id)))

  await burst(product, members, id, WARM_UP)
  const before = await product.memoryMb()
  for (const member of members) member.receivedAt.length = 0
  const began = performance.now()
  const { sentAt, peak } = await burst(product, members, id, MESSAGES)
  const seconds = (performance.now() - began) / 1_000

  const received = members.map(member => [...member.receivedAt])

  // Memory used during a burst is fine; memory that is kept after it would be a leak.
  const peaks: number[] = []
  for (let i = 0; i < LATER_BURSTS; i++) peaks.push((await burst(product, members, id, LATER_MESSAGES)).peak)

  const kept = await call<Message[]>(product, founder, `/api/messages/${id}`)
  report(received, sentAt, kept.slice(WARM_UP, WARM_UP + MESSAGES), seconds)
  const measured = `${before.toFixed(0)} MB before, at most ${peak.toFixed(0)} MB during it`
  line('memory of the server', measured, 'within 30 MB', peak - before <= 30)
  // The heap reaches its size in the first of them.
  const growth = (peaks.at(-1) ?? 0) - (peaks[LATER_BURSTS / 2 - 1] ?? 0)
  const peakList = peaks.map(mb => mb.toFixed(0)).join(', ')
  const what = `at most in each of ${LATER_BURSTS} bursts of ${LATER_MESSAGES} after it`
  line(what, `${peakList} MB`, 'flat: the second half within 10 MB', growth <= 10)
}

interface Burst {
  /** When each was sent, by its id. */
  sentAt: Map<number, number>
  peak: number
}

/** Ends when every stream has received all events, or none for a while. */
async function burst(product: Product, members: Member[], id: number, count: number): Promise<Burst> {
  const sentAt = new Map<number, number>()
  const receivedBefore = members.map(member => member.receivedAt.length)
  let peak = 0
  const watch = setInterval(async () => {
    peak = Math.max(peak, await product.memoryMb())
  }, 250)
  let next = 0
  async function write(writer: number): Promise<void> {
    while (next < count) {
      const number = next++
      const member = members[(number * 7 + writer) % members.length]
      if (!member) throw new Error('Nobody is there')
      const content = `Message ${number}: the boat leaves at ten, bring the photos of last year`
      const began = performance.now()
      const sent = await call<Message>(product, member, `/api/messages/${id}`, { content })
      sentAt.set(sent.id, began)
    }
  }
  await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)))
  await untilQuiet(() => members.every((member, i) => member.receivedAt.length - (receivedBefore[i] ?? 0) >= count))
  clearInterval(watch)
  return { sentAt, peak }
}

async function untilQuiet(done: () => boolean): Promise<void> {
  const deadline = performance.now() + QUIET_AFTER_MS
  while (!done() && performance.now() < deadline) await pause(20)
  // A duplicate would arrive a moment later.
  await pause(300)
}

function report(receivedBy: number[][], sentAt: Map<number, number>, kept: Message[], seconds: number): void {
  const ids = kept.map(message => message.id)
  const lost = [...sentAt.keys()].filter(id => !ids.includes(id)).length
  line(
    `${MESSAGES.toLocaleString('en')} messages by ${WRITERS} at once among ${MEMBERS} members`,
    `${ids.length} kept, ${lost} lost, ${(MESSAGES / seconds).toFixed(0)} a second`,
    'none lost, none doubled',
    lost === 0 && ids.length === MESSAGES,
  )
  const expected = MESSAGES * receivedBy.length
  const received = receivedBy.reduce((sum, times) => sum + times.length, 0)
  const wrong = receivedBy.filter(times => times.length !== MESSAGES).length
  line(
    'received on the streams',
    `${received} of ${expected}, ${wrong} streams with more or fewer`,
    'all, once',
    wrong === 0,
  )

  // A conversation's messages are announced in the order of their ids, so the nth event is the nth message.
  const delays = receivedBy.flatMap(times =>
    times.flatMap((at, n) => {
      const began = sentAt.get(ids[n] ?? 0)
      return began === undefined ? [] : [at - began]
    }),
  )
  const [half, most] = [quantile(delays, 0.5), quantile(delays, 0.95)]
  const measured = `median ${half.toFixed(0)} ms, p95 ${most.toFixed(0)} ms, p99 ${quantile(delays, 0.99).toFixed(0)} ms`
  line('from the sending to every stream', measured, 'p95 under 300 ms', most < 300)
}

/** By `node:http`: the streams of `fetch` cost more than what is measured. */
async function listen(product: Product, member: Member, conversationId: number): Promise<void> {
  const opened = Promise.withResolvers<void>()
  const parser = createParser({
    onEvent({ data }) {
      opened.resolve()
      const event = JSON.parse(data) as LiveEvent
      if (event.kind === 'messages' && event.conversation_id === conversationId)
        member.receivedAt.push(performance.now())
    },
  })
  const request = get(`${product.url}${livePath}`, { headers: member.headers }, response => {
    response.setEncoding('utf8')
    response.on('data', (text: string) => parser.feed(text))
    response.on('error', opened.reject)
  })
  request.on('error', opened.reject)
  await opened.promise
}

async function call<Answer>(product: Product, member: Member, path: string, body?: unknown): Promise<Answer> {
  const response = await fetch(`${product.url}${path}`, {
    headers: { ...member.headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
  return (await response.json()) as Answer
}

function pause(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms))
}
