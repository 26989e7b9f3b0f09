import { describe, expect, onTestFinished, test } from 'vitest'
import { createAlbum } from '#contract/albums.ts'
import { whoAmI } from '#contract/auth.ts'
import { createFolder } from '#contract/folders.ts'
import { addNote, deleteNote, restoreNote, updateNote } from '#contract/notes.ts'
import { listNotifications, unreadCount } from '#contract/notifications.ts'
import { adminStats, giveRole, revokePerson } from '#contract/people.ts'
import type { Role } from '#contract/role.ts'
import { makeUploadLink, senderOf } from '../../test/fixtures/guests.ts'
import { insertMedia } from '../../test/fixtures/insert-media.ts'
import { makePicture } from '../../test/fixtures/pictures.ts'
import { engines, onBothEngines, type SignedIn, startLibrary } from '../../test/library.ts'

const conflict = { status: 409, code: 'conflict' }
const forbidden = { status: 403, code: 'forbidden' }

onBothEngines('roles', library => {
  async function give(person: SignedIn, role: Role, expected?: Role): Promise<void> {
    const ada = await library().admin()
    await ada.call(giveRole, { params: { id: await library().idOf(person.person) }, body: { role, expected } })
  }

  test('a new role counts at once in an open session, and leaves an audit line', async () => {
    const member = await library().newMember()
    const id = await library().idOf(member.person)
    await give(member, 'admin')
    expect(await member.call(whoAmI)).toMatchObject({ role: 'admin' })
    await member.call(adminStats)
    await give(member, 'viewer')
    await expect(member.call(adminStats)).rejects.toMatchObject(forbidden)
    await expect(member.call(createFolder, { body: { name: 'Lake' } })).rejects.toMatchObject(forbidden)
    const lines = await library().rows(
      `select action, before from audit_log where subject_id = ${id} and action like 'person.make-%' order by id`,
    )
    expect(lines).toEqual([
      { action: 'person.make-admin', before: '{"role":"member"}' },
      { action: 'person.make-viewer', before: '{"role":"admin"}' },
    ])
  })

  test('who loses a role no longer sees the notifications that need it', async () => {
    const [ada, person] = [await library().admin(), await library().newMember()]
    await give(person, 'admin')
    await library().signIn(library().newPerson({ name: 'Newcomer' }))
    const album = await ada.call(createAlbum, { body: { title: 'Wedding' } })
    const tom = await senderOf(library(), await makeUploadLink(ada, album.id), 'Tom')
    const seen = async () => {
      const titles = (await person.call(listNotifications, { query: {} })).map(({ title }) => title)
      expect(await person.call(unreadCount)).toEqual({ count: titles.length })
      return titles.filter(title => /Tom|Newcomer/.test(title))
    }
    await tom.send('cake.jpg', await makePicture())
    expect(await seen()).toEqual(['Tom sent a photo to Wedding', 'Newcomer would like to join'])
    await give(person, 'member')
    expect(await seen()).toEqual(['Tom sent a photo to Wedding'])
    await give(person, 'viewer')
    await tom.send('dance.jpg', await makePicture())
    expect(await seen()).toEqual([])
  })

  test('an undo takes back only the role that it knows', async () => {
    const member = await library().newMember()
    await give(member, 'viewer')
    await expect(give(member, 'member', 'admin')).rejects.toMatchObject(conflict)
    await give(member, 'member', 'viewer')
    expect(await member.call(whoAmI)).toMatchObject({ role: 'member' })
  })

  test('only approved people get a role', async () => {
    const member = await library().newMember()
    const ada = await library().admin()
    await ada.call(revokePerson, { params: { id: await library().idOf(member.person) } })
    await expect(give(member, 'admin')).rejects.toMatchObject(conflict)
  })

  test('a viewer writes, changes and deletes their own notes and no others', async () => {
    const [viewer, member] = [await library().newViewer(), await library().newMember()]
    const [fileId = 0] = await insertMedia(library(), [{ name: 'lake.jpg' }])
    const params = { id: fileId }
    const own = await viewer.call(addNote, { params, body: { content: 'Lovely' } })
    expect(await viewer.call(updateNote, { params: { id: own.id }, body: { content: 'How lovely' } })).toMatchObject({
      content: 'How lovely',
    })
    await viewer.call(deleteNote, { params: { id: own.id } })
    await viewer.call(restoreNote, { params: { id: own.id } })

    const { id } = await member.call(addNote, { params, body: { content: 'Our lake' } })
    const change = viewer.call(updateNote, { params: { id }, body: { content: 'My lake' } })
    await expect(change).rejects.toMatchObject(forbidden)
    await expect(viewer.call(deleteNote, { params: { id } })).rejects.toMatchObject(forbidden)
    // Deleted as a member: as a viewer they may no longer decide about it.
    const other = await library().newMember()
    await other.call(deleteNote, { params: { id } })
    await give(other, 'viewer')
    await expect(other.call(restoreNote, { params: { id } })).rejects.toMatchObject({ status: 404 })
    await member.call(restoreNote, { params: { id } })
  })
})

describe.each(engines)('the number of admins (%s)', engine => {
  test('never falls to none, even when two take each other the role at once', async () => {
    const library = await startLibrary({
      engine,
      environment: { ADMIN_EMAILS: 'ada@okafor.example,ben@okafor.example' },
    })
    onTestFinished(library.close)
    for (let round = 0; round < 5; round++) {
      const [ada, ben] = [await library.signInAs('ada'), await library.signInAs('ben')]
      const [adasId, bensId] = [await library.idOf('ada'), await library.idOf('ben')]
      await Promise.allSettled([
        ada.call(giveRole, { params: { id: bensId }, body: { role: 'member' } }),
        round % 2 === 0
          ? ben.call(giveRole, { params: { id: adasId }, body: { role: 'viewer' } })
          : ben.call(revokePerson, { params: { id: adasId } }),
      ])
      const admins = await library.rows(`select id from people where role = 'admin' and status = 'approved'`)
      expect(admins).toHaveLength(1)
      const id = Number(admins[0]?.id)
      const last = id === adasId ? ada : ben
      await expect(last.call(giveRole, { params: { id }, body: { role: 'member' } })).rejects.toMatchObject(conflict)
      await library.rows(`update people set role = 'admin', status = 'approved'`)
    }
  })

  test('three admins who take each other the role at once leave one, and none acts after losing it', async () => {
    const names = ['ada', 'ben', 'rose'] as const
    const environment = { ADMIN_EMAILS: names.map(name => `${name}@okafor.example`).join() }
    const library = await startLibrary({ engine, environment })
    onTestFinished(library.close)
    const admins = await Promise.all(names.map(name => library.signInAs(name)))
    const ids = await Promise.all(names.map(name => library.idOf(name)))
    for (let round = 0; round < 5; round++) {
      const results = await Promise.allSettled(
        admins.map((admin, index) => {
          const params = { id: ids[(index + 1) % ids.length] ?? 0 }
          return round % 2 === 0
            ? admin.call(giveRole, { params, body: { role: 'member' } })
            : admin.call(revokePerson, { params })
        }),
      )
      const left = await library.rows(`select id from people where role = 'admin' and status = 'approved'`)
      const changes = results.filter(result => result.status === 'fulfilled').length
      expect(left).toHaveLength(names.length - changes)
      expect(left.length).toBeGreaterThan(0)
      const lines = await library.rows(
        `select actor_id, subject_id from audit_log where action in ('person.make-member', 'person.revoke') order by id desc limit ${changes}`,
      )
      const lost = new Set<number>()
      for (const { actor_id, subject_id } of lines.reverse()) {
        expect(lost).not.toContain(Number(actor_id))
        lost.add(Number(subject_id))
      }
      await library.rows(`update people set role = 'admin', status = 'approved'`)
      if (round % 2 === 1) for (const [index, name] of names.entries()) admins[index] = await library.signInAs(name)
    }
  })

  test('what an admin decided beats the configured list', async () => {
    const library = await startLibrary({
      engine,
      environment: { ADMIN_EMAILS: 'ada@okafor.example,ben@okafor.example' },
    })
    onTestFinished(library.close)
    const [ada] = [await library.signInAs('ada'), await library.signInAs('ben')]
    await ada.call(giveRole, { params: { id: await library.idOf('ben') }, body: { role: 'member' } })
    expect(await (await library.signInAs('ben')).call(whoAmI)).toMatchObject({ role: 'member' })
  })
})
