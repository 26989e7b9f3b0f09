import { request as openRequest } from 'node:http'
import { connect } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { signInAgainPath, signInPath, whoAmI } from '#contract/auth.ts'
import { requestZip } from '#contract/media.ts'
import { listMedia } from '#contract/media-list.ts'
import { listNotifications } from '#contract/notifications.ts'
import { adminStats, approvePerson, listPeople, reapprovePerson, revokePerson } from '#contract/people.ts'
import { Browser } from '../../../test/browser.ts'
import { makePicture } from '../../../test/fixtures/pictures.ts'
import { uploadFile } from '../../../test/fixtures/uploads.ts'
import { engines, type Library, type LibraryOptions, onBothEngines, startLibrary } from '../../../test/library.ts'
import { type Visitor, visitor } from '../../../test/visitor.ts'
import { demoMemory } from './provider.ts'

const noProvider = { OIDC_CLIENT_ID: undefined, OIDC_CLIENT_SECRET: undefined }

describe('the demo', () => {
  // The complete flow, with the intermediate page of the OIDC library, is tested in e2e/signing-in.test.ts.
  test('keeps the sign-in under way when the grant of the person before is revoked', async () => {
    const memory = demoMemory()
    const [interactions, tokens] = [memory('Interaction'), memory('AccessToken')]
    await interactions.upsert('running', { grantId: 'adas' }, 60)
    await tokens.upsert('old', { grantId: 'adas' }, 60)
    await tokens.upsert('other', { grantId: 'bens' }, 60)
    await tokens.revokeByGrantId('adas')
    expect(await interactions.find('running')).toEqual({ grantId: 'adas' })
    expect(await tokens.find('old')).toBeUndefined()
    expect(await tokens.find('other')).toEqual({ grantId: 'bens' })
  })

  test('asks a person for their account once, although they were approved later', async () => {
    const library = await startDemo()
    const ada = await chooseInDemo(library, 'ada')
    const browser = new Browser(null)
    const kofi = await chooseInDemo(library, 'kofi', browser)
    expect(kofi.token).toBe('')
    await ada.session.call(approvePerson, { params: { id: kofi.id } })
    const back = await browser.follow(new URL(signInAgainPath, library.url), isBack)
    const token = back.searchParams.get('token') ?? ''
    expect(await visitor(library.url, token, 'straight').call(whoAmI)).toMatchObject({ id: kofi.id })
    // Somebody else may sign in with the button in the same browser.
    expect((await browser.follow(new URL(signInPath, library.url))).pathname).toContain('/demo/choose/')
  })

  test('asks who one is in the language of the browser', async () => {
    const library = await startDemo()
    const browser = new Browser(null)
    const choose = await browser.follow(new URL(signInPath, library.url))
    const page = async (language: string) =>
      (await browser.visit(choose, { headers: { 'accept-language': language } })).text()
    const english = await page('en-GB,en;q=0.9')
    expect(english).toContain('<html lang="en">')
    expect(english).toContain('<title>Who are you? · Heirloom demo</title>')
    expect(english).toContain('<h1>Who are you today?</h1>')
    expect(english).toContain('<small>Member: keeps the stories</small>')
    const german = await page('de-DE,de;q=0.9,en;q=0.8')
    expect(german).toContain('<html lang="de">')
    expect(german).toContain('<h1>Wer möchtest du heute sein?</h1>')
    expect(german).toContain('<small>Mitglied: bewahrt die Geschichten</small>')
  })

  const paths = [
    ...['/', '/healthz', '/auth/google', '/auth/google/callback', '/auth/settings', '/auth/me', '/api/users'],
    ...['/api/media', '/api/no-such-thing', '/demo/auth', '/demo/.well-known/openid-configuration', '/files/x'],
  ]

  test('answers every path to loopback hosts, and none of them to another', async () => {
    const library = await startDemo()
    const { port } = library.url
    for (const path of paths) {
      for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, '127.4.5.6', `[::1]:${port}`, 'photos.localhost']) {
        expect([path, host, (await ask(library, path, { host })).text]).toEqual([
          path,
          host,
          expect.not.stringMatching(demoOnly),
        ])
      }
      for (const host of [
        'photos.example',
        `192.168.1.10:${port}`,
        'localhost.evil.example',
        '127.0.0.1.nip.io',
        'x@127.0.0.1',
        '0',
      ]) {
        const { status, text } = await ask(library, path, { host })
        expect([path, host, status, text]).toEqual([path, host, 403, expect.stringMatching(demoOnly)])
      }
    }
  })

  test.each([
    'Forwarded',
    'X-Forwarded-For',
    'x-forwarded-host',
    'fly-client-ip',
    'x-azure-clientip',
    'cdn-loop',
    'X-FORWARDED-PROTO',
    'X-Real-IP',
    'Via',
    'CF-Connecting-IP',
  ])('refuses what came through a proxy that says so by %s', async header => {
    const library = await startDemo()
    for (const path of paths) {
      const { status, text } = await ask(library, path, { [header]: '127.0.0.1' })
      expect([path, status, text]).toEqual([path, 403, expect.stringMatching(demoOnly)])
    }
  })

  test.each([
    ['two hosts', 'GET /auth/settings HTTP/1.1\r\nhost: localhost\r\nhost: photos.example\r\n'],
    ['a host in the address', 'GET http://photos.example/auth/settings HTTP/1.1\r\nhost: localhost\r\n'],
  ])('refuses %s', async (_, head) => {
    const { url } = await startDemo()
    const socket = connect(Number(url.port), url.hostname)
    socket.end(`${head}connection: close\r\n\r\n`)
    const answer = Buffer.concat(await socket.toArray()).toString()
    expect(answer).toMatch(/^HTTP\/1\.1 40[03] /)
  })

  test('refuses the pages of other sites, and says in plain text to a browser what to configure', async () => {
    const library = await startDemo()
    expect(await ask(library, '/auth/settings', { origin: 'https://photos.example' })).toMatchObject({ status: 403 })
    expect(await ask(library, '/auth/settings', { origin: `http://localhost:${library.url.port}` })).toMatchObject({
      status: 200,
    })
    const shown = await ask(library, '/', { host: 'photos.example', accept: 'text/html' })
    expect(shown).toMatchObject({ status: 403, type: 'text/plain; charset=utf-8' })
    expect(shown.text).toMatch(/^This is the demo.*OIDC_CLIENT_ID/)
    const headers = { host: 'photos.example', accept: 'text/html', 'accept-language': 'de' }
    expect((await ask(library, '/', headers)).text).toMatch(/^Das ist die Demo.*OIDC_CLIENT_ID/)
  })
})

describe.each(engines)('demo accounts once a real provider is configured (%s)', engine => {
  test('count for nothing, lose nothing, and are themselves again in the demo', async () => {
    const library = await startDemo({ engine })
    const provider = { OIDC_CLIENT_ID: library.provider.clientId, OIDC_CLIENT_SECRET: library.provider.clientSecret }
    const ada = await chooseInDemo(library, 'ada')
    const rose = await chooseInDemo(library, 'rose')
    await chooseInDemo(library, 'kofi')
    const photo = await uploadFile(rose.session, { name: 'beach.jpg', bytes: await makePicture() })

    await library.restart(provider)
    for (const { session } of [ada, rose]) {
      await expect(session.call(whoAmI)).rejects.toMatchObject({ status: 401 })
      await expect(session.call(listMedia, { query: {} })).rejects.toMatchObject({ status: 401 })
    }
    // The real Ada's e-mail is listed; the demo account with the same e-mail must not block her.
    const real = await library.signInAs('ada')
    const me = await real.call(whoAmI)
    expect(me).toMatchObject({ role: 'admin', name: 'Ada Okafor' })
    expect(await real.call(listPeople)).toEqual([expect.objectContaining({ id: me.id })])
    expect(await real.call(adminStats)).toMatchObject({
      pendingUserCount: 0,
      approvedUserCount: 1,
      deniedUserCount: 0,
      approvedUsers: [{ id: me.id }],
    })
    await expect(real.call(revokePerson, { params: { id: me.id } })).rejects.toMatchObject({ status: 409 })
    for (const decision of [revokePerson, reapprovePerson]) {
      await expect(real.call(decision, { params: { id: ada.id } })).rejects.toMatchObject({ status: 404 })
    }
    const { files } = await real.call(listMedia, { query: {} })
    expect(files.map(({ id }) => id)).toEqual([photo.id])
    expect(await real.call(listNotifications, { query: {} })).toMatchObject([{ title: "You're in" }])

    await library.restart(noProvider)
    await expect(ada.session.call(whoAmI)).rejects.toMatchObject({ status: 401 })
    const again = await chooseInDemo(library, 'ada')
    expect(again.id).toBe(ada.id)
    expect(await again.session.call(whoAmI)).toMatchObject({ role: 'admin' })
    const stats = await again.session.call(adminStats)
    expect(stats).toMatchObject({ pendingUserCount: 1, approvedUserCount: 3 })
  })
})

// Another server on the same database runs the demo and approves its accounts while this one is running.
onBothEngines('an approved demo account beside a real provider', library => {
  test('opens nothing with its session, and no ZIP that was ordered with it', async () => {
    const member = await library().newMember()
    const { id } = await uploadFile(member, { name: 'beach.jpg', bytes: await makePicture() })
    const zip = await member.call(requestZip, { body: { fileIds: [id] } })
    expect((await member.fetch(zip.url)).status).toBe(200)
    await library().rows(`update people set issuer = 'demo', role = 'admin' where subject = '${member.person.subject}'`)

    for (const call of [whoAmI, adminStats]) {
      await expect(member.call(call)).rejects.toMatchObject({ status: 401, code: 'not_signed_in' })
    }
    expect((await member.fetch(zip.url)).status).toBe(403)
  })
})

const demoOnly = /This is the demo.*set OIDC_CLIENT_ID/

async function startDemo(options: LibraryOptions = {}): Promise<Library> {
  const library = await startLibrary({ ...options, environment: { ...noProvider, TRUST_PROXY: 'false' } })
  onTestFinished(library.close)
  return library
}

interface InDemo {
  id: number
  token: string
  session: Visitor
}

const isBack = ({ pathname }: URL) => pathname === '/auth/callback' || pathname === '/login'

/** Signs in on the demo's own page. There is no token if the person is not approved. */
async function chooseInDemo(library: Library, person: string, browser = new Browser(null)): Promise<InDemo> {
  const choose = await browser.follow(new URL(signInPath, library.url))
  const back = await browser.follow(choose, isBack, { method: 'POST', body: new URLSearchParams({ person }) })
  const token = back.searchParams.get('token') ?? ''
  const [row] = await library.rows(`select id from people where issuer = 'demo' and subject = '${person}'`)
  return { id: Number(row?.id), token, session: visitor(library.url, token, 'straight') }
}

/** `fetch` would set its own Host header. */
function ask(library: Library, path: string, headers: Record<string, string>) {
  return new Promise<{ status: number | undefined; type: string | undefined; text: string }>((resolve, reject) => {
    openRequest(new URL(path, library.url), { headers, agent: false }, async response => {
      let text = ''
      for await (const chunk of response.setEncoding('utf8')) text += chunk
      resolve({ status: response.statusCode, type: response.headers['content-type'], text })
    })
      .on('error', reject)
      .end()
  })
}
