import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { emptyDatabase } from '../../test/empty-database.ts'
import { engines } from '../../test/library.ts'
import type { Database } from '../db/database.ts'
import { hashToken } from '../kit/tokens.ts'
import { newPosition, writeBusMessage } from '../live/announce.ts'
import { insertSession } from './sessions.sql.ts'
import { authenticate, endSessions, isSessionValid, startSession, validSessions } from './sessions.ts'

test.each(engines)('the end of sessions is said where there were any, and only there (%s)', async engine => {
  const db = await (await emptyDatabase(engine)).open()
  const messages: string[] = []
  const stop = await db.subscribe({ onMessage: text => void messages.push(text), onGap: () => undefined })
  const id = await insertPerson(db, 'test')
  const last = writeBusMessage({ subscribedAt: newPosition() })
  const end = () => db.transaction(tx => endSessions({ db, clock: () => 1 }, tx, id, 'denied'))

  await end()
  await db.transaction(tx => insertSession(tx, 'a hash', id, 1))
  await end()
  await end()
  await db.transaction(tx => db.publish(tx, last))
  await expect.poll(() => messages, { timeout: 10_000 }).toContain(last)
  expect(messages).toEqual([writeBusMessage({ ended: { personId: id } }), last])
  await stop()
  await db.close()
})

test.each(engines)('sessions of demo accounts are open in the demo alone (%s)', async engine => {
  const db = await (await emptyDatabase(engine)).open()
  const clock = () => 1
  for (const { issuer, provider, isOpen } of [
    { issuer: 'demo', provider: {}, isOpen: false },
    { issuer: 'demo', provider: undefined, isOpen: true },
    { issuer: 'test', provider: {}, isOpen: true },
  ]) {
    const deps = { db, clock, config: { oidc: provider } }
    const id = await insertPerson(db, issuer)
    const token = await db.transaction(tx => startSession(deps, tx, id))
    const sessionId = hashToken(token)
    expect((await authenticate(deps, token))?.id).toBe(isOpen ? id : undefined)
    expect(await isSessionValid(deps, { sessionId })).toBe(isOpen)
    expect([...(await validSessions(deps, [sessionId]))]).toEqual(isOpen ? [sessionId] : [])
  }
  await db.close()
})

async function insertPerson(db: Database, issuer: string): Promise<number> {
  const subject = randomUUID()
  const { id } = await db.query
    .insertInto('people')
    .values({
      issuer,
      subject,
      email: `${subject}@x.example`,
      username: subject,
      name: 'Ben',
      role: 'member',
      status: 'approved',
      requested_at: 1,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
