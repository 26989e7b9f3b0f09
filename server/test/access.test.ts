import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createAlbum } from '#contract/albums.ts'
import { startDirect } from '#contract/chat.ts'
import type { CallInput } from '#contract/endpoint.ts'
import { endpoints } from '#contract/index.ts'
import { createAlbumLink, updateLink } from '#contract/links.ts'
import { listNotifications } from '#contract/notifications.ts'
import { giveRole, revokePerson } from '#contract/people.ts'
import {
  type Caller,
  callers,
  guestTable,
  type Row,
  routesWithoutRow,
  rowsWithoutRoute,
  type Sent,
  type Things,
  table,
  unknownId,
} from './access-table.ts'
import { guestOf, photo, withToken } from './fixtures/guests.ts'
import { engines, type Library, type LibraryOptions, startLibrary } from './library.ts'
import { registeredRoutes } from './registered-routes.ts'

const outsiders = callers.filter(caller => !['viewer', 'member', 'admin'].includes(caller))

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

describe.each(engines)('who gets in where (%s)', engine => {
  let library: Library
  let tokens: Record<Caller, string | undefined>
  let things: Things
  beforeAll(async () => {
    library = await startLibrary({ engine })
    tokens = await tokensOf(library)
    things = await thingsOfSomebody(library)
  })
  afterAll(() => library.close())

  describe.each(table)('$route', row => {
    test.each(callers)('%s', async caller => {
      for (const method of methodsOf(row)) {
        const response = await send(row, method, caller, row.send)
        expect([method, response.status]).toEqual([method, row.expected[caller]])
        if (response.status >= 400 && response.status !== 412) {
          expect(await response.json()).toEqual({ error: expect.any(String), code: expect.any(String) })
        }
      }
    })

    if (row.route.startsWith('GET')) {
      test('is no more open to a HEAD', async () => {
        for (const caller of outsiders) {
          expect((await send(row, 'HEAD', caller, row.send)).status).toBe(row.expected[caller])
        }
      })
    }

    if (row.expected.nobody === 401) {
      test('opens to nobody who spells its address in another way', async () => {
        const path = pathOf(row).replace(/^\/(\w)/, (_, letter: string) => `/%${letter.charCodeAt(0).toString(16)}`)
        expect((await send(row, methodsOf(row)[0], 'nobody', { ...row.send, path })).status).toBe(401)
      })
    }

    if (row.route.includes(':id')) {
      test('tells a member that an id is malformed before it says what they may do', async () => {
        for (const id of ['abc', '0', '-1', '1.5']) {
          const path = pathOf(row).replace(unknownId, id)
          const response = await send(row, methodsOf(row)[0], 'member', { ...row.send, path })
          expect([id, response.status]).toEqual([id, 400])
        }
      })
    }

    const { anothers } = row
    if (anothers) {
      test("somebody else's is not there for a member or an admin", async () => {
        for (const method of row.route.startsWith('ANY') ? ['HEAD', 'PATCH', 'DELETE'] : methodsOf(row)) {
          for (const caller of ['member', 'admin'] as const) {
            const response = await send(row, method, caller, await anothers(things))
            expect([method, caller, response.status]).toEqual([method, caller, 404])
          }
        }
      })
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
      for (const path of ['/files', `/files/${album.fileId}/thumbnail`, '/zip']) {
        expect([path, (await visitor.fetch(path)).status]).toEqual([path, shown])
      }
      expect((await visitor.fetch(`/files/${otherAlbum.fileId}/thumbnail`)).status).toBe(other)
    })
  })

  async function send(row: Row, method: string | undefined, caller: Caller, sent: Sent = {}): Promise<Response> {
    // Signing out ends the session.
    if (row.route === 'POST /auth/logout' || row.route === 'POST /api/me/sessions/end-all')
      tokens = await tokensOf(library)
    const token = tokens[caller]
    const { path = pathOf(row), body, headers = {} } = sent
    return library.anyone.fetch(path, {
      method: method ?? 'GET',
      headers: {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  }
})

function pathOf({ route }: Row): string {
  return (route.split(' ')[1] ?? '').replace(':id', unknownId).replace('*', 'nothing')
}

function methodsOf({ route, send }: Row): string[] {
  const [method = ''] = route.split(' ')
  return method === 'ANY' ? (send?.methods ?? ['POST', 'PATCH', 'PUT', 'DELETE']) : [method]
}

/** A session for each caller. People who are not approved get none, so their status is changed after the sign-in. */
async function tokensOf(library: Library): Promise<Record<Caller, string | undefined>> {
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
    nobody: undefined,
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
  }
}

/** A library, and every route registered at its start; HEAD is implied by GET. */
async function libraryWithRoutes(options: LibraryOptions = {}, add: (app: FastifyInstance) => void = () => {}) {
  const { library, routes } = await registeredRoutes(() => startLibrary(options), add)
  onTestFinished(library.close)
  return { library, routes }
}
