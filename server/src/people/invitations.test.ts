import { expect, test } from 'vitest'
import { listActivity } from '#contract/admin.ts'
import { whoAmI } from '#contract/auth.ts'
import {
  acceptInvitation,
  createInvitation,
  endInvitation,
  listInvitations,
  showInvitation,
} from '#contract/invitations.ts'
import { invitations as limits, rateLimits } from '#contract/limits.ts'
import { listNotifications } from '#contract/notifications.ts'
import { adminStats, approvePerson, denyPerson, giveRole } from '#contract/people.ts'
import { Browser } from '../../test/browser.ts'
import {
  anotherServersDatabase,
  type Library,
  onBothEngines,
  type SignedIn,
  startOfWindow,
} from '../../test/library.ts'
import { visitor } from '../../test/visitor.ts'

interface Wanted {
  email?: string | null
  role?: 'viewer' | 'member'
  auto_approve?: boolean
}

onBothEngines('invitations', (library, engine) => {
  test('a link for anybody lets people in at once, with its role, and counts them', async () => {
    const { token, id } = await invite(library(), { role: 'viewer' })
    const [rosa, leo] = [library().newPerson({ name: 'Rosa' }), library().newPerson()]
    const rosas = await signInBy(library(), token, rosa)
    expect(await rosas?.call(whoAmI)).toMatchObject({ name: 'Rosa', role: 'viewer' })
    expect(await signInBy(library(), token, leo)).toBeDefined()
    // Signing in again is no further use.
    await signInBy(library(), token, rosa)
    expect(await invitation(library(), id)).toMatchObject({ uses: 2, status: 'open', created_by: 'Ada Okafor' })
    const [welcome] = (await rosas?.call(listNotifications, { query: {} })) ?? []
    expect(welcome?.title).toMatch(/You’re in|You're in/)
  })

  test('a link that asks first puts people at the top of Pending with the name of the inviter', async () => {
    const { token } = await invite(library(), { auto_approve: false, role: 'viewer' })
    const invited = library().newPerson()
    await expect(signInBy(library(), token, invited)).resolves.toBeUndefined()
    const stranger = library().newPerson()
    await library().signIn(stranger)
    const ada = await library().admin()
    const { pendingUsers } = await ada.call(adminStats)
    expect(pendingUsers[0]).toMatchObject({ name: invited.name, invited_by: 'Ada Okafor', role: 'viewer' })
    expect(pendingUsers.find(({ name }) => name === stranger.name)).toMatchObject({ invited_by: null })
    await ada.call(approvePerson, { params: { id: await library().idOf(invited) } })
    expect(await (await library().signInAs(invited)).call(whoAmI)).toMatchObject({ role: 'viewer' })
  })

  test('a link is shown again to admins while it is open, and each time is in the activity', async () => {
    const ada = await library().admin()
    const [open, personal] = [
      await invite(library(), {}),
      await invite(library(), { email: 'rosa.again@elsewhere.example' }),
    ]
    const show = (id: number, by = ada) => by.call(showInvitation, { params: { id } })
    expect(await show(open.id)).toEqual({ url: open.url })
    expect(await invitation(library(), open.id)).toMatchObject({ address: 'stored' })
    expect(JSON.stringify(await ada.call(listInvitations))).not.toContain(open.token)
    const [line] = await ada.call(listActivity, { query: { limit: 1 } })
    expect(line).toMatchObject({ act: 'invitation.show', actor: { name: 'Ada Okafor' } })
    await expect(show(open.id, await library().newMember())).rejects.toMatchObject({ status: 403 })

    // The secret of one cannot be read as that of another.
    const stored = (id: number) => library().rows(`select encrypted_token from invitations where id = ${id}`)
    const [row] = await stored(open.id)
    await library().rows(`update invitations set encrypted_token = '${row?.encrypted_token}' where id = ${personal.id}`)
    await expect(show(personal.id)).rejects.toMatchObject({ status: 409 })

    const used = await invite(library(), { email: 'leo.again@elsewhere.example' })
    await signInBy(library(), used.token, library().newPerson({ email: 'leo.again@elsewhere.example' }))
    await ada.call(endInvitation, { params: { id: open.id } })
    for (const { id } of [open, used]) {
      await expect(show(id)).rejects.toMatchObject({ status: 404 })
      expect(await stored(id)).toEqual([{ encrypted_token: null }])
    }
    expect(library().log.join()).not.toContain(open.token)
  })

  test('an invitation for one e-mail address is for that address, once', async () => {
    const rosa = library().newPerson({ email: 'rosa.invited@elsewhere.example' })
    const { token, id } = await invite(library(), { email: 'Rosa.Invited@elsewhere.example' })
    const browser = new Browser()
    await accept(library(), token, browser)
    const refused = await library().signIn(library().newPerson(), browser)
    expect(refused.href).toContain('/login?error=pending_approval&invitation=unused')
    expect(await invitation(library(), id)).toMatchObject({ uses: 0 })
    // The browser keeps it, so that the right account can be chosen without opening the link again.
    expect(browser.cookie('heirloom_invitation')).toBe(token)
    expect(await signInBy(library(), token, rosa)).toBeDefined()
    expect(await invitation(library(), id)).toMatchObject({ uses: 1, status: 'used' })
    const namesake = library().newPerson({ email: 'rosa.invited@elsewhere.example' })
    await expect(accept(library(), token, new Browser())).resolves.toBe(404)
    await library().signIn(namesake)
    expect(await statusOf(library(), namesake.subject)).toBe('pending')
  })

  test('two people who use the last place at once do not both get it', async () => {
    const { token, id } = await invite(library(), {})
    await library().rows(`update invitations set uses = ${limits.usesOfLink - 1} where id = ${id}`)
    const both = [library().newPerson(), library().newPerson()]
    const sessions = await Promise.all(both.map(person => signInBy(library(), token, person)))
    expect(sessions.filter(session => session !== undefined)).toHaveLength(1)
  })

  test('one who was denied stays so', async () => {
    const { token, id } = await invite(library(), {})
    const person = library().newPerson()
    await library().signIn(person)
    const ada = await library().admin()
    await ada.call(denyPerson, { params: { id: await library().idOf(person) } })
    await expect(signInBy(library(), token, person)).resolves.toBeUndefined()
    expect(await statusOf(library(), person.subject)).toBe('denied')
    expect(await invitation(library(), id)).toMatchObject({ uses: 0 })
  })

  // On SQLite, with its single writer, the denial waits and finds an approved person.
  test.runIf(engine === 'postgres')('one who is denied during the sign-in uses no invitation', async () => {
    const { token, id } = await invite(library(), {})
    const person = library().newPerson()
    await library().signIn(person)
    const personId = await library().idOf(person)
    const holder = await anotherServersDatabase(library())
    const { signingIn } = await holder.transaction(async tx => {
      await tx.updateTable('people').set({ status: 'denied' }).where('id', '=', personId).execute()
      const signingIn = signInBy(library(), token, person)
      const waiting = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
      await expect.poll(() => library().rows(waiting), { timeout: 30_000 }).toHaveLength(1)
      return { signingIn }
    })
    expect(await signingIn).toBeUndefined()
    expect(await statusOf(library(), person.subject)).toBe('denied')
    expect(await invitation(library(), id)).toMatchObject({ uses: 0 })
  })

  test('an invitation that ends or expires during the sign-in lets nobody in', async () => {
    const ada = await library().admin()
    for (const finish of ['end', 'expire'] as const) {
      const { token, id } = await invite(library(), {})
      const browser = new Browser()
      expect(await accept(library(), token, browser)).toBe(200)
      const person = library().newPerson()
      const returned = await library().returnFromProvider(person, browser)
      if (finish === 'end') await ada.call(endInvitation, { params: { id } })
      else await library().rows(`update invitations set expires_at = ${library().now()} where id = ${id}`)
      await browser.follow(returned, address => address.pathname === '/login')
      expect(await statusOf(library(), person.subject)).toBe('pending')
      expect(await invitation(library(), id)).toMatchObject({ status: finish === 'end' ? 'ended' : 'expired' })
    }
    await expect(ada.call(endInvitation, { params: { id: 999_999 } })).rejects.toMatchObject({ status: 404 })
  })

  test('invitations end with the role of the admin who made them', async () => {
    const other = await library().newMember()
    const ada = await library().admin()
    const params = { id: await library().idOf(other.person) }
    await ada.call(giveRole, { params, body: { role: 'admin' } })
    const { token, id } = await invite(library(), {}, other)
    await ada.call(giveRole, { params, body: { role: 'member' } })
    expect(await invitation(library(), id)).toMatchObject({ status: 'ended' })
    expect((await ada.call(listActivity, { query: { limit: 2 } })).map(({ act }) => act)).toContain('invitation.end')
    await expect(accept(library(), token, new Browser())).resolves.toBe(404)
  })

  test('those of a demo account cannot be used once it is inactive', async () => {
    const other = await library().newMember()
    const personId = await library().idOf(other.person)
    const ada = await library().admin()
    await ada.call(giveRole, { params: { id: personId }, body: { role: 'admin' } })
    const { token } = await invite(library(), {}, other)
    await library().rows(`update people set status = 'inactive' where id = ${personId}`)
    await expect(accept(library(), token, new Browser())).resolves.toBe(404)
  })

  test('the secret is in no log, in no URL that a server sees, and in no column', async () => {
    const { token, url } = await invite(library(), {})
    await signInBy(library(), token, library().newPerson())
    expect(new URL(url).hash).toContain(token)
    expect(library().log.join('')).not.toContain(token)
    const rows = await library().rows('select * from invitations')
    expect(JSON.stringify(rows)).not.toContain(token)
    const lines = await library().rows(`select * from audit_log where action like 'invitation.%'`)
    expect(JSON.stringify(lines)).not.toContain(token)
  })

  test('guessing is limited', async () => {
    startOfWindow(library())
    const browser = new Browser()
    const answers: number[] = []
    for (let i = 0; i <= rateLimits.invitations; i++) answers.push(await accept(library(), 'q'.repeat(43), browser))
    expect(answers.slice(0, -1)).toEqual(Array(rateLimits.invitations).fill(404))
    expect(answers.at(-1)).toBe(429)
  })

  test('an address that is none is refused, and so is the role admin', async () => {
    const ada = await library().admin()
    const refused = (body: object) =>
      ada.fetch(createInvitation.path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    expect((await refused({ email: 'rosa', role: 'member', auto_approve: true })).status).toBe(422)
    expect((await refused({ email: null, role: 'admin', auto_approve: true })).status).toBe(422)
  })
})

async function invite(library: Library, wanted: Wanted, by?: SignedIn) {
  const admin = by ?? (await library.admin())
  const body = { email: null, role: 'member', auto_approve: true, ...wanted } as const
  const { invitation, url } = await admin.call(createInvitation, { body })
  return { id: invitation.id, url, token: url.slice(url.indexOf('=') + 1) }
}

async function accept(library: Library, token: string, browser: Browser): Promise<number> {
  const headers = { authorization: `Bearer ${token}` }
  const answer = await browser.visit(new URL(acceptInvitation.path, library.url), { method: 'POST', headers })
  await answer.body?.cancel()
  return answer.status
}

/** Opens the link and signs in; undefined if that does not let them in. */
async function signInBy(library: Library, token: string, person: Parameters<Library['signIn']>[0]) {
  const browser = new Browser()
  await accept(library, token, browser)
  const session = (await library.signIn(person, browser)).searchParams.get('token')
  return session === null ? undefined : visitor(library.url, session)
}

async function invitation(library: Library, id: number) {
  return (await (await library.admin()).call(listInvitations)).find(one => one.id === id)
}

async function statusOf(library: Library, subject: string) {
  return (await library.rows(`select status from people where subject = '${subject}'`))[0]?.status
}
