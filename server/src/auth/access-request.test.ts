import { expect, test } from 'vitest'
import { accessRequestStatus } from '#contract/auth.ts'
import { accessRequest, rateLimits } from '#contract/limits.ts'
import { approvePerson, denyPerson, revokePerson } from '#contract/people.ts'
import { Browser } from '../../test/browser.ts'
import { type Library, onBothEngines } from '../../test/library.ts'

const COOKIE = 'heirloom_request'

async function ask(library: Library, browser: Browser, cookie?: string) {
  const init = cookie === undefined ? {} : { headers: { cookie: `${COOKIE}=${cookie}` } }
  const response = await browser.visit(new URL(accessRequestStatus.path, library.url), init)
  return { code: response.status, headers: response.headers, body: (await response.json()) as object }
}

/** Somebody who has just asked for access in a browser of their own. */
async function waiting(library: Library) {
  const [person, browser] = [library.newPerson(), new Browser()]
  await library.signIn(person, browser)
  return { person, browser, params: { id: await library.idOf(person) }, ticket: browser.cookie(COOKIE) ?? '' }
}

onBothEngines('the request for access', library => {
  test('is asked about by the browser that made it, and says nothing but its status and when it arrived', async () => {
    const [kim, lee] = [await waiting(library()), await waiting(library())]
    const pending = await ask(library(), kim.browser)
    expect(pending).toMatchObject({ code: 200, body: { status: 'pending', requested_at: expect.any(String) } })
    expect(Object.keys(pending.body)).toEqual(['status', 'requested_at'])
    expect(pending.headers.get('cache-control')).toBe('no-store')
    expect(pending.headers.getSetCookie()).toEqual([])

    const ada = await library().admin()
    await ada.call(approvePerson, { params: kim.params })
    expect((await ask(library(), kim.browser)).body).toMatchObject({ status: 'approved' })
    // Each browser sees the status of its own request only.
    expect((await ask(library(), lee.browser)).body).toMatchObject({ status: 'pending' })
    await ada.call(denyPerson, { params: lee.params })
    expect((await ask(library(), lee.browser)).body).toMatchObject({ status: 'denied' })
    await ada.call(revokePerson, { params: kim.params })
    expect((await ask(library(), kim.browser)).body).toMatchObject({ status: 'denied' })
  })

  test('has a cookie that scripts cannot read, that other sites cannot send, and that is no session', async () => {
    const [person, browser] = [library().newPerson(), new Browser()]
    const returned = await library().returnFromProvider(person, browser)
    const response = await browser.visit(returned)
    const cookie = response.headers.getSetCookie().find(line => line.startsWith(`${COOKIE}=`)) ?? ''
    expect(cookie).toMatch(/; Path=\/auth\/request(;|$)/)
    expect(cookie).toMatch(/; HttpOnly(;|$)/)
    expect(cookie).toMatch(/; SameSite=Strict(;|$)/)
    expect(cookie).toMatch(/; Max-Age=2592000(;|$)/)
    const ticket = browser.cookie(COOKIE) ?? ''
    await (await library().admin()).call(approvePerson, { params: { id: await library().idOf(person) } })
    const asToken = await library().anyone.fetch('/auth/me', { headers: { authorization: `Bearer ${ticket}` } })
    expect(asToken.status).toBe(401)
    const asCookie = await library().anyone.fetch('/auth/me', { headers: { cookie: `${COOKIE}=${ticket}` } })
    expect(asCookie.status).toBe(401)
    // Signing in again ends the waiting.
    expect((await library().signIn(person, browser)).searchParams.has('token')).toBe(true)
    expect(browser.cookie(COOKIE)).toBeUndefined()
  })

  test('is hidden without its cookie, with a forged one, and after its time', async () => {
    const [kim, lee] = [await waiting(library()), await waiting(library())]
    const [id = '', at = '', signature = ''] = kim.ticket.split('.')
    const forged = [
      undefined,
      '',
      'x',
      `${lee.params.id}.${at}.${signature}`,
      `${id}.${Number(at) + 1}.${signature}`,
      `${id}.${at}.${'A'.repeat(43)}`,
      `${id}.${at}.`,
      `${id}.${at}`,
      `0${id}.${at}.${signature}`,
    ]
    for (const cookie of forged) {
      expect(await ask(library(), new Browser(), cookie)).toMatchObject({ code: 404, body: { code: 'not_found' } })
    }
    expect(await ask(library(), new Browser(), kim.ticket)).toMatchObject({ code: 200 })
    library().pass(accessRequest.ttl + 1)
    expect(await ask(library(), kim.browser)).toMatchObject({ code: 404 })
  })

  test('is asked about so often and no more', async () => {
    const { browser } = await waiting(library())
    // Twice as many, because a new window may begin in between.
    const asked = Array.from({ length: 2 * rateLimits.signIn + 1 }, () => ask(library(), browser))
    const codes = (await Promise.all(asked)).map(({ code }) => code)
    expect(new Set(codes)).toEqual(new Set([200, 429]))
  })
})
