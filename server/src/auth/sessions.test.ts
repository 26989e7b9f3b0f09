import { createHash } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { logOut, whoAmI } from '#contract/auth.ts'
import { session } from '#contract/limits.ts'
import { approvePerson, denyPerson, reapprovePerson, revokePerson } from '#contract/people.ts'
import { anotherServersDatabase, onBothEngines, startLibrary } from '../../test/library.ts'
import { startSession } from './sessions.ts'

const signedOut = { status: 401, code: 'not_signed_in' }
const expired = { status: 401, code: 'session_expired' }

onBothEngines('sessions', library => {
  test('the database holds no token, only its hash', async () => {
    const { token } = await library().signInAs('ben')
    const tables = ['sessions', 'sign_in_attempts', 'people', 'audit_log', 'jobs', 'settings']
    const everything = await Promise.all(tables.map(table => library().rows(`select * from ${table}`)))
    expect(JSON.stringify(everything)).not.toContain(token)
    expect(JSON.stringify(everything)).toContain(createHash('sha256').update(token).digest('hex'))
  })

  test('two sign-ins are two sessions, and signing out ends this one at once', async () => {
    const phone = await library().signInAs('ben')
    const tablet = await library().signInAs('ben')
    expect(phone.token).not.toBe(tablet.token)
    await phone.call(logOut)
    await expect(phone.call(whoAmI)).rejects.toMatchObject(signedOut)
    await expect(phone.call(logOut)).rejects.toMatchObject(signedOut)
    expect(await tablet.call(whoAmI)).toMatchObject({ username: 'ben' })
  })

  test('revoking a person ends every session of theirs at once, and letting them in again brings none back', async () => {
    const phone = await library().newMember()
    const tablet = await library().signInAs(phone.person)
    const ada = await library().admin()
    const id = await library().idOf(phone.person)

    await ada.call(revokePerson, { params: { id } })
    const lostAccess = { status: 401, code: 'access_denied' }
    await expect(phone.call(whoAmI)).rejects.toMatchObject(lostAccess)
    await expect(tablet.call(whoAmI)).rejects.toMatchObject(lostAccess)

    await ada.call(reapprovePerson, { params: { id } })
    expect(await library().rows(`select * from sessions where person_id = ${id}`)).toEqual([])
    await expect(phone.call(whoAmI)).rejects.toMatchObject(signedOut)
    const again = await library().signInAs(phone.person)
    expect(await again.call(whoAmI)).toMatchObject({ id })
  })

  test('a session that lies unused ends, and one in use goes on', async () => {
    const drawer = await library().signInAs('ben')
    const kitchen = await library().signInAs('ben')
    library().pass(session.idle - 60_000)
    await kitchen.call(whoAmI)
    library().pass(120_000)
    await expect(drawer.call(whoAmI)).rejects.toMatchObject(expired)
    expect(await kitchen.call(whoAmI)).toMatchObject({ username: 'ben' })
  })

  test('a session ends after its longest time, however much it is used', async () => {
    const kitchen = await library().signInAs('ben')
    for (let passed = 0; passed + session.idle / 2 < session.absolute; passed += session.idle / 2) {
      library().pass(session.idle / 2)
      await kitchen.call(whoAmI)
    }
    library().pass(session.idle / 2)
    await expect(kitchen.call(whoAmI)).rejects.toMatchObject(expired)
  })

  test.each([
    ['nothing', undefined],
    ['no scheme', 'q'.repeat(43)],
    ['another scheme', `Basic ${'q'.repeat(43)}`],
    ['an unknown token', `Bearer ${'q'.repeat(43)}`],
    ['too short a token', 'Bearer q'],
    ['far too long a token', `Bearer ${'q'.repeat(5_000)}`],
    ['what is no token at all', "Bearer ' OR 1=1 --"],
  ])('an authorization of %s opens nothing', async (_, authorization) => {
    const response = await library().anyone.fetch('/auth/me', authorization ? { headers: { authorization } } : {})
    expect(response.status).toBe(401)
    expect(await response.json()).toEqual({ error: 'Please sign in.', code: 'not_signed_in', key: 'auth.signIn' })
  })

  test('a token in the address or in a cookie opens nothing', async () => {
    const { token } = await library().signInAs('ben')
    expect((await library().anyone.fetch(`/auth/me?token=${token}&access_token=${token}`)).status).toBe(401)
    expect((await library().anyone.fetch('/auth/me', { headers: { cookie: `auth_token=${token}` } })).status).toBe(401)
  })

  test('somebody denied has no way in', async () => {
    const stranger = library().newPerson()
    await library().signIn(stranger)
    const id = await library().idOf(stranger)
    const ada = await library().admin()
    await ada.call(denyPerson, { params: { id } })
    await expect(ada.call(approvePerson, { params: { id } })).rejects.toMatchObject({ status: 409 })
    await expect(library().signInAs(stranger)).rejects.toThrow('/login?error=auth_failed')
  })
})

// Postgres only: SQLite has a single writer, so the two cannot overlap.
test('a sign-in that overlaps a revocation leaves no session for later', async () => {
  const library = await startLibrary({ engine: 'postgres' })
  onTestFinished(library.close)
  const { person } = await library.newMember()
  const id = await library.idOf(person)
  const ada = await library.admin()
  const db = await anotherServersDatabase(library)
  const token = await db.transaction(async tx => {
    const started = await startSession({ db, clock: library.now }, tx, id)
    await ada.call(revokePerson, { params: { id } })
    return started
  })
  await ada.call(reapprovePerson, { params: { id } })
  const response = await library.anyone.fetch('/auth/me', { headers: { authorization: `Bearer ${token}` } })
  expect(response.status).toBe(401)
})
