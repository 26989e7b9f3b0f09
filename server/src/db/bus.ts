import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Tx } from './schema.ts'

/** Publish/subscribe between all servers of a library; a server also receives its own messages. */
export interface Bus {
  /** Delivered after the transaction commits, never if it rolls back. Postgres limits a message to 8,000 bytes. */
  publish(tx: Tx, message: string): Promise<void>
  /** Resolves once subscribed: no later message is missed. Call the returned function to unsubscribe. */
  subscribe(listener: BusListener): Promise<() => Promise<void>>
}

export interface BusListener {
  onMessage(message: string): void
  /** The connection was interrupted, and messages were lost. */
  onGap(): void
}

/** SQLite serves a single process, so messages stay in it. */
export function localBus(afterCommit: (tx: Tx, act: () => void) => void): Bus {
  const listeners = new Set<BusListener>()
  return {
    async publish(tx, message) {
      afterCommit(tx, () => {
        for (const listener of listeners) listener.onMessage(message)
      })
    },
    async subscribe(listener) {
      listeners.add(listener)
      return async () => void listeners.delete(listener)
    },
  }
}

const CHANNEL = 'heirloom'

/** Batches all messages of a transaction into one statement before its commit. */
export function postgresBus(url: string, beforeCommit: (tx: Tx, act: () => Promise<void>) => void): Bus {
  const messagesOf = new WeakMap<Tx, string[]>()
  return {
    async publish(tx, message) {
      const queued = messagesOf.get(tx)
      if (queued) return void queued.push(message)
      const messages = [message]
      messagesOf.set(tx, messages)
      beforeCommit(tx, async () => {
        await sql`select pg_notify(${CHANNEL}, message) from unnest(${messages}::text[]) as message`.execute(tx)
      })
    },
    subscribe: listener => listen(url, listener),
  }
}

const FIRST_RETRY_MS = 50
const MAX_RETRY_MS = 5_000
/** Detects a connection that died silently. */
const PING_EVERY_MS = 15_000
const TIMEOUT_MS = 10_000

/** Uses a dedicated connection and reconnects with exponential backoff whenever it breaks. */
async function listen(url: string, listener: BusListener): Promise<() => Promise<void>> {
  const stopping = new AbortController()
  let connection = await openConnection(url, listener)

  async function reconnect(): Promise<BusConnection | undefined> {
    for (let pauseMs = FIRST_RETRY_MS; !stopping.signal.aborted; pauseMs = Math.min(pauseMs * 2, MAX_RETRY_MS)) {
      await pause(pauseMs, undefined, stopping).catch(() => undefined)
      const opened = await openConnection(url, listener).catch(() => undefined)
      if (opened) return opened
    }
    return undefined
  }

  async function reconnectForever(): Promise<void> {
    for (;;) {
      await connection.broken
      const opened = await reconnect()
      if (!opened) return
      connection = opened
      if (stopping.signal.aborted) await connection.close()
      else listener.onGap()
    }
  }

  const reconnecting = reconnectForever()
  return async () => {
    stopping.abort()
    await connection.close()
    await reconnecting
  }
}

interface BusConnection {
  /** Resolves when the connection has ended. */
  broken: Promise<void>
  close(): Promise<void>
}

async function openConnection(url: string, { onMessage }: BusListener): Promise<BusConnection> {
  const { default: pg } = await import('pg')
  const client = new pg.Client({
    connectionString: url,
    application_name: 'heirloom-bus',
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
  })
  const broken = new Promise<void>(resolve => client.once('end', () => resolve()))
  // 'end' follows and triggers the reconnect. Without a listener, 'error' would crash the process.
  client.on('error', () => {})
  client.on('notification', ({ payload = '' }) => onMessage(payload))
  try {
    await client.connect()
    await client.query(`listen ${CHANNEL}`)
  } catch (error) {
    await client.end()
    throw error
  }
  const pings = setInterval(() => {
    client.query('select 1').catch(() => client.end())
  }, PING_EVERY_MS)
  void broken.then(() => clearInterval(pings))
  return { broken, close: () => client.end() }
}
