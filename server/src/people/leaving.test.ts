import { describe, expect, onTestFinished, test } from 'vitest'
import { createAppPassword } from '#contract/app-passwords.ts'
import { whoAmI } from '#contract/auth.ts'
import { listFamily } from '#contract/family.ts'
import { createInvitation } from '#contract/invitations.ts'
import { addNote, notesOfFile } from '#contract/notes.ts'
import { adminStats, approvePerson, getPerson, giveRole, handOver, listPeople, revokePerson } from '#contract/people.ts'
import { changeMySettings, closeMyAccount } from '#contract/settings.ts'
import { guestOf, makeLink } from '../../test/fixtures/guests.ts'
import { insertMedia } from '../../test/fixtures/insert-media.ts'
import { engines, type Library, onBothEngines, startLibrary } from '../../test/library.ts'
import type { Visitor } from '../../test/visitor.ts'

const conflict = { status: 409, code: 'conflict' }
const signedOut = { status: 401 }

/** Confirms with the own username. */
async function close(person: Visitor, keep_name: boolean): Promise<void> {
  const { username } = await person.call(whoAmI)
  await person.call(closeMyAccount, { body: { username, keep_name } })
}

onBothEngines('closing an account', library => {
  /** A member with a photo and a note on it. */
  async function somebody(name: string) {
    const person = library().newPerson({ name })
    await library().signIn(person)
    const id = await library().idOf(person)
    await (await library().admin()).call(approvePerson, { params: { id } })
    const member = await library().signInAs(person)
    const [mediaId = 0] = await insertMedia(library(), [{ name: 'garden.jpg', by: id }])
    await member.call(addNote, { params: { id: mediaId }, body: { content: 'Our garden' } })
    return { person, member, id, mediaId }
  }

  test('keeps the name, the photos and the notes, and ends everything else at once', async () => {
    const ada = await library().admin()
    const { member, id, mediaId } = await somebody('Greta Garden')
    const other = await library().signInAs(member.person)
    const link = await makeLink(member, { fileIds: [mediaId] })
    const guest = guestOf(library(), link)
    expect((await guest.open()).status).toBe(200)
    await member.call(createAppPassword, { body: { name: 'Phone', scope: 'read' } })
    await member.call(changeMySettings, { body: { muted: ['tag'], language: 'de' } })
    await library().rows(`update people set avatar_key = 'avatars/greta.jpg' where id = ${id}`)
    const { username } = await member.call(whoAmI)

    await member.call(closeMyAccount, { body: { username: `@${username.toUpperCase()}`, keep_name: true } })

    for (const session of [member, other]) await expect(session.call(whoAmI)).rejects.toMatchObject(signedOut)
    expect((await guest.open()).status).toBe(404)
    const people = await ada.call(listPeople)
    expect(people.map(person => person.id)).not.toContain(id)
    expect(await ada.call(getPerson, { params: { id } })).toMatchObject({
      ...{ name: 'Greta Garden', username, avatar_url: null, former: true },
    })
    const { members } = await ada.call(listFamily)
    expect(members.find(person => person.id === id)).toMatchObject({ former: true, added: 1, written: 1 })
    expect(await ada.call(notesOfFile, { params: { id: mediaId }, query: {} })).toMatchObject([
      { name: 'Greta Garden' },
    ])
    const stats = await ada.call(adminStats)
    const listed = [...stats.pendingUsers, ...stats.approvedUsers, ...stats.deniedUsers]
    expect(listed.map(person => person.id)).not.toContain(id)
    for (const table of [
      'sessions',
      'app_passwords',
      'push_subscriptions',
      'notifications',
      'muted_notifications',
      'mail_recipients',
    ]) {
      expect([table, await library().rows(`select * from ${table} where person_id = ${id}`)]).toEqual([table, []])
    }
    expect(await library().rows(`select key from pending_objects where key = 'avatars/greta.jpg'`)).toHaveLength(1)
    expect(await library().rows(`select email, subject from people where id = ${id}`)).toEqual([
      { email: '', subject: String(id) },
    ])
    await expect(ada.call(approvePerson, { params: { id } })).rejects.toMatchObject({ status: 404 })
  })

  test('without the name shows a former member everywhere, also in the activity', async () => {
    const ada = await library().admin()
    const { member, id, mediaId } = await somebody('Nora Nameless')
    await member.call(changeMySettings, { body: { name: 'Nora N.' } })
    await close(member, false)
    expect(await ada.call(notesOfFile, { params: { id: mediaId }, query: {} })).toMatchObject([
      { name: 'Former member' },
    ])
    const { name, username } = await ada.call(getPerson, { params: { id } })
    expect([name, username]).toEqual(['Former member', expect.stringMatching(/^former\d*$/)])
    const traces = await library().rows(
      `select before from audit_log where subject_type = 'person' and subject_id = ${id} and before like '%Nora%'`,
    )
    expect(traces).toEqual([])
  })

  test('a later sign-in with that account is a new request', async () => {
    const ada = await library().admin()
    const { person, member, id } = await somebody('Ruth Returning')
    await close(member, true)
    expect((await library().signIn(person)).searchParams.get('error')).toBe('pending_approval')
    const newId = await library().idOf(person)
    expect(newId).not.toBe(id)
    await ada.call(approvePerson, { params: { id: newId } })
    const back = await library().signInAs(person)
    expect(await back.call(whoAmI)).toMatchObject({ id: newId, name: 'Ruth Returning', role: 'member' })
  })

  test('needs the own username, and a sign-in at the same moment leaves no open account', async () => {
    const { person, member, id } = await somebody('Petra Parallel')
    const body = { username: 'ada', keep_name: true }
    await expect(member.call(closeMyAccount, { body })).rejects.toMatchObject({ status: 422 })
    await Promise.allSettled([close(member, false), library().signIn(person), library().signIn(person)])
    await expect(member.call(whoAmI)).rejects.toMatchObject(signedOut)
    const [row] = await library().rows(`select name, email, status from people where id = ${id}`)
    expect(row).toEqual({ name: 'Former member', email: '', status: 'closed' })
    expect(await library().rows(`select * from sessions where person_id = ${id}`)).toEqual([])
  })

  test('on a list of pre-approved people, is a request too', async () => {
    const ben = await library().signInAs('ben')
    await close(ben, true)
    expect((await library().signIn('ben')).searchParams.get('error')).toBe('pending_approval')
  })

  test('when an admin revokes the person at the same moment, one of the two happens', async () => {
    const ada = await library().admin()
    for (let round = 0; round < 3; round++) {
      const { member, id } = await somebody(`Wilma ${round}`)
      const { username } = await member.call(whoAmI)
      await Promise.allSettled([
        member.call(closeMyAccount, { body: { username, keep_name: true } }),
        ada.call(revokePerson, { params: { id } }),
      ])
      const [row] = await library().rows(`select status from people where id = ${id}`)
      expect(['closed', 'revoked']).toContain(row?.status)
      await expect(member.call(whoAmI)).rejects.toMatchObject(signedOut)
    }
  })
})

describe.each(engines)('the last admin (%s)', engine => {
  async function familyOf(admins: string): Promise<Library> {
    const library = await startLibrary({ engine, environment: { ADMIN_EMAILS: admins } })
    onTestFinished(library.close)
    return library
  }
  const adminsOf = async (library: Library) =>
    (await library.rows(`select id from people where role = 'admin' and status = 'approved'`)).map(({ id }) =>
      Number(id),
    )

  test('cannot leave, and is told what to do', async () => {
    const library = await familyOf('ada@okafor.example')
    const ada = await library.signInAs('ada')
    await expect(close(ada, true)).rejects.toMatchObject({
      ...conflict,
      message: expect.stringContaining('Make another person an admin first'),
    })
    expect(await ada.call(whoAmI)).toMatchObject({ role: 'admin' })
  })

  test('is left over when two admins leave at once, or one leaves while the other steps down', async () => {
    for (const bens of ['leaves', 'steps down', 'is revoked'] as const) {
      const library = await familyOf('ada@okafor.example,ben@okafor.example')
      const [ada, ben] = [await library.signInAs('ada'), await library.signInAs('ben')]
      const params = { id: await library.idOf('ben') }
      const { username } = await ben.call(whoAmI)
      const ways = {
        leaves: () => ben.call(closeMyAccount, { body: { username, keep_name: true } }),
        'steps down': () => ben.call(giveRole, { params, body: { role: 'member' } }),
        'is revoked': () => ada.call(revokePerson, { params }),
      }
      await Promise.allSettled([close(ada, true), ways[bens]()])
      expect([bens, (await adminsOf(library)).length]).toEqual([bens, 1])
    }
  })

  test('hands the library over in one step', async () => {
    const library = await familyOf('ada@okafor.example')
    const [ada, rose] = [await library.signInAs('ada'), await library.newMember()]
    const params = { id: await library.idOf(rose.person) }
    const { invitation } = await ada.call(createInvitation, {
      body: { email: null, role: 'member', auto_approve: true },
    })
    const wrong = { params, body: { email: 'somebody@else.example' } }
    await expect(ada.call(handOver, wrong)).rejects.toMatchObject(conflict)
    const self = { params: { id: await library.idOf('ada') }, body: { email: 'ada@okafor.example' } }
    await expect(ada.call(handOver, self)).rejects.toMatchObject(conflict)

    await ada.call(handOver, { params, body: { email: rose.person.email } })
    expect(await adminsOf(library)).toEqual([params.id])
    expect(await ada.call(whoAmI)).toMatchObject({ role: 'member' })
    await expect(ada.call(adminStats)).rejects.toMatchObject({ status: 403 })
    const [ended] = await library.rows(`select ended_at from invitations where id = ${invitation.id}`)
    expect(ended?.ended_at).not.toBeNull()
    // Also if the settings of the server name them as an admin.
    expect(await (await library.signInAs('ada')).call(whoAmI)).toMatchObject({ role: 'member' })
  })

  test('hands over to one person only, and to nobody who leaves at the same moment', async () => {
    const library = await familyOf('ada@okafor.example')
    const [ada, rose, ben] = [await library.signInAs('ada'), await library.newMember(), await library.newMember()]
    const to = async ({ person }: typeof rose) =>
      ada.call(handOver, { params: { id: await library.idOf(person) }, body: { email: person.email } })
    await Promise.allSettled([to(rose), to(ben), close(rose, true)])
    expect((await adminsOf(library)).length).toBe(1)
  })
})
