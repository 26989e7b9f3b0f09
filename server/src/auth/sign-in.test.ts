import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { confirmSignIn, signInPath, whoAmI } from '#contract/auth.ts'
import { signInAttempt } from '#contract/limits.ts'
import { adminStats, denyPerson, revokePerson } from '#contract/people.ts'
import { Browser } from '../../test/browser.ts'
import type { Fault } from '../../test/identity-provider.ts'
import { type Library, onBothEngines, startLibrary } from '../../test/library.ts'

const pathAndQuery = (url: URL) => url.pathname + url.search

onBothEngines('signing in', library => {
  beforeEach(() => {
    library().provider.fault = undefined
  })

  test('a member gets a token that opens the library', async () => {
    const landed = await library().signIn('ben')
    expect(pathAndQuery(landed)).toMatch(/^\/auth\/callback\?token=[\w-]{43}$/)
    const ben = await library().signInAs('ben')
    expect(await ben.call(whoAmI)).toMatchObject({ username: 'ben', name: 'Ben Okafor', role: 'member' })
  })

  test('a stranger becomes one request for access, however often they try', async () => {
    const stranger = library().newPerson()
    for (let tries = 0; tries < 3; tries++) {
      expect(pathAndQuery(await library().signIn(stranger))).toBe('/login?error=pending_approval')
    }
    const ada = await library().admin()
    const { pendingUsers } = await ada.call(adminStats)
    expect(pendingUsers.filter(({ email }) => email === stranger.email)).toHaveLength(1)
  })

  test('a denied person sees that signing in failed', async () => {
    const stranger = library().newPerson()
    await library().signIn(stranger)
    const ada = await library().admin()
    await ada.call(denyPerson, { params: { id: await library().idOf(stranger) } })
    expect(pathAndQuery(await library().signIn(stranger))).toBe('/login?error=auth_failed')
  })

  test('a revoked person sees that signing in failed', async () => {
    const member = await library().newMember()
    const ada = await library().admin()
    await ada.call(revokePerson, { params: { id: await library().idOf(member.person) } })
    expect(pathAndQuery(await library().signIn(member.person))).toBe('/login?error=auth_failed')
  })

  test('an e-mail that the provider has not verified opens nothing and leaves no request', async () => {
    const unverified = library().newPerson({ emailVerified: false })
    expect(pathAndQuery(await library().signIn(unverified))).toBe('/login?error=auth_failed')
    await expect(library().idOf(unverified)).rejects.toThrow('never signed in')
  })

  test('an e-mail is verified by true alone, or by the text of an issuer that the configuration names', async () => {
    const landings = async () => {
      const claims: unknown[] = [true, 'true', false, 'false', undefined]
      const people = claims.map(claim => library().newPerson({ emailVerified: claim as boolean }))
      return Promise.all(people.map(async person => pathAndQuery(await library().signIn(person))))
    }
    const [asked, refused] = ['/login?error=pending_approval', '/login?error=auth_failed']
    expect(await landings()).toEqual([asked, refused, refused, refused, refused])
    onTestFinished(() => library().restart({ OIDC_TEXT_VERIFIED_ISSUERS: undefined }))
    await library().restart({ OIDC_TEXT_VERIFIED_ISSUERS: 'https://id.example' })
    expect(await landings()).toEqual([asked, refused, refused, refused, refused])
    const { href } = library().provider.issuer
    await library().restart({ OIDC_TEXT_VERIFIED_ISSUERS: `https://id.example, ${href}` })
    expect(await landings()).toEqual([asked, asked, refused, refused, refused])
  })

  test('a listed e-mail that is not verified is not let in', async () => {
    const impostor = library().newPerson({ email: 'rose@okafor.example', emailVerified: false })
    expect(pathAndQuery(await library().signIn(impostor))).toBe('/login?error=auth_failed')
  })

  test('who cancels at the provider is sent back with an error', async () => {
    const browser = new Browser()
    const returned = await library().returnFromProvider(undefined, browser)
    expect(await landing(library(), browser, returned)).toBe('/auth/callback?error=cancelled')
  })

  test('a state that we never gave out is refused', async () => {
    const browser = new Browser()
    const returned = await library().returnFromProvider('ben', browser)
    returned.searchParams.set('state', 'forged')
    expect(await landing(library(), browser, returned)).toBe('/auth/callback?error=expired')
    returned.searchParams.delete('state')
    expect(await landing(library(), browser, returned)).toBe('/auth/callback?error=expired')
  })

  test('the same return cannot be used twice', async () => {
    const browser = new Browser()
    const returned = await library().returnFromProvider('ben', browser)
    expect(await landing(library(), browser, returned)).toMatch(/token=/)
    expect(await landing(library(), browser, returned)).toBe('/auth/callback?error=expired')
  })

  test('a code cannot be replayed under a fresh state', async () => {
    const browser = new Browser()
    const used = await library().returnFromProvider('ben', browser)
    expect(await landing(library(), browser, used)).toMatch(/token=/)
    const fresh = await library().returnFromProvider('ben', browser)
    fresh.searchParams.set('code', used.searchParams.get('code') ?? '')
    expect(await landing(library(), browser, fresh)).toBe('/auth/callback?error=provider_failed')
  })

  test('a return link does not sign in another browser', async () => {
    const browser = new Browser()
    const returned = await library().returnFromProvider('ben', browser)
    expect(await landing(library(), new Browser(), returned)).toBe('/auth/callback?error=expired')
    const other = new Browser()
    await library().returnFromProvider('rose', other)
    const again = await library().returnFromProvider('ben', browser)
    expect(await landing(library(), other, again)).toBe('/auth/callback?error=expired')
  })

  test('two tabs of one browser can be signing in at once', async () => {
    const browser = new Browser()
    const first = await library().returnFromProvider('ben', browser)
    const second = await library().returnFromProvider('ben', browser)
    expect(await landing(library(), browser, first)).toMatch(/token=/)
    expect(await landing(library(), browser, second)).toMatch(/token=/)
  })

  test('an attempt left lying too long has expired', async () => {
    const browser = new Browser()
    const returned = await library().returnFromProvider('ben', browser)
    library().pass(signInAttempt.ttl + 1)
    expect(await landing(library(), browser, returned)).toBe('/auth/callback?error=expired')
  })

  test.for<Fault>(['forged signature', 'foreign nonce', 'foreign audience', 'expired'])(
    'an identity token with %s lets nobody in',
    async fault => {
      const browser = new Browser()
      const returned = await library().returnFromProvider('ben', browser)
      library().provider.fault = fault
      expect(await landing(library(), browser, returned)).toBe('/auth/callback?error=provider_failed')
    },
  )

  test('a provider that goes away between leaving and coming back fails this attempt alone', async () => {
    const browser = new Browser()
    const returned = await library().returnFromProvider('ben', browser)
    library().provider.fault = 'hangs up'
    expect(await landing(library(), browser, returned)).toBe('/auth/callback?error=provider_failed')
    library().provider.fault = undefined
    expect(pathAndQuery(await library().signIn('ben'))).toMatch(/token=/)
  })

  test('nothing about a sign-in may be kept by a cache', async () => {
    const browser = new Browser()
    const left = await browser.visit(new URL(signInPath, library().url))
    expect(left.headers.get('cache-control')).toBe('no-store')
    const came = await browser.visit(await library().returnFromProvider('ben', browser))
    expect(came.headers.get('cache-control')).toBe('no-store')
  })

  test('a token is confirmed for the browser that signed in, and for no other', async () => {
    const [browser, stranger, victim] = [new Browser(), new Browser(), new Browser()]
    const token = tokenIn(await library().signIn('ben', browser))
    await library().signIn('rose', victim)
    expect(await confirm(library(), stranger, token)).toBe(403)
    expect(await confirm(library(), victim, token)).toBe(403)
    expect(await confirm(library(), browser, 'q'.repeat(43))).toBe(403)
    expect(await confirm(library(), browser, undefined)).toBe(403)
    expect(await confirm(library(), browser, token)).toBe(204)
  })

  test('two tabs of one browser each have their own token confirmed', async () => {
    const browser = new Browser()
    const returns = [
      await library().returnFromProvider('ben', browser),
      await library().returnFromProvider('ben', browser),
    ]
    const tokens = []
    for (const returned of returns)
      tokens.push(tokenIn(await browser.follow(returned, at => at.searchParams.has('token'))))
    for (const token of tokens) expect(await confirm(library(), browser, token)).toBe(204)
  })

  test('a page that was reloaded may confirm again for a moment, and nobody may later', async () => {
    const browser = new Browser()
    const token = tokenIn(await library().signIn('ben', browser))
    expect(await confirm(library(), browser, token)).toBe(204)
    expect(await confirm(library(), browser, token)).toBe(204)
    library().pass(signInAttempt.confirmAgain + 1)
    expect(await confirm(library(), browser, token)).toBe(403)
  })

  test('a token that nobody confirmed in time is not confirmed later', async () => {
    const browser = new Browser()
    const token = tokenIn(await library().signIn('ben', browser))
    library().pass(signInAttempt.ttl + 1)
    expect(await confirm(library(), browser, token)).toBe(403)
  })

  test('a sign-in that was begun before a restart is confirmed after it', async () => {
    const browser = new Browser()
    const returned = await library().returnFromProvider('ben', browser)
    await library().restart()
    const token = tokenIn(await browser.follow(returned, at => at.searchParams.has('token')))
    await library().restart()
    expect(await confirm(library(), browser, token)).toBe(204)
  })

  test('what binds an attempt to its browser is out of reach of scripts and other sites', async () => {
    const left = await new Browser().visit(new URL(signInPath, library().url))
    const [cookie = ''] = left.headers.getSetCookie()
    expect(cookie).toMatch(/HttpOnly/i)
    expect(cookie).toMatch(/SameSite=Lax/i)
    expect(cookie).toMatch(/Path=\/auth\/google/i)
  })
})

describe('an identity provider that is away from the start', () => {
  let library: Library
  beforeAll(async () => {
    library = await startLibrary()
  })
  afterAll(() => library.close())

  test('is said to be away, and serves as soon as it is back', async () => {
    for (const fault of ['hangs up', 'never answers'] as const) {
      library.provider.fault = fault
      const landed = await landing(library, new Browser(), new URL(signInPath, library.url))
      expect(landed).toBe('/auth/callback?error=provider_unreachable')
    }
    library.provider.fault = undefined
    expect(pathAndQuery(await library.signIn('ben'))).toMatch(/token=/)
  })
})

function tokenIn(landed: URL): string {
  return landed.searchParams.get('token') ?? ''
}

/** The status of the confirm call from this browser's callback page. */
async function confirm(library: Library, browser: Browser, token: string | undefined): Promise<number> {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
  return (await browser.visit(new URL(confirmSignIn.path, library.url), { method: 'POST', headers })).status
}

/** Where the library redirects a browser that visits this URL. */
async function landing(library: Library, browser: Browser, url: URL): Promise<string> {
  return pathAndQuery(await browser.follow(url, at => at.origin === library.url.origin))
}
