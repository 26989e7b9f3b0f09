import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Tx } from './schema.ts'

/** What one server says and every server of the library hears, itself included. */
export interface Bus {
  /** Heard once the transaction is committed, and never when it is not. Postgres carries less than 8,000 bytes. */
  tell(tx: Tx, message: string): Promise<void>
  /** Resolves when nothing said from now on is missed. Call the answer to stop. */
  hear(listener: BusListener): Promise<() => Promise<void>>
}

export interface BusListener {
  heard(message: string): void
  /** The line was down for a while, and what was said meanwhile is lost. */
  missedSome(): void
}

/** SQLite serves one process: what is said stays in it. */
export function localBus(afterCommit: (tx: Tx, act: () => void) => void): Bus {
  const listeners = new Set<BusListener>()
  return {
    async tell(tx, message) {
      afterCommit(tx, () => {
        for (const listener of listeners) listener.heard(message)
      })
    },
    async hear(listener) {
      listeners.add(listener)
      return async () => void listeners.delete(listener)
    },
  }
}

const CHANNEL = 'heirloom'

/** All that a transaction says goes in one statement, at its end. */
export function postgresBus(url: string, beforeCommit: (tx: Tx, act: () => Promise<void>) => void): Bus {
  const saidIn = new WeakMap<Tx, string[]>()
  return {
    async tell(tx, message) {
      const said = saidIn.get(tx)
      if (said) return void said.push(message)
      const messages = [message]
      saidIn.set(tx, messages)
      beforeCommit(tx, async () => {
        await sql`select pg_notify(${CHANNEL}, message) from unnest(${messages}::text[]) as message`.execute(tx)
      })
    },
    hear: listener => listen(url, listener),
  }
}

const FIRST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 5_000
/** A line that died without a word is noticed this soon. */
const PING_EVERY_MS = 15_000
const ANSWERS_WITHIN_MS = 10_000

/** One connection of its own that is opened again whenever it breaks. */
async function listen(url: string, listener: BusListener): Promise<() => Promise<void>> {
  const stopping = new AbortController()
  let line = await openLine(url, listener)

  async function reopen(): Promise<Line | undefined> {
    for (let pauseMs = FIRST_PAUSE_MS; !stopping.signal.aborted; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      await pause(pauseMs, undefined, stopping).catch(() => undefined)
      const opened = await openLine(url, listener).catch(() => undefined)
      if (opened) return opened
    }
    return undefined
  }

  async function keepOpen(): Promise<void> {
    for (;;) {
      await line.broken
      const opened = await reopen()
      if (!opened) return
      line = opened
      if (stopping.signal.aborted) await line.close()
      else listener.missedSome()
    }
  }

  const keeping = keepOpen()
  return async () => {
    stopping.abort()
    await line.close()
    await keeping
  }
}

interface Line {
  /** Resolves when it is no more. */
  broken: Promise<void>
  close(): Promise<void>
}

async function openLine(url: string, { heard }: BusListener): Promise<Line> {
  const { default: pg } = await import('pg')
  const client = new pg.Client({
    connectionString: url,
    application_name: 'heirloom-bus',
    connectionTimeoutMillis: ANSWERS_WITHIN_MS,
    query_timeout: ANSWERS_WITHIN_MS,
  })
  const broken = new Promise<void>(resolve => client.once('end', () => resolve()))
  // The end that follows is what counts; unheard, the event would end the process.
  client.on('error', () => {})
  client.on('notification', ({ payload = '' }) => heard(payload))
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
