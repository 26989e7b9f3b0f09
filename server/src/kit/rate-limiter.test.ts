import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { logOut, signInPath, whoAmI } from '#contract/auth.ts'
import { rateLimits } from '#contract/limits.ts'
import { checkDuplicate } from '#contract/media.ts'
import { resumableUploadsPath } from '#contract/upload.ts'
import { Browser } from '../../test/browser.ts'
import { type Library, onBothEngines, startLibrary, startOfWindow } from '../../test/library.ts'
import type { Visitor } from '../../test/visitor.ts'
import { memoryRateLimiter, TooManyRequests } from './rate-limiter.ts'

// Hundreds of requests in each test are slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

let library: Library
beforeAll(async () => {
  library = await startLibrary()
})
afterAll(() => library.close())
beforeEach(() => startOfWindow(library))

test('an address may begin 120 sign-ins a minute, then gets Retry-After', async () => {
  const browser = new Browser()
  const leave = () => browser.visit(new URL(signInPath, library.url))
  expect(await statuses(rateLimits.signIn, leave)).toEqual([302])

  const refused = await leave()
  expect(refused.status).toBe(429)
  const seconds = Number(refused.headers.get('retry-after'))
  expect(await refused.json()).toEqual({
    error: `That was a lot at once. Please try again in ${seconds} seconds.`,
    code: 'too_many_requests',
    key: 'request.waitSeconds',
    values: { seconds },
  })
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

test('an account may sign in 120 times a minute, from any address', async () => {
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

onBothEngines('an address', library => {
  test('may be shared by a family, of whom one who writes too much blocks nobody else', async () => {
    const family = library()
    const [one, other] = [await family.newMember(), await family.newMember()]
    const home = { 'x-forwarded-for': '10.200.0.1' }
    startOfWindow(family)
    expect(await statuses(rateLimits.writes, () => write(one, home))).toEqual([403])
    expect((await write(one, home)).status).toBe(429)
    expect((await write(other, home)).status).toBe(403)
    expect((await family.anyone.fetch('/auth/logout', { method: 'POST', headers: home })).status).toBe(401)
  })

  test('may write 600 times a minute without a session, a wrong token being none', async () => {
    const family = library()
    const member = await family.newMember()
    const headers = { 'x-forwarded-for': '2001:db8:1:2::1' }
    const wrong = { ...headers, authorization: `Bearer ${'x'.repeat(43)}` }
    startOfWindow(family)
    expect(await statuses(rateLimits.writes / 2, () => write(family.anyone, headers))).toEqual([401])
    expect(await statuses(rateLimits.writes / 2, () => write(family.anyone, wrong))).toEqual([401])
    for (const more of [headers, wrong, { 'x-forwarded-for': '2001:db8:1:2:ffff::9' }]) {
      const refused = await write(family.anyone, more)
      expect(refused.status).toBe(429)
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    expect((await write(family.anyone, { 'x-forwarded-for': '2001:db8:1:3::1' })).status).toBe(401)
    expect((await write(member, headers)).status).toBe(403)
    expect((await family.anyone.fetch('/api/users', { headers })).status).toBe(401)
    expect((await family.anyone.fetch(signInPath, { headers })).status).toBe(302)
  })
})

test('uploads and duplicate checks are not counted', async () => {
  const member = await library.newMember()
  startOfWindow(library)
  const check = () =>
    member.fetch(checkDuplicate.path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' })
  expect(await statuses(rateLimits.writes + 20, check)).toEqual([400])
  const headers = { 'tus-resumable': '1.0.0' }
  const begin = () => member.fetch(resumableUploadsPath, { method: 'POST', headers })
  expect(await statuses(rateLimits.writes + 20, begin)).toEqual([400])
  expect((await write(member)).status).toBe(403)
})

test('addresses that a client invents in front of the proxy’s own entry count for nothing', async () => {
  startOfWindow(library)
  let invented = 0
  const leave = () => {
    const forwarded = `10.9.${invented >> 8}.${invented++ & 255}, 203.0.113.7`
    return library.anyone.fetch(signInPath, { headers: { 'x-forwarded-for': forwarded } })
  }
  expect(await statuses(rateLimits.signIn, leave)).toEqual([302])
  expect((await leave()).status).toBe(429)
})

test('counts in memory are bounded, and a key in use is not the one to go', async () => {
  const limiter = memoryRateLimiter(60_000, () => 0, 100)
  for (let i = 0; i < 5; i++) await limiter.hit('ada', 5)
  for (let i = 0; i < 10_000; i++) {
    await limiter.hit(`stranger ${i}`, 5)
    if (i % 50 === 0) await expect(limiter.hit('ada', 5)).rejects.toThrow(TooManyRequests)
  }
  // Its count was evicted with those of other addresses.
  for (let i = 0; i < 5; i++) await limiter.hit('stranger 0', 5)
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

/** A write that a member may not make: it is counted but changes nothing. */
function write(visitor: Visitor, headers: Record<string, string> = {}): Promise<Response> {
  return visitor.fetch('/api/admin/pending-users/1/approve', { method: 'POST', headers })
}

/** The distinct statuses of many requests, `atOnce` of them concurrently. */
async function statuses(times: number, send: () => Promise<Response>, atOnce = 20): Promise<number[]> {
  const seen = new Set<number>()
  for (let sent = 0; sent < times; sent += atOnce) {
    const responses = await Promise.all(Array.from({ length: Math.min(atOnce, times - sent) }, send))
    for (const { status } of responses) seen.add(status)
  }
  return [...seen]
}
