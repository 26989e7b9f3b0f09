import { describe, expect, onTestFinished, test } from 'vitest'
import { whoAmI } from '#contract/auth.ts'
import { adminStats, approvePerson, denyPerson, listPeople, revokePerson } from '#contract/people.ts'
import { anotherServersDatabase, engines, onBothEngines, startLibrary } from '../../test/library.ts'
import { admit, firstFree, usernameFrom } from './admission.ts'

const pathAndQuery = (url: URL) => url.pathname + url.search

onBothEngines('who is let in by the lists', library => {
  test('ADMIN_EMAILS makes admins, APPROVED_EMAILS members, whatever the case of the e-mail', async () => {
    const people = library().provider.people
    const shouting = people.map(person => ({ ...person, email: person.email.toUpperCase() }))
    people.splice(0, people.length, ...shouting)
    expect(await (await library().signInAs('ada')).call(whoAmI)).toMatchObject({ role: 'admin' })
    expect(await (await library().signInAs('ben')).call(whoAmI)).toMatchObject({ role: 'member' })
  })

  test('a second account with a listed e-mail becomes a request, and the first keeps its place', async () => {
    await library().signInAs('rose')
    const other = library().newPerson({ email: 'rose@okafor.example' })
    expect(pathAndQuery(await library().signIn(other))).toBe('/login?error=pending_approval')
    expect(await (await library().signInAs('rose')).call(whoAmI)).toMatchObject({ username: 'rose' })
  })

  test('an account that takes over a claimed e-mail later does not take over its rights', async () => {
    await library().signInAs('ada')
    const member = await library().newMember()
    member.person.email = 'ada@okafor.example'
    expect(await (await library().signInAs(member.person)).call(whoAmI)).toMatchObject({ role: 'member' })
  })

  test('a name or e-mail that changed at the provider changes here, and the username stays', async () => {
    const member = await library().newMember({ email: 'maiden.name@elsewhere.example' })
    Object.assign(member.person, { name: 'Married Name', email: 'married.name@elsewhere.example' })
    const again = await library().signInAs(member.person)
    expect(await again.call(whoAmI)).toMatchObject({ name: 'Married Name', username: 'maiden.name' })
    const { approvedUsers } = await (await library().signInAs('ada')).call(adminStats)
    expect(approvedUsers.find(({ name }) => name === 'Married Name')?.email).toBe('married.name@elsewhere.example')
  })

  test('twenty people of one name signing in at once get twenty usernames', async () => {
    const people = Array.from({ length: 20 }, (_, n) => library().newPerson({ email: `chidi@house${n}.example` }))
    const landed = await Promise.all(people.map(person => library().signIn(person)))
    expect(new Set(landed.map(pathAndQuery))).toEqual(new Set(['/login?error=pending_approval']))
    const rows = await library().rows(`select username from people where email like 'chidi@%'`)
    const expected = ['chidi', ...Array.from({ length: 19 }, (_, n) => `chidi${n + 2}`)]
    expect(rows.map(row => row.username).toSorted()).toEqual(expected.toSorted())
  })

  test('one person signing in twenty times at once is one request', async () => {
    const person = library().newPerson()
    const landed = await Promise.all(Array.from({ length: 20 }, () => library().signIn(person)))
    expect(new Set(landed.map(pathAndQuery))).toEqual(new Set(['/login?error=pending_approval']))
    expect(await library().rows(`select id from people where subject = '${person.subject}'`)).toHaveLength(1)
  })

  test('the family lists those who are in, the caller too, by username and with nothing private', async () => {
    const ben = await library().signInAs('ben')
    const waiting = library().newPerson()
    await library().signIn(waiting)
    const family = await ben.call(listPeople)
    const usernames = family.map(({ username }) => username)
    expect(usernames).toContain('ben')
    expect(usernames).not.toContain(waiting.subject)
    expect(usernames).toEqual(usernames.toSorted())
    const bare = (await (await ben.fetch('/api/users')).json()) as object[]
    expect(new Set(bare.flatMap(Object.keys))).toEqual(new Set(['id', 'username', 'name']))
  })

  test('an e-mail that only Unicode lower case makes equal to a listed one is a stranger', async () => {
    const people = [
      library().newPerson({ email: 'RO\u{17f}E@okafor.example' }),
      library().newPerson({ email: 'ada@o\u{212a}afor.example' }),
    ]
    for (const person of people) {
      expect(pathAndQuery(await library().signIn(person))).toBe('/login?error=pending_approval')
    }
    const rows = await library().rows(
      `select role, status from people where id = ${await library().idOf(people[1] ?? '')}`,
    )
    expect(rows).toEqual([{ role: 'member', status: 'pending' }])
  })
})

describe.each(engines)('the lists and what an admin decided (%s)', engine => {
  test('a listed person whose access was revoked stays out', async () => {
    const library = await startLibrary({ engine })
    onTestFinished(library.close)
    const ada = await library.admin()
    await library.signInAs('ben')
    await ada.call(revokePerson, { params: { id: await library.idOf('ben') } })
    expect(pathAndQuery(await library.signIn('ben'))).toBe('/login?error=auth_failed')
  })

  test('a person who waits is let in once they are listed', async () => {
    const library = await startLibrary({ engine })
    onTestFinished(library.close)
    expect(pathAndQuery(await library.signIn('kofi'))).toBe('/login?error=pending_approval')
    await library.restart({ APPROVED_EMAILS: 'kofi@okafor.example' })
    expect(await (await library.signInAs('kofi')).call(whoAmI)).toMatchObject({ role: 'member' })
  })

  test('a person who was denied stays out although they are listed later', async () => {
    const library = await startLibrary({ engine })
    onTestFinished(library.close)
    await library.signIn('kofi')
    const ada = await library.admin()
    await ada.call(denyPerson, { params: { id: await library.idOf('kofi') } })
    await library.restart({ ADMIN_EMAILS: 'ada@okafor.example,kofi@okafor.example' })
    expect(pathAndQuery(await library.signIn('kofi'))).toBe('/login?error=auth_failed')
  })

  test('a member who is listed as admin later becomes one', async () => {
    const library = await startLibrary({ engine })
    onTestFinished(library.close)
    await library.signIn('kofi')
    const ada = await library.admin()
    await ada.call(approvePerson, { params: { id: await library.idOf('kofi') } })
    await library.restart({ ADMIN_EMAILS: 'ada@okafor.example,kofi@okafor.example' })
    expect(await (await library.signInAs('kofi')).call(whoAmI)).toMatchObject({ role: 'admin' })
  })
})

// Postgres only: on SQLite, with its single writer, the denial would wait and find an approved person.
test('a denial during a sign-in by the lists stays in force', async () => {
  const library = await startLibrary({ engine: 'postgres' })
  onTestFinished(library.close)
  const ada = await library.admin()
  const waiting = library.newPerson()
  await library.signIn(waiting)
  const id = await library.idOf(waiting)
  const db = await anotherServersDatabase(library)
  const holder = await anotherServersDatabase(library)

  const { admitting } = await holder.transaction(async tx => {
    // An uncommitted claim blocks the sign-in after it has read the pending person.
    await tx.insertInto('email_claims').values({ email: waiting.email, person_id: id }).execute()
    const lists = { admins: [], members: [waiting.email] }
    const identity = { issuer: library.provider.issuer.href, pictureUrl: null, ...waiting }
    const admitting = db.transaction(tx => admit(db, library.now, lists, tx, identity))
    const held = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
    await expect.poll(() => library.rows(held)).toHaveLength(1)
    await ada.call(denyPerson, { params: { id } })
    return { admitting }
  })
  expect((await admitting).status).toBe('denied')
})

test.each([
  ['ada.okafor@x.example', 'ada.okafor'],
  ['Ada_Okafor+photos@x.example', 'ada_okaforphotos'],
  ['inês.duarte@x.example', 'ines.duarte'],
  ['..dots...inside.@x.example', 'dots.inside'],
  ['奶奶@x.example', 'member'],
  ['"strange name"@x.example', 'strangename'],
  [`${'a'.repeat(60)}@x.example`, 'a'.repeat(40)],
  // Truncation must not leave a trailing dot.
  [`${'a'.repeat(39)}.rest@x.example`, 'a'.repeat(39)],
])('%s becomes the username %s', (email, username) => {
  expect(usernameFrom(email)).toBe(username)
})

test('a username that is taken gets the next free number', () => {
  expect(firstFree('ada', new Set())).toBe('ada')
  expect(firstFree('ada', new Set(['ada']))).toBe('ada2')
  expect(firstFree('ada', new Set(['ada', 'ada2', 'ada4']))).toBe('ada3')
})
