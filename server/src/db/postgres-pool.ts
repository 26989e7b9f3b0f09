import { setTimeout } from 'node:timers/promises'
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import { currentReadLimits, runWithin } from '../kit/read-limits.ts'

/**
 * The same pool, but queries of requests that only read are cancelled when they take too long or their client has gone.
 * `control` is a small pool of its own: all connections may be busy with what has to be cancelled.
 */
export function interruptiblePool(pool: Pool, control: Pool): PostgresPool {
  const cancel = async (client: PoolClient) => {
    const { processID } = client as PoolClient & { processID?: number }
    await control.query('select pg_cancel_backend($1)', [processID])
  }
  return {
    async connect() {
      currentReadLimits()?.signal.throwIfAborted()
      return interruptibleClient(await pool.connect(), cancel)
    },
    async end() {
      // In this order, because the queries that still run have to be cancelled.
      await pool.end()
      await control.end()
    },
  }
}

function interruptibleClient(client: PoolClient, cancel: (client: PoolClient) => Promise<void>): PostgresPoolClient {
  let inTransaction = false
  let released = Promise.resolve()
  const query = async (text: string, values: unknown[]) => {
    if (/^(begin|start transaction)/i.test(text)) inTransaction = true
    const limits = inTransaction || !/^(select|with)\b/i.test(text) ? undefined : currentReadLimits()
    const run = () => client.query(text, values)
    if (!limits) return run()
    let running: Promise<unknown> = Promise.resolve()
    const tracked = () => {
      const result = run()
      running = result
      return result
    }
    return runWithin(limits, tracked, () => {
      // The connection is not used again before.
      released = cancelUntilEnded(running, () => cancel(client))
    })
  }
  return {
    query: query as unknown as PostgresPoolClient['query'],
    release: () => void released.then(() => client.release()),
  }
}

/** Again and again: Postgres ignores a cancellation that arrives before the query does, on another connection. */
async function cancelUntilEnded(running: Promise<unknown>, cancel: () => Promise<void>): Promise<void> {
  let hasEnded = false
  const ended = running.then(
    () => (hasEnded = true),
    () => (hasEnded = true),
  )
  while (!hasEnded) {
    // A failed one is repeated too.
    await cancel().catch(() => undefined)
    await Promise.race([ended, setTimeout(CANCEL_AGAIN_MS)])
  }
}

const CANCEL_AGAIN_MS = 250
