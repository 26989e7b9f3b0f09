import { expect, test, vi } from 'vitest'
import { emptyDatabase } from '../../../test/empty-database.ts'
import { databaseLocker } from './uploads.sql.ts'

const { signal } = new AbortController()

/** Two servers of one library. */
async function twoServers() {
  const { open, rows } = await emptyDatabase('postgres')
  const [one, other] = await Promise.all([open(), open()])
  return { one: databaseLocker(one, Date.now), other: databaseLocker(other, Date.now), rows }
}

test('one request at a time writes to an upload, and the next one asks it to release the lock', async () => {
  const { one, other, rows } = await twoServers()
  const [first, second] = [one.newLock('7-a'), other.newLock('7-a')]
  const asked = vi.fn()
  await first.lock(signal, asked)
  let held = false
  const waiting = second
    .lock(signal, () => undefined)
    .then(() => {
      held = true
    })
  await expect.poll(() => asked.mock.calls.length, { timeout: 5_000 }).toBeGreaterThan(0)
  expect(held).toBe(false)
  await first.unlock()
  await waiting
  await second.unlock()
  expect(await rows('select * from upload_locks')).toEqual([])
})

test('uploads do not wait for each other', async () => {
  const { one, other, rows } = await twoServers()
  const [first, second] = [one.newLock('7-a'), other.newLock('7-b')]
  const asked = vi.fn()
  await first.lock(signal, asked)
  await second.lock(signal, asked)
  const held = () => rows('select upload_id from upload_locks order by upload_id')
  expect(await held()).toEqual([{ upload_id: '7-a' }, { upload_id: '7-b' }])
  expect(asked).not.toHaveBeenCalled()
  await first.unlock()
  expect(await held()).toEqual([{ upload_id: '7-b' }])
  await second.unlock()
  expect(await held()).toEqual([])
})

test('the lock of a server that died is anybody’s once its time is over', async () => {
  const { one, rows } = await twoServers()
  await rows(`insert into upload_locks (upload_id, holder, expires_at) values ('7-a', 'dead', ${Date.now() + 700})`)
  const next = one.newLock('7-a')
  await next.lock(signal, () => undefined)
  expect(await rows('select holder from upload_locks')).not.toEqual([{ holder: 'dead' }])
  await next.unlock()
})

test('a request that is gone does not wait', async () => {
  const { one, other } = await twoServers()
  const first = one.newLock('7-a')
  await first.lock(signal, () => undefined)
  await expect(other.newLock('7-a').lock(AbortSignal.abort(), () => undefined)).rejects.toBeTruthy()
  await first.unlock()
})
