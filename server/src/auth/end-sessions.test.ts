import { expect, test } from 'vitest'
import { emptyDatabase } from '../../test/empty-database.ts'
import { engines } from '../../test/library.ts'
import { newPosition, writeBusMessage } from '../live/bus-message.ts'
import { insertSession } from './sessions.sql.ts'
import { endSessions } from './sessions.ts'

test.each(engines)('the end of sessions is said where there were any, and only there (%s)', async engine => {
  const db = await (await emptyDatabase(engine)).open()
  const said: string[] = []
  const stop = await db.hear({ heard: text => void said.push(text), missedSome: () => undefined })
  const person = { issuer: 'test', subject: 'ben', email: 'ben@x.example', username: 'ben', name: 'Ben' }
  const { id } = await db.read
    .insertInto('people')
    .values({ ...person, role: 'member', status: 'approved', requested_at: 1 })
    .returning('id')
    .executeTakeFirstOrThrow()
  const last = writeBusMessage({ mark: newPosition() })
  const end = () => db.write(tx => endSessions({ db, clock: () => 1 }, tx, id))

  await end()
  await db.write(tx => insertSession(tx, 'a hash', id, 1))
  await end()
  await end()
  await db.write(tx => db.tell(tx, last))
  await expect.poll(() => said, { timeout: 10_000 }).toContain(last)
  expect(said).toEqual([writeBusMessage({ ended: { personId: id } }), last])
  await stop()
  await db.close()
})
