import { beforeAll, expect, test } from 'vitest'
import { leaveGroup, readConversation } from '#contract/chat.ts'
import { deleteNote, updateNote } from '#contract/notes.ts'
import { listNotifications, unreadCount } from '#contract/notifications.ts'
import { approvePerson, denyPerson, reapprovePerson, revokePerson } from '#contract/people.ts'
import { addTag, tagFiles } from '#contract/tags.ts'
import { directBetween, groupOf, say } from '../../test/fixtures/conversations.ts'
import { insertMedia } from '../../test/fixtures/insert-media.ts'
import { bensFile, type Family, family, newest, notificationsDuring, write } from '../../test/fixtures/notifications.ts'
import { onBothEngines, type SignedIn } from '../../test/library.ts'

const gone = 999_999_999

onBothEngines('a notification', library => {
  let everybody: Family
  beforeAll(async () => {
    everybody = await family(library())
  })

  test('notifies the uploader of a note on their file, and the mentioned people of the mention', async () => {
    const { rose } = everybody
    const id = await bensFile(library())
    expect(await notificationsDuring(everybody, () => write(rose, id, 'Lovely'))).toEqual({
      ben: [`comment: ${rose.person.name} commented on your photo`],
    })
    expect(await notificationsDuring(everybody, () => write(rose, id, '@ada look at this, @rose'))).toEqual({
      ada: [`mention: ${rose.person.name} mentioned you in a note`],
      ben: [`comment: ${rose.person.name} commented on your photo`],
    })
  })

  test('is sent once for one action: a mention takes precedence over a comment', async () => {
    const { rose } = everybody
    const id = await bensFile(library())
    expect(await notificationsDuring(everybody, () => write(rose, id, '@ben @BEN. and again @ben'))).toEqual({
      ben: [`mention: ${rose.person.name} mentioned you in a note`],
    })
  })

  test('never tells a person of their own act', async () => {
    const { ben } = everybody
    const id = await bensFile(library())
    const act = async () => {
      const note = await write(ben, id, 'Mine, says @ben')
      await ben.call(updateNote, { params: { id: note.id }, body: { content: 'Mine, says @ben himself' } })
      await ben.call(addTag, { params: { id }, body: { tagName: 'Mine' } })
    }
    expect(await notificationsDuring(everybody, act)).toEqual({})
  })

  test('tells of an edit only who is newly mentioned', async () => {
    const { rose, ben } = everybody
    const id = await bensFile(library())
    const note = await write(rose, id, 'Look @ada')
    const edit = (person: SignedIn, content: string) => () =>
      person.call(updateNote, { params: { id: note.id }, body: { content } })
    expect(await notificationsDuring(everybody, edit(rose, 'Look again @Ada!'))).toEqual({})
    expect(await notificationsDuring(everybody, edit(rose, 'Look @ada and @ben'))).toEqual({
      ben: [`mention: ${rose.person.name} mentioned you in a note`],
    })
    // The actor is the person who edits the note, not its author.
    expect(await notificationsDuring(everybody, edit(ben, '@rose and @ada'))).toEqual({
      rose: [`mention: ${ben.person.name} mentioned you in a note`],
    })
    expect(await notificationsDuring(everybody, () => rose.call(deleteNote, { params: { id: note.id } }))).toEqual({})
  })

  test('tells who uploaded files of a tag on them: once, and not of one that was there', async () => {
    const { rose } = everybody
    const [one, two, three] = [await bensFile(library()), await bensFile(library()), await bensFile(library())]
    const [hers = 0] = await insertMedia(library(), [{ name: 'hers.jpg', by: await library().idOf('rose') }])
    const tag = () => rose.call(addTag, { params: { id: one }, body: { tagName: 'Picnic' } })
    expect(await notificationsDuring(everybody, tag)).toEqual({ ben: [`tag: ${rose.person.name} tagged your photo`] })
    expect(await notificationsDuring(everybody, tag)).toEqual({})
    const fileIds = [one, two, hers, three]
    const tagAll = () => rose.call(tagFiles, { body: { fileIds, tagName: 'picnic' } })
    expect(await notificationsDuring(everybody, tagAll)).toEqual({
      ben: [`tag: ${rose.person.name} tagged 2 of your photos and videos`],
    })
    expect(await newest(everybody.ben)).toMatchObject({
      message: 'Picnic',
      target: { kind: 'media', media_id: two, note_id: null },
    })
    expect(await notificationsDuring(everybody, tagAll)).toEqual({})
  })

  test('is never for who is not let in, or not any more', async () => {
    const { rose, ada } = everybody
    const left = await library().newMember()
    const username = left.person.email.split('@')[0] ?? ''
    const personId = await library().idOf(left.person)
    const [theirs = 0] = await insertMedia(library(), [{ name: 'theirs.jpg', by: personId }])
    const stranger = library().newPerson()
    await library().signIn(stranger)
    await ada.call(revokePerson, { params: { id: personId } })
    await write(rose, theirs, `@${username} @${stranger.email.split('@')[0]}`)
    await rose.call(addTag, { params: { id: theirs }, body: { tagName: 'Theirs' } })
    const strangerId = await library().idOf(stranger)
    const rows = await library().rows(
      `select type from notifications where subject <> 'welcome' and person_id in (${personId}, ${strangerId})`,
    )
    expect(rows).toEqual([])
  })

  test('tells admins who asks for access, once, and a new member that they are in', async () => {
    const { ada } = everybody
    const kofi = library().newPerson({ name: 'Kofi' })
    const knock = async () => {
      await library().signIn(kofi)
      await library().signIn(kofi)
    }
    expect(await notificationsDuring(everybody, knock)).toEqual({ ada: ['other: Kofi would like to join'] })
    expect(await newest(ada)).toMatchObject({ target: { kind: 'admin' }, read: false })
    const params = { id: await library().idOf(kofi) }
    expect(await notificationsDuring(everybody, () => ada.call(approvePerson, { params }))).toEqual({})
    expect(await newest(ada)).toMatchObject({
      title: 'Kofi would like to join',
      message: 'Kofi has been let in.',
      read: true,
    })
    const session = await library().signInAs(kofi)
    expect(await session.call(listNotifications, { query: {} })).toMatchObject([
      { type: 'other', title: "You're in", target: { kind: 'library' }, read: false },
    ])
    expect(await session.call(unreadCount)).toEqual({ count: 1 })
  })

  test('tells who was denied at first that they are in, and who is on the list too', async () => {
    const { ada } = everybody
    const person = library().newPerson()
    await library().signIn(person)
    const params = { id: await library().idOf(person) }
    await ada.call(denyPerson, { params })
    expect(await library().rows(`select id from notifications where person_id = ${params.id}`)).toEqual([])
    await ada.call(reapprovePerson, { params })
    const session = await library().signInAs(person)
    expect(await newest(session)).toMatchObject({ title: "You're in" })
    const welcomes = `select id from notifications where subject = 'welcome' and person_id = ${await library().idOf('ben')}`
    expect(await library().rows(welcomes)).toHaveLength(1)
  })

  test('welcomes nobody a second time who lost access and got it back', async () => {
    const { ada } = everybody
    const member = await library().newMember()
    const params = { id: await library().idOf(member.person) }
    await ada.call(revokePerson, { params })
    await ada.call(reapprovePerson, { params })
    const again = await library().signInAs(member.person)
    const titles = (await again.call(listNotifications, { query: {} })).map(({ title }) => title)
    expect(titles).toEqual(["You're in"])
  })

  test('of a message is one per conversation until it is read, and the newest; a mention is separate', async () => {
    const { ben, rose } = everybody
    const group = await groupOf(library(), 'Cousins', ben, rose, everybody.ada)
    const unread = async () => {
      const all = await rose.call(listNotifications, { query: {} })
      const target = { kind: 'conversation', conversation_id: group.id }
      return all.filter(one => !one.read && JSON.stringify(one.target) === JSON.stringify(target))
    }
    await say(ben, group, 'One')
    await say(ben, group, 'Two')
    expect(await unread()).toMatchObject([
      { type: 'message', title: `${ben.person.name} wrote to you in Cousins`, message: 'Two' },
    ])
    await say(ben, group, 'Three @rose')
    await say(ben, group, 'Four')
    expect((await unread()).map(({ type, message }) => [type, message])).toEqual([
      ['message', 'Four'],
      ['mention', 'Three @rose'],
    ])
    await rose.call(readConversation, { params: { id: group.id } })
    expect(await unread()).toEqual([])
    await say(ben, group, 'Five')
    expect(await unread()).toHaveLength(1)
    await Promise.all(Array.from({ length: 8 }, (_, i) => say(i % 2 ? ben : everybody.ada, group, `Together ${i}`)))
    expect(await unread()).toHaveLength(1)
  })

  test('of a conversation goes with it, and never mentions a person who is not in it', async () => {
    const { ben, rose, ada } = everybody
    const direct = await directBetween(library(), ben, rose)
    expect(await notificationsDuring({ ada }, () => say(ben, direct, 'Do not tell @ada'))).toEqual({})
    const group = await groupOf(library(), 'Leaving', ben, rose, ada)
    await say(ben, group, 'A secret of the group')
    await rose.call(leaveGroup, { params: { id: group.id } })
    const listed = JSON.stringify(await rose.call(listNotifications, { query: {} }))
    expect(listed).not.toContain('A secret of the group')
  })

  test('is not left behind by an act that was refused', async () => {
    const { rose } = everybody
    const act = async () => {
      await expect(write(rose, gone, '@ben')).rejects.toMatchObject({ status: 404 })
      await expect(write(rose, await bensFile(library()), `@ben ${'x'.repeat(5_000)}`)).rejects.toMatchObject({
        status: 422,
      })
    }
    expect(await notificationsDuring(everybody, act)).toEqual({})
  })
})
