import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createAlbum } from '#contract/albums.ts'
import { type AppPasswordScope, createAppPassword, endAppPassword } from '#contract/app-passwords.ts'
import { startDirect } from '#contract/chat.ts'
import type { CallInput } from '#contract/endpoint.ts'
import { endpoints } from '#contract/index.ts'
import { createAlbumLink, updateLink } from '#contract/links.ts'
import { listNotifications } from '#contract/notifications.ts'
import { giveRole, revokePerson } from '#contract/people.ts'
import { subscribeToPush, usualPushChoices } from '#contract/push.ts'
import type { Role } from '#contract/role.ts'
import {
  appPasswords,
  type Caller,
  callers,
  guestTable,
  outsiders,
  pointOfCurve,
  type Row,
  routesWithoutRow,
  rowsWithoutRoute,
  type Sent,
  senderTable,
  type Things,
  table,
  unknownId,
} from './access-table.ts'
import {
  type CreatedLink,
  type Guest,
  guestOf,
  makeUploadLink,
  openedBy,
  photo,
  type Sender,
  senderOf,
  withToken,
} from './fixtures/guests.ts'
import { makePicture } from './fixtures/pictures.ts'
import { untilAtRest } from './fixtures/remains.ts'
import { idOfUpload } from './fixtures/uploads.ts'
import { engines, type Library, type LibraryOptions, oneEngine, type SignedIn, startLibrary } from './library.ts'
import { registeredRoutes } from './registered-routes.ts'
import { visitor } from './visitor.ts'

describe('the table of access', () => {
  test('has a row for every route and a route for every row', async () => {
    const { routes } = await libraryWithRoutes()
    expect(routesWithoutRow(routes)).toEqual([])
    expect(rowsWithoutRoute(routes)).toEqual([])
  })

  test('would notice a route that somebody adds and forgets', async () => {
    const { routes } = await libraryWithRoutes({}, app => {
      app.get('/api/stray', async () => 'secret')
      app.route({ method: ['POST', 'PUT'], url: '/files/stray', handler: async () => 'secret' })
    })
    expect(routesWithoutRow(routes)).toEqual(['GET /api/stray', 'POST /files/stray', 'PUT /files/stray'])
  })

  test('knows what the demo provider adds', async () => {
    const { routes } = await libraryWithRoutes({
      environment: { OIDC_CLIENT_ID: undefined, OIDC_CLIENT_SECRET: undefined },
    })
    expect(routesWithoutRow(routes)).toEqual(['ANY /demo', 'ANY /demo/*'])
  })

  test('covers every call of the contract, and the product serves each of them', async () => {
    const { routes } = await libraryWithRoutes()
    const promised = endpoints.map(({ method, path }) => `${method} ${path}`)
    expect(promised.filter(route => !routes.includes(route))).toEqual([])
    expect(routesWithoutRow(promised)).toEqual([])
  })
})

// Roles are checked before any query, so one engine tells; what SQL scopes to its owner is below, on both.
describe.each(oneEngine)('who gets in where (%s)', engine => {
  let library: Library
  let tokens: Record<Caller, string | undefined>
  beforeAll(async () => {
    library = await startLibrary({ engine })
    tokens = await tokensOf(library)
  })
  afterAll(() => library.close())

  test.each(table)('$route', async row => {
    const given: Record<string, number> = {}
    const expected: Record<string, number> = {}
    for (const caller of callers) {
      for (const method of methodsOf(row)) {
        const response = await send(row, method, caller)
        given[`${method} by ${caller}`] = response.status
        expected[`${method} by ${caller}`] = row.expected[caller]
        if (response.status >= 400 && response.status !== 412) {
          const error = { error: expect.any(String), code: expect.any(String), key: expect.any(String) }
          const answer = { ...((await response.json()) as object), values: undefined }
          expect(answer, `the error for ${caller}`).toEqual(error)
        }
      }
    }
    expect(given).toEqual(expected)
  })

  const gets = table.filter(({ route }) => route.startsWith('GET'))
  test.each(gets)('$route is no more open to a HEAD', async row => {
    const given = await statuses(outsiders, async caller => send(row, 'HEAD', caller))
    expect(given).toEqual(await statuses(outsiders, async caller => ({ status: row.expected[caller] })))
  })

  const closed = table.filter(({ expected }) => expected.nobody === 401)
  test.each(closed)('$route opens to nobody who spells its address in another way', async row => {
    const path = pathOf(row).replace(/^\/(\w)/, (_, letter: string) => `/%${letter.charCodeAt(0).toString(16)}`)
    expect((await send(row, methodsOf(row)[0], 'nobody', { ...row.send, path })).status).toBe(401)
  })

  const withId = table.filter(({ route }) => route.includes(':id'))
  test.each(withId)('$route tells a member that an id is malformed before it says what they may do', async row => {
    const malformed = ['abc', '0', '-1', '1.5']
    const given = await statuses(malformed, id => {
      const path = pathOf(row).replace(unknownId, id)
      return send(row, methodsOf(row)[0], 'member', { ...row.send, path })
    })
    expect(given).toEqual(await statuses(malformed, async () => ({ status: 400 })))
  })

  async function send(row: Row, method: string | undefined, caller: Caller, sent = row.send): Promise<Response> {
    const response = await sendAs(library, tokens[caller], row, method, sent)
    const endsSession = row.route === 'POST /auth/logout' || row.route === 'POST /api/me/sessions/end-all'
    if (endsSession && response.ok) tokens = await tokensOf(library)
    return response
  }
})

describe.each(engines)("what is another person's (%s)", engine => {
  let library: Library
  let callers: [string, SignedIn][]
  let things: Things
  beforeAll(async () => {
    library = await startLibrary({ engine })
    callers = [
      ['a member', await library.signInAs('ben')],
      ['an admin', await library.admin()],
    ]
    things = await thingsOfSomebody(library)
  })
  afterAll(() => library.close())

  const owned = table.filter(({ anothers }) => anothers)
  test.each(owned)('$route: is not there for a member or an admin', async row => {
    for (const method of row.route.startsWith('ANY') ? ['HEAD', 'PATCH', 'DELETE'] : methodsOf(row)) {
      for (const [caller, { token }] of callers) {
        const response = await sendAs(library, token, row, method, await row.anothers?.(things))
        expect([method, caller, response.status]).toEqual([method, caller, 404])
      }
    }
  })

  describe('a link', () => {
    let albums: { id: number; fileId: number }[]
    beforeAll(async () => {
      const member = await library.signInAs('ben')
      albums = []
      for (const title of ['Lake', 'Sea']) {
        const fileId = await photo(library)
        const { id } = await member.call(createAlbum, { body: { title, fileIds: [fileId] } })
        albums.push({ id, fileId })
      }
    })

    test.each(guestTable)('for a guest $guest', async ({ guest, password, open, shown, other }) => {
      const member = await library.signInAs('ben')
      const [album, otherAlbum] = albums
      if (!album || !otherAlbum) throw new Error('There are two albums')
      const linkTo = async (id: number, body: CallInput<typeof createAlbumLink>['body']) =>
        withToken(await member.call(createAlbumLink, { params: { id }, body }))
      const link = await linkTo(album.id, { password: 'blue boat' })
      const otherLink = await linkTo(otherAlbum.id, {})
      const isOther = guest.includes('other album')
      const visitor = guestOf(library, link)
      if (isOther) await guestOf(library, otherLink, visitor.browser).open()
      else if (guest.startsWith('who opened it')) await visitor.open('blue boat')
      if (guest.includes('expired')) {
        await library.rows(`update links set expires_at = ${library.now() - 1} where id = ${link.id}`)
      }
      if (guest.includes('ended')) await member.call(updateLink, { params: { id: link.id }, body: { ended: true } })
      // The secret of another link opens nothing, not even with the password.
      const opening = isOther ? guestOf(library, { ...link, token: otherLink.token }, visitor.browser) : visitor
      expect((await opening.open(password)).status).toBe(open)
      const file = `/files/${album.fileId}`
      await expectStatus(visitor, ['/files', `${file}/thumbnail`, `${file}/desktop`, '/zip'], shown)
      await expectStatus(visitor, [`/files/${otherAlbum.fileId}/thumbnail`], other)
      // The link does not give the originals.
      await expectStatus(visitor, [`${file}/original`, '/zip?originals=true'], shown === 200 ? 403 : shown)
    })
  })

  describe('an upload link', () => {
    const password = 'blue boat'
    const TUS = { 'tus-resumable': '1.0.0' }
    let albumId: number
    let fileId: number
    let link: CreatedLink
    let tom: Sender
    let picture: string
    let unfinished: string
    beforeAll(async () => {
      const member = await library.signInAs('ben')
      fileId = await photo(library)
      albumId = (await member.call(createAlbum, { body: { title: 'Wedding', fileIds: [fileId] } })).id
      link = await makeUploadLink(member, albumId, { password })
      tom = await senderOf(library, link, 'Tom', password)
      picture = `/uploads/${(await tom.send('cake.jpg', await makePicture())).id}/thumbnail`
      await untilAtRest(library)
      unfinished = (await tom.begin(10)).headers.get('location')?.slice(`/shared/${link.id}`.length) ?? ''
    })

    /** A browser like that of the row. */
    async function browserOf(guest: (typeof senderTable)[number]['guest']): Promise<Pick<Guest, 'fetch'>> {
      const member = await library.signInAs('ben')
      switch (guest) {
        case 'of the same link':
          return (await senderOf(library, link, 'Una', password)).guest
        case 'without a name':
          return openedBy(library, link, password)
        case 'without the password':
        case 'with the wrong password': {
          const visitor = guestOf(library, link)
          await visitor.open(guest === 'without the password' ? undefined : 'red boat')
          return visitor
        }
        case 'with the cookies of another upload link': {
          const other = await senderOf(library, await makeUploadLink(member, albumId), 'Tom')
          return withCookiesOf(other.guest)
        }
        case 'with the cookie of a link that shows the album': {
          const shows = withToken(await member.call(createAlbumLink, { params: { id: albumId }, body: {} }))
          return withCookiesOf(await openedBy(library, shows))
        }
        case 'who sent it before the link expired':
          await library.rows(`update links set expires_at = ${library.now() - 1} where id = ${link.id}`)
          return tom.guest
        case 'who sent it before the link was ended':
          await library.rows(`update links set expires_at = null where id = ${link.id}`)
          await member.call(updateLink, { params: { id: link.id }, body: { ended: true } })
          return tom.guest
        default:
          return tom.guest
      }
    }

    function withCookiesOf({ browser }: Guest): Pick<Guest, 'fetch'> {
      const cookie = ['link', 'guest'].map(kind => `heirloom_${kind}=${browser.cookie(`heirloom_${kind}`)}`).join('; ')
      return {
        fetch(path, init) {
          const headers = new Headers(init?.headers)
          headers.set('cookie', cookie)
          return library.anyone.fetch(`/shared/${link.id}${path}`, { ...init, headers })
        },
      }
    }

    test.each(senderTable)('for a guest $guest', async ({ guest, name, begin, sent, shown }) => {
      const visitor = await browserOf(guest)
      const json = { 'content-type': 'application/json' }
      const begun = { method: 'POST', headers: { ...TUS, 'upload-length': '10' } }
      expect(['begin', (await visitor.fetch('/tus', begun)).status]).toEqual(['begin', begin])
      expect(['list', (await visitor.fetch('/uploads')).status]).toEqual(['list', begin === 201 ? 200 : begin])
      await expectStatus(visitor, [picture], sent)
      const head = { method: 'HEAD', headers: TUS }
      expect(['head', (await visitor.fetch(unfinished, head)).status]).toEqual(['head', sent])
      // The bytes of an upload are given to nobody.
      expect((await visitor.fetch(unfinished, { headers: TUS })).status).toBe(sent === 200 ? 404 : sent)
      if (guest !== 'who sent it') {
        const chunk = { ...TUS, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' }
        const patch = { method: 'PATCH', headers: chunk, body: 'evil' }
        expect(['patch', (await visitor.fetch(unfinished, patch)).status]).toEqual(['patch', sent])
        const remove = { method: 'DELETE', headers: TUS }
        expect(['delete', (await visitor.fetch(unfinished, remove)).status]).toEqual(['delete', sent])
        const body = JSON.stringify({ uploadId: idOfUpload(unfinished), originalName: 'a.jpg' })
        const finish = { method: 'POST', headers: json, body }
        expect(['finish', (await visitor.fetch('/uploads', finish)).status]).toEqual(['finish', sent])
      }
      await expectStatus(visitor, ['/files', `/files/${fileId}/thumbnail`, `/files/${fileId}/original`, '/zip'], shown)
      const named = { method: 'PUT', headers: json, body: JSON.stringify({ name: 'Tom' }) }
      expect(['name', (await visitor.fetch('/guest', named)).status]).toEqual(['name', name])
    })
  })

  /** However it is asked for: a part of it, its headers alone, or only if it has changed. */
  async function expectStatus(visitor: Pick<Guest, 'fetch'>, paths: readonly string[], status: number): Promise<void> {
    const ways: RequestInit[] = [{}, { method: 'HEAD' }]
    const headers = [
      { range: 'bytes=0-9' },
      { 'if-none-match': '*' },
      { 'if-modified-since': new Date().toUTCString() },
    ]
    for (const path of paths) {
      for (const way of [...ways, ...ways.flatMap(one => headers.map(some => ({ ...one, headers: some })))]) {
        const response = await visitor.fetch(path, way)
        // To its end: only a few ZIPs are sent to one address at the same time.
        await response.arrayBuffer()
        const given = status === 200 && [206, 304].includes(response.status) ? 200 : response.status
        expect([path, way, given]).toEqual([path, way, status])
      }
    }
  }
})

function sendAs(
  library: Library,
  token: string | undefined,
  row: Row,
  method = 'GET',
  { path = pathOf(row), body, headers = {} }: Sent = {},
): Promise<Response> {
  // Each from an address of its own: together they are more than one may send in a minute.
  return visitor(library.url, token).fetch(path, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}

/** The status of each, by its name: a failed comparison shows which of them differ. */
async function statuses<Name extends string>(
  names: readonly Name[],
  ask: (name: Name) => Promise<{ status: number }>,
): Promise<Record<string, number>> {
  const given: Record<string, number> = {}
  for (const name of names) given[name] = (await ask(name)).status
  return given
}

function pathOf({ route }: Row): string {
  return (route.split(' ')[1] ?? '').replace(':id', unknownId).replace('*', 'nothing')
}

function methodsOf({ route, send }: Row): string[] {
  const [method = ''] = route.split(' ')
  return method === 'ANY' ? (send?.methods ?? ['POST', 'PATCH', 'PUT', 'DELETE']) : [method]
}

/** A session for each caller. People who are not approved get none, so their status is changed after the sign-in. */
async function tokensOf(library: Library): Promise<Record<Caller, string | undefined>> {
  const passwordOf = async (role: Role, scope: AppPasswordScope) => {
    const owner = await library.newMember()
    const { app_password, password } = await owner.call(createAppPassword, { body: { name: 'Phone', scope } })
    // Those who are no members any more have a password for uploads from before.
    await library.rows(`update people set role = '${role}' where subject = '${owner.person.subject}'`)
    return { owner, id: app_password.id, password }
  }
  const ended = await passwordOf('admin', 'upload')
  await ended.owner.call(endAppPassword, { params: { id: ended.id } })
  const passwords: Partial<Record<Caller, string>> = {}
  for (const { name, role, scope } of appPasswords) passwords[name] = (await passwordOf(role, scope)).password
  const leftOver = async (status: string) => {
    const { token, person } = await library.newMember()
    await library.rows(`update people set status = '${status}' where subject = '${person.subject}'`)
    return token
  }
  const revoked = await library.newMember()
  const ada = await library.signInAs('ada')
  await ada.call(revokePerson, { params: { id: await library.idOf(revoked.person) } })
  // Not Ada: signing out everywhere would end the session with which the library adds people.
  const admin = await library.newMember()
  await ada.call(giveRole, { params: { id: await library.idOf(admin.person) }, body: { role: 'admin' } })
  return {
    ...(passwords as Record<(typeof appPasswords)[number]['name'], string>),
    nobody: undefined,
    'ended app password': ended.password,
    'garbage token': 'q'.repeat(43),
    pending: await leftOver('pending'),
    denied: await leftOver('denied'),
    revoked: revoked.token,
    viewer: (await library.newViewer()).token,
    member: (await library.signInAs('ben')).token,
    admin: admin.token,
  }
}

async function thingsOfSomebody(library: Library): Promise<Things> {
  const [somebody, friend] = [await library.newMember(), await library.newMember()]
  return {
    async upload() {
      const headers = { 'tus-resumable': '1.0.0', 'upload-length': '10' }
      const begun = await somebody.fetch('/api/uploads', { method: 'POST', headers })
      expect(begun.status).toBe(201)
      return begun.headers.get('location') ?? ''
    },
    async notification() {
      const [first] = await somebody.call(listNotifications, { query: {} })
      return first?.id ?? 0
    },
    async conversation() {
      return (await somebody.call(startDirect, { body: { otherUserId: await library.idOf(friend.person) } })).id
    },
    async pushDevice() {
      const address = { endpoint: 'https://push.example/theirs', p256dh: pointOfCurve, auth: 'A'.repeat(22) }
      const body = { ...address, language: 'en', time_zone: 'UTC', choices: usualPushChoices } as const
      return (await somebody.call(subscribeToPush, { body })).devices[0]?.id ?? 0
    },
  }
}

/** A library, and every route registered at its start; HEAD is implied by GET. */
async function libraryWithRoutes(options: LibraryOptions = {}, add: (app: FastifyInstance) => void = () => {}) {
  const { library, routes } = await registeredRoutes(() => startLibrary(options), add)
  onTestFinished(library.close)
  return { library, routes }
}
