import { fastify } from 'fastify'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { emptyDatabase } from '../../test/empty-database.ts'
import { engines } from '../../test/library.ts'
import { limitReads, withLongQueries } from '../kit/read-limits.ts'
import type { Database } from './database.ts'

const HOURS = 1e12

/** Counts for hours, unless it is interrupted. */
async function countTo(db: Database, last: number): Promise<number> {
  const numbers = sql<{ id: number }>`(with recursive numbers (id) as (
    select 1 union all select id + 1 from numbers where id < ${sql.lit(last)}) select id from numbers)`
  const query = db.query.selectFrom(numbers.as('media')).select(sql<number>`count(*)`.as('count'))
  const interruptible = db.interruptible(query as never) as unknown as typeof query
  return (await interruptible.executeTakeFirstOrThrow()).count
}

/** A server whose GET requests count up to a number. */
async function server(db: Database, statementMs: number): Promise<URL> {
  const app = fastify()
  onTestFinished(() => app.close())
  limitReads(app, statementMs)
  const handler = async ({ params }: { params: unknown }) => ({
    count: await countTo(db, Number((params as { last: string }).last)),
  })
  app.get('/:last', handler)
  app.get('/long/:owner/:last', request =>
    withLongQueries((request.params as { owner: string }).owner, () => handler(request)),
  )
  app.post('/:last', handler)
  return new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
}

describe.each(engines)('a query of a request on %s', engine => {
  test('that takes too long is interrupted, with a sentence, and the next ones run', async () => {
    const db = await (await emptyDatabase(engine)).open()
    const url = await server(db, 300)
    const slow = await Promise.all(Array.from({ length: 12 }, () => fetch(new URL(`/${HOURS}`, url))))
    for (const response of slow) {
      expect(await response.json()).toMatchObject({ message: expect.stringContaining('takes too long') })
    }
    expect(await (await fetch(new URL('/1000', url))).json()).toEqual({ count: 1000 })
  })

  test('that changes something, or of a job, has no limit of time', async () => {
    const db = await (await emptyDatabase(engine)).open()
    const url = await server(db, 1)
    expect(await (await fetch(new URL('/300000', url), { method: 'POST' })).json()).toEqual({ count: 300_000 })
    expect(await countTo(db, 300_000)).toBe(300_000)
  })

  test('ends when its client goes away, and those that wait never start', async () => {
    const { open, rows } = await emptyDatabase(engine)
    const db = await open()
    const url = await server(db, 600_000)
    const leaving = new AbortController()
    const abandoned = Array.from({ length: 30 }, () => fetch(new URL(`/${HOURS}`, url), { signal: leaving.signal }))
    const ended = Promise.allSettled(abandoned)
    if (engine === 'postgres') {
      const busy = `select pid from pg_stat_activity where state = 'active' and query like '%with recursive numbers%' and pid <> pg_backend_pid()`
      await expect.poll(async () => (await rows(busy)).length, { timeout: 20_000 }).toBeGreaterThan(0)
      leaving.abort()
      await expect.poll(async () => (await rows(busy)).length, { timeout: 20_000 }).toBe(0)
    } else leaving.abort()
    await ended
    expect(await (await fetch(new URL('/1000', url))).json()).toEqual({ count: 1000 })
  })

  test('does not wait for long ones of several people, and theirs do not wait for more of one of them', async () => {
    const db = await (await emptyDatabase(engine)).open()
    const url = await server(db, 600_000)
    const leaving = new AbortController()
    const ask = (path: string) => fetch(new URL(path, url), { signal: leaving.signal })
    const benAsks = Array.from({ length: 3 }, () => ask(`/long/ben/${HOURS}`))
    expect(await (await ask('/long/rose/1000')).json()).toEqual({ count: 1000 })
    const roseAsks = Array.from({ length: 3 }, () => ask(`/long/rose/${HOURS}`))
    expect(await (await ask('/1000')).json()).toEqual({ count: 1000 })
    leaving.abort()
    await Promise.allSettled([...benAsks, ...roseAsks])
  })
})
