import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { logOut, signInPath, whoAmI } from '#contract/auth.ts'
import { rateLimits } from '#contract/limits.ts'
import { Browser } from '../../test/browser.ts'
import { type Library, startLibrary } from '../../test/library.ts'
import type { Visitor } from '../../test/visitor.ts'

let library: Library
beforeAll(async () => {
  library = await startLibrary()
})
afterAll(() => library.close())
beforeEach(() => startOfWindow(library))

test('an address may begin 120 sign-ins a minute, and is told when to come back', async () => {
  const browser = new Browser()
  const leave = () => browser.visit(new URL(signInPath, library.url))
  expect(await statuses(rateLimits.signIn, leave)).toEqual([302])

  const refused = await leave()
  expect(refused.status).toBe(429)
  expect(await refused.json()).toEqual({ error: expect.stringContaining('try again'), code: 'too_many_requests' })
  const seconds = Number(refused.headers.get('retry-after'))
  expect(seconds).toBeGreaterThan(0)
  expect(seconds).toBeLessThanOrEqual(60)

  expect((await new Browser().visit(new URL(signInPath, library.url))).status).toBe(302)
  library.pass(seconds * 1000)
  expect((await leave()).status).toBe(302)
})

test('a browser that opens the sign-in past the limit lands on a page that says so', async () => {
  const browser = new Browser()
  const open = (path: string) =>
    browser.visit(new URL(path, library.url), { headers: { accept: 'text/html,*/*;q=0.8' } })
  for (const path of [signInPath, '/auth/google/callback?state=forged']) {
    expect(await statuses(rateLimits.signIn, () => open(path))).toEqual([302])
    const refused = await open(path)
    expect([refused.status, refused.headers.get('location')]).toEqual([302, '/login?error=too_many_attempts'])
  }
})

test('coming back from the provider does not count against leaving for it', async () => {
  const browser = new Browser()
  const comeBack = () => browser.visit(new URL('/auth/google/callback?state=forged', library.url))
  expect(await statuses(rateLimits.signIn, comeBack)).toEqual([302])
  expect((await comeBack()).status).toBe(429)
  expect((await browser.visit(new URL(signInPath, library.url))).status).toBe(302)
})

test('an account may sign in 120 times a minute, from wherever it comes', async () => {
  const person = library.newPerson()
  await statuses(rateLimits.signIn, async () => Response.json(await library.signIn(person)), 8)
  await expect(library.signIn(person)).rejects.toThrow('answered 429')
  expect((await library.signIn(library.newPerson())).search).toBe('?error=pending_approval')
})

test('an account may write 600 times a minute from all its devices together, and read on past that', async () => {
  const phone = await library.newMember()
  const tablet = await library.signInAs(phone.person)
  startOfWindow(library)
  expect(await statuses(rateLimits.writes / 2, () => write(phone))).toEqual([403])
  expect(await statuses(rateLimits.writes / 2, () => write(tablet))).toEqual([403])

  const refused = await write(phone)
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  await expect(tablet.call(logOut)).rejects.toMatchObject({ status: 429, code: 'too_many_requests' })
  expect(await phone.call(whoAmI)).toMatchObject({ name: phone.person.name })

  library.pass(rateLimits.window)
  expect((await write(phone)).status).toBe(403)
})

test('an address may write 600 times a minute, whoever sits behind it', async () => {
  const [one, other] = [await library.newMember(), await library.newMember()]
  const home = { 'x-forwarded-for': '10.200.0.1' }
  startOfWindow(library)
  expect(await statuses(rateLimits.writes / 2, () => write(one, home))).toEqual([403])
  expect(await statuses(rateLimits.writes / 2, () => write(other, home))).toEqual([403])
  expect((await write(one, home)).status).toBe(429)
  expect((await write(other)).status).toBe(403)
})

test('what a stranger says about their address counts only where a proxy is trusted', async () => {
  const direct = await startLibrary({ environment: { TRUST_PROXY: 'false' } })
  onTestFinished(direct.close)
  startOfWindow(direct)
  let visitors = 0
  const leave = () => direct.anyone.fetch(signInPath, { headers: { 'x-forwarded-for': `10.9.9.${visitors++}` } })
  expect(await statuses(rateLimits.signIn, leave)).toEqual([302])
  expect((await leave()).status).toBe(429)
})

/** A write that a member may not make: it is counted and changes nothing. */
function write(visitor: Visitor, headers: Record<string, string> = {}): Promise<Response> {
  return visitor.fetch('/api/admin/pending-users/1/approve', { method: 'POST', headers })
}

/** The different statuses of many requests, some of them at once. */
async function statuses(times: number, send: () => Promise<Response>, atOnce = 20): Promise<number[]> {
  const seen = new Set<number>()
  for (let sent = 0; sent < times; sent += atOnce) {
    const responses = await Promise.all(Array.from({ length: Math.min(atOnce, times - sent) }, send))
    for (const { status } of responses) seen.add(status)
  }
  return [...seen]
}

/** Windows are aligned to the minute: begun at its start, no test straddles two. */
function startOfWindow({ now, pass }: Library): void {
  pass(rateLimits.window - (now() % rateLimits.window))
}
