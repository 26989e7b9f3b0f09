import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { linkPasswords as limits, rateLimits } from '#contract/limits.ts'
import { Browser } from '../../test/browser.ts'
import { type CreatedLink, guestOf, makeLink, photo } from '../../test/fixtures/guests.ts'
import { memberOf } from '../../test/fixtures/members.ts'
import { type Library, onBothEngines, startLibrary, startOfWindow } from '../../test/library.ts'
import { hashPassword } from './password.ts'

// Hundreds of passwords in each test are slow on a busy machine.
vi.setConfig({ testTimeout: 90_000 })

const PASSWORD = 'blue boat 1974'
const DAY = 24 * 60 * rateLimits.window

async function lockedLink(library: Library): Promise<CreatedLink> {
  const link = await makeLink(await memberOf(library), { fileIds: [await photo(library)], password: PASSWORD })
  startOfWindow(library)
  return link
}

const guess = async (library: Library, link: CreatedLink, address?: string, password = 'wrong') =>
  (await guestOf(library, link, new Browser(address)).open(password)).status

/** How many of these attempts were checked. */
const checked = (statuses: number[]) => statuses.filter(status => status === 403).length

onBothEngines('the password of a link', library => {
  test('can be tried a few times by one address, also at the same moment, and then after growing delays', async () => {
    const link = await lockedLink(library())
    const guesser = '10.66.0.1'
    const tries = Array.from({ length: 2 * limits.ofAddress.free }, () => guess(library(), link, guesser))
    expect(checked(await Promise.all(tries))).toBe(limits.ofAddress.free)

    const waits = []
    for (let i = 0; i < 4; i++) {
      const body = JSON.stringify({ token: link.token, password: 'wrong' })
      const headers = { 'content-type': 'application/json' }
      const refused = await guestOf(library(), link, new Browser(guesser)).fetch('/open', {
        method: 'POST',
        body,
        headers,
      })
      expect(refused.status).toBe(429)
      const seconds = Number(refused.headers.get('retry-after'))
      waits.push(Math.ceil(seconds / 60))
      library().pass(seconds * 1_000)
      expect(await guess(library(), link, guesser)).toBe(403)
    }
    expect(waits).toEqual([1, 2, 4, 8])
    expect(await guess(library(), link, guesser, PASSWORD)).toBe(429)
    library().pass(DAY + rateLimits.window)
    expect(await guess(library(), link, guesser, PASSWORD)).toBe(200)
  })

  test('opens the link for guests while many addresses guess it', async () => {
    const link = await lockedLink(library())
    const guessers = Array.from({ length: 40 }, (_, i) => `10.67.0.${i}`)
    const round = async () => checked(await Promise.all(guessers.map(address => guess(library(), link, address))))
    let tried = 0
    for (let i = 0; i < 6; i++) tried += await round()
    expect(tried).toBeLessThanOrEqual(limits.ofNewAddresses.free + limits.ofKnownAddresses.free)
    // Ten minutes more, at the start of each.
    for (let minute = 0; minute < 10; minute++) {
      library().pass(rateLimits.window)
      tried += await round()
    }
    expect(tried).toBeLessThanOrEqual(limits.ofNewAddresses.free + limits.ofKnownAddresses.free + 20)
    library().pass(rateLimits.window)
    for (let guests = 0; guests < 20; guests++) expect(await guess(library(), link, undefined, PASSWORD)).toBe(200)
  })

  test('is not tried more often from the many networks of one IPv6 customer', async () => {
    const link = await lockedLink(library())
    const statuses = []
    for (let i = 0; i < limits.ofNetwork.free + 5; i++)
      statuses.push(await guess(library(), link, `2001:db8:7:${i}::1`))
    expect(checked(statuses)).toBe(limits.ofNetwork.free)
    expect(await guess(library(), link, '2001:db8:8::1', PASSWORD)).toBe(200)
  })

  test('may be known to many guests behind one address, and mistyped by some', async () => {
    const link = await lockedLink(library())
    const wedding = '10.68.0.1'
    for (let i = 0; i < 3 * limits.ofAddress.free; i++) {
      expect(await guess(library(), link, wedding)).toBe(403)
      expect(await guess(library(), link, wedding, PASSWORD)).toBe(200)
      if (i % 10 === 9) library().pass(rateLimits.window)
    }
  })

  test('opens the link for many guests behind one address at the same moment, and still counts the wrong ones', async () => {
    const link = await lockedLink(library())
    const wedding = '10.70.0.1'
    const guests = Array.from({ length: 3 * limits.ofAddress.free }, () => guess(library(), link, wedding, PASSWORD))
    expect(new Set(await Promise.all(guests))).toEqual(new Set([200]))
    const tries = Array.from({ length: 2 * limits.ofAddress.free }, () => guess(library(), link, wedding))
    expect(checked(await Promise.all(tries))).toBe(limits.ofAddress.free)
  })

  test('may be shorter in a link that exists already', async () => {
    const link = await lockedLink(library())
    await library().rows(`update links set password_hash = '${await hashPassword('123456')}' where id = ${link.id}`)
    expect(await guess(library(), link, undefined, '123456')).toBe(200)
  })
})

test('wrong passwords are not forgotten when the server starts again', async () => {
  const library = await startLibrary()
  onTestFinished(library.close)
  const link = await lockedLink(library)
  for (let i = 0; i < limits.ofAddress.free; i++) expect(await guess(library, link, '10.69.0.1')).toBe(403)
  await library.restart()
  expect(await guess(library, link, '10.69.0.1', PASSWORD)).toBe(429)
})

test('passwords of many addresses wait for each other without a connection to the database each', async () => {
  const library = await startLibrary({ engine: 'postgres' })
  onTestFinished(library.close)
  const link = await lockedLink(library)
  const free = await makeLink(await memberOf(library), { fileIds: [await photo(library)] })
  const client = new pg.Client(library.config.databaseUrl)
  await client.connect()
  onTestFinished(() => client.end())
  // As another server does that counts an attempt at this moment.
  await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [`passwords of link ${link.id}`])
  const guesses = Array.from({ length: 30 }, (_, i) => guess(library, link, `10.71.0.${i}`))
  const waiting = async () => {
    const ownDatabase = 'database = (select oid from pg_database where datname = current_database())'
    const blocked = `select pid from pg_locks where locktype = 'advisory' and not granted and ${ownDatabase}`
    return (await client.query(blocked)).rowCount
  }
  await expect.poll(waiting).toBeGreaterThan(0)
  for (let i = 0; i < 20; i++)
    expect((await guestOf(library, free, new Browser(`10.72.0.${i}`)).open()).status).toBe(200)
  expect(await waiting()).toBe(1)
  await client.query('select pg_advisory_unlock_all()')
  expect(checked(await Promise.all(guesses))).toBe(30)
})
