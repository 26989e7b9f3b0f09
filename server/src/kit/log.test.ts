import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { logOut, providerReturnPath, signInPath } from '#contract/auth.ts'
import { adminStats } from '#contract/people.ts'
import { Browser } from '../../test/browser.ts'
import { type Library, startLibrary } from '../../test/library.ts'
import { printable, printableJson, printableLine } from './log.ts'

let library: Library
beforeAll(async () => {
  library = await startLibrary()
})
afterAll(() => library.close())

test('the log of a busy day holds no token, cookie, code or e-mail, at its most talkative', async () => {
  const secrets = new Set(library.provider.people.map(({ email }) => email))
  const browser = new Browser()

  const returned = await library.returnFromProvider('ben', browser)
  for (const name of ['code', 'state']) secrets.add(returned.searchParams.get(name) ?? '')
  secrets.add(browser.cookie('heirloom_sign_in') ?? '')
  const landed = await browser.follow(returned, url => url.origin === library.url.origin)
  secrets.add(landed.searchParams.get('token') ?? '')
  await library.anyone.fetch(landed.pathname + landed.search)

  for (const fault of ['forged signature', 'foreign nonce', 'foreign audience', 'expired', 'hangs up'] as const) {
    const another = new Browser()
    const back = await library.returnFromProvider('ben', another)
    for (const name of ['code', 'state']) secrets.add(back.searchParams.get(name) ?? '')
    library.provider.fault = fault
    await another.visit(back)
    library.provider.fault = undefined
  }
  const unverified = library.newPerson({ emailVerified: false })
  secrets.add(unverified.email)
  await library.signIn(unverified)
  await library.anyone.fetch(`${signInPath}?hint=${unverified.email}`)
  await library.anyone.fetch(`${providerReturnPath}?error=server_error&error_description=${unverified.email}&state=s`)

  const ada = await library.signInAs('ada')
  secrets.add(ada.token)
  await ada.call(adminStats)
  await ada.fetch(`/api/nothing?token=${ada.token}`)
  await ada.fetch('/auth/logout', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: `{"email":"${unverified.email}", broken`,
  })
  await garbage(library, `GET / HTTP/1.1\r\nauthorization: Bearer ${ada.token}\r\nbroken header\r\n\r\n`)
  await ada.call(logOut)
  await ada.fetch('/auth/me', { headers: { cookie: `auth_token=${ada.token}` } })

  const log = library.log.join('')
  expect(library.log.length).toBeGreaterThan(20)
  expect(secrets.size).toBeGreaterThan(15)
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThan(8)
    expect(log).not.toContain(secret)
    // A buffer would be logged as its bytes.
    expect(log).not.toContain([...Buffer.from(secret)].join())
  }
  expect(log).not.toMatch(/@okafor\.example|@elsewhere\.example/)
})

test('every line is JSON that names its request, and of an address the path alone', async () => {
  await library.anyone.fetch('/api/users?search=secret-word')
  const lines = library.log.map(line => JSON.parse(line))
  const request = lines.findLast(({ req }) => req?.path === '/api/users')
  expect(request).toMatchObject({ reqId: expect.any(String), req: { method: 'GET', path: '/api/users' } })
  expect(library.log.join('')).not.toContain('secret-word')
})

test('why a provider refused is written down for the one who has to mend it', async () => {
  const browser = new Browser()
  const back = await library.returnFromProvider('ben', browser)
  library.provider.fault = 'foreign nonce'
  await browser.visit(back)
  library.provider.fault = undefined
  const line = library.log.findLast(text => text.includes('the identity provider refused a sign-in'))
  expect(JSON.parse(line ?? '{}')).toMatchObject({ level: 40, err: { message: expect.stringMatching(/nonce/i) } })
})

async function garbage({ url }: Library, bytes: string): Promise<void> {
  const socket = connect(Number(url.port), url.hostname)
  socket.resume().end(bytes)
  await new Promise(resolve => socket.on('error', resolve).on('close', resolve))
}

const hostile = '\x1b]0;owned\x07\x1b[2J\x9b31m\r\u202egpj.exe\x00\x7f'

test('what a terminal would act on is written out, and everything else stays', () => {
  expect(printable(hostile)).toBe(String.raw`\x1b]0;owned\x07\x1b[2J\x9b31m\x0d\u{202e}gpj.exe\x00\x7f`)
  expect(printable('Oma & Opa 🎂 — año 日本 שלום é\ttwo\nlines')).toBe('Oma & Opa 🎂 — año 日本 שלום é\ttwo\nlines')
  expect(printable('half \ud83d, \udf82 half')).toBe(String.raw`half \u{d83d}, \u{df82} half`)
})

test('inside a line, no other line can be forged', () => {
  expect(printableLine('a.jpg\n0 files skipped')).toBe(String.raw`a.jpg\n0 files skipped`)
})

test('a line of JSON means the same as before', () => {
  const line = `${JSON.stringify({ name: `${hostile} 🎂` })}\n`
  const safe = printableJson(line)
  expect(JSON.parse(safe)).toEqual(JSON.parse(line))
  expect(safe).not.toMatch(/[\x7f-\x9f\u202e]/)
})

test('the log of a server holds no character that a terminal would act on', async () => {
  const library = await startLibrary({ environment: { LOG_LEVEL: 'info' } })
  try {
    library.app.http.log.error({ name: hostile }, `could not read ${hostile}`)
    const lines = library.log.filter(line => line.includes('could not read'))
    expect(lines).toHaveLength(1)
    expect(JSON.parse(lines[0] ?? '').name).toBe(hostile)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this is about
    expect(lines.join('').trimEnd()).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202e]/)
  } finally {
    await library.close()
  }
})
