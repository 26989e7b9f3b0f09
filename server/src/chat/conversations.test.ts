import { describe, expect, test } from 'vitest'
import {
  addToGroup,
  createGroup,
  getConversation,
  leaveGroup,
  listConversations,
  listMessages,
  readConversation,
  renameGroup,
  startDirect,
  typing,
} from '#contract/chat.ts'
import { chat as limits } from '#contract/limits.ts'
import { reapprovePerson, revokePerson } from '#contract/people.ts'
import { directBetween, groupOf, say } from '../../test/fixtures/conversations.ts'
import { onBothEngines } from '../../test/library.ts'
import { listen, untilDelivered } from '../../test/listener.ts'

onBothEngines('conversations', library => {
  const family = async <const Names extends readonly string[]>(...names: Names) => {
    const members = []
    for (const name of names) members.push(await library().newMember({ name }))
    return members as { [K in keyof Names]: (typeof members)[number] }
  }
  const idsOf = (...people: { person: Parameters<ReturnType<typeof library>['idOf']>[0] }[]) =>
    Promise.all(people.map(({ person }) => library().idOf(person)))

  describe('between two people', () => {
    test('there is one, no matter who begins it and how often', async () => {
      const [ben, rose] = await family('Ben', 'Rose')
      const begun = await Promise.all([
        directBetween(library(), ben, rose),
        directBetween(library(), rose, ben),
        directBetween(library(), ben, rose),
      ])
      expect(new Set(begun.map(({ id }) => id)).size).toBe(1)
      const [bens] = await ben.call(listConversations)
      expect(bens).toMatchObject({
        type: 'direct',
        title: 'Rose',
        unread_count: 0,
        last_message: null,
        last_message_at: null,
        last_message_sender: null,
        last_message_file: null,
        participant_count: 2,
      })
      expect(await rose.call(getConversation, { params: { id: begun[0].id } })).toMatchObject({ title: 'Ben' })
    })

    test('begins with somebody else who is in the family', async () => {
      const [ben] = await family('Ben')
      const stranger = library().newPerson()
      await library().signIn(stranger)
      const begin = async (otherUserId: number) => ben.call(startDirect, { body: { otherUserId } })
      await expect(begin((await idsOf(ben))[0] ?? 0)).rejects.toMatchObject({ status: 422 })
      await expect(begin(await library().idOf(stranger))).rejects.toMatchObject({ status: 404 })
      await expect(begin(999_999_999)).rejects.toMatchObject({ status: 404 })
      expect(await ben.call(listConversations)).toEqual([])
    })

    test('it has no name to change, nobody to add, and is not left', async () => {
      const [ben, rose, ines] = await family('Ben', 'Rose', 'Ines')
      const params = { id: (await directBetween(library(), ben, rose)).id }
      const conflict = { status: 409, code: 'conflict' }
      await expect(ben.call(renameGroup, { params, body: { title: 'Us' } })).rejects.toMatchObject(conflict)
      const participantIds = await idsOf(ines)
      await expect(ben.call(addToGroup, { params, body: { participantIds } })).rejects.toMatchObject(conflict)
      await expect(ben.call(leaveGroup, { params })).rejects.toMatchObject(conflict)
    })

    test('it stays when one of them loses access, and so does what was said', async () => {
      const [ben, rose] = await family('Ben', 'Rose')
      const { id } = await directBetween(library(), ben, rose)
      await say(rose, { id }, 'Keep the photos safe')
      const params = { id: await library().idOf(rose.person) }
      await (await library().admin()).call(revokePerson, { params })
      expect(await ben.call(getConversation, { params: { id } })).toMatchObject({ title: 'Rose', participant_count: 2 })
      await say(ben, { id }, 'I will')
      await (await library().admin()).call(reapprovePerson, { params })
      const back = await library().signInAs(rose.person)
      expect((await back.call(listMessages, { params: { id }, query: {} })).map(({ content }) => content)).toEqual([
        'Keep the photos safe',
        'I will',
      ])
      expect(await back.call(getConversation, { params: { id } })).toMatchObject({ unread_count: 1 })
    })
  })

  describe('of a group', () => {
    test('it has a name and at least two others', async () => {
      const [ben, rose, ines] = await family('Ben', 'Rose', 'Ines')
      const [benId, roseId, inesId] = await idsOf(ben, rose, ines)
      const begin = (title: string, ...participantIds: (number | undefined)[]) =>
        ben.call(createGroup, { body: { title, participantIds: participantIds.map(id => id ?? 0) } })
      await expect(begin('  ', roseId, inesId)).rejects.toMatchObject({ status: 422 })
      await expect(begin('x'.repeat(51), roseId, inesId)).rejects.toMatchObject({ status: 422 })
      await expect(begin('Two of us', roseId)).rejects.toMatchObject({ status: 422 })
      await expect(begin('Two of us', roseId, benId)).rejects.toMatchObject({ status: 422 })
      await expect(begin('Two of us', roseId, roseId)).rejects.toMatchObject({ status: 422 })
      await expect(begin('With a ghost', roseId, 999_999_999)).rejects.toMatchObject({ status: 404 })
      const group = await begin('  Summer 2024 ', roseId, inesId, benId)
      expect(group).toMatchObject({ type: 'group', title: 'Summer 2024', participant_count: 3, unread_count: 0 })
      expect(group.participants.map(({ name }) => name).toSorted()).toEqual(['Ben', 'Ines', 'Rose'])
    })

    test('a person begins only so many within an hour', async () => {
      const [ben, rose, kofi] = await family('Ben', 'Rose', 'Kofi')
      const participantIds = await idsOf(rose, kofi)
      const begin = (title: string) => ben.call(createGroup, { body: { title, participantIds } })
      const { max, within } = limits.newGroups
      const begun = await Promise.allSettled(Array.from({ length: max + 5 }, (_, i) => begin(`Group ${i}`)))
      expect(begun.filter(({ status }) => status === 'fulfilled')).toHaveLength(max)
      await expect(begin('One more')).rejects.toMatchObject({ status: 429, message: expect.stringContaining('groups') })
      expect(await rose.call(listConversations)).toHaveLength(max)
      await groupOf(library(), 'By another', rose, ben, kofi)
      library().pass(within)
      expect(await begin('Later')).toMatchObject({ title: 'Later' })
    })

    test('anyone in it renames it and brings others in, who see what was said before', async () => {
      const [ben, rose, ines, kofi] = await family('Ben', 'Rose', 'Ines', 'Kofi')
      const group = await groupOf(library(), 'Aunts', ben, rose, ines)
      const params = { id: group.id }
      await say(ben, group, 'Before Kofi')
      const stream = await listen(ines)
      expect(await rose.call(renameGroup, { params, body: { title: ' Aunts and Kofi ' } })).toMatchObject({
        title: 'Aunts and Kofi',
      })
      await stream.receives({ kind: 'conversations', id: group.id })
      const participantIds = await idsOf(kofi, rose)
      expect(await ines.call(addToGroup, { params, body: { participantIds } })).toMatchObject({ participant_count: 4 })
      expect((await kofi.call(listMessages, { params, query: {} })).map(({ content }) => content)).toEqual([
        'Before Kofi',
      ])
      expect(await kofi.call(listConversations)).toMatchObject([{ title: 'Aunts and Kofi', unread_count: 0 }])
      // Rose was already a participant: her unread messages stay unread.
      expect(await rose.call(getConversation, { params })).toMatchObject({ unread_count: 1 })
    })

    test('a person who leaves has no access, unless they are added again', async () => {
      const [ben, rose, ines] = await family('Ben', 'Rose', 'Ines')
      const group = await groupOf(library(), 'Cousins', ben, rose, ines)
      const params = { id: group.id }
      await rose.call(leaveGroup, { params })
      await say(ben, group, 'Where is Rose?')
      await expect(rose.call(getConversation, { params })).rejects.toMatchObject({ status: 404 })
      expect(await rose.call(listConversations)).toEqual([])
      expect(await ben.call(getConversation, { params })).toMatchObject({ participant_count: 2 })
      await ben.call(addToGroup, { params, body: { participantIds: await idsOf(rose) } })
      expect((await rose.call(listMessages, { params, query: {} })).map(({ content }) => content)).toEqual([
        'Where is Rose?',
      ])
    })

    test('who lost access is not among its people', async () => {
      const [ben, rose, ines] = await family('Ben', 'Rose', 'Ines')
      const { id } = await groupOf(library(), 'Neighbours', ben, rose, ines)
      await (await library().admin()).call(revokePerson, { params: { id: await library().idOf(rose.person) } })
      const group = await ben.call(getConversation, { params: { id } })
      expect(group.participant_count).toBe(2)
      expect(group.participants.map(({ name }) => name).toSorted()).toEqual(['Ben', 'Ines'])
    })
  })

  test('are listed with the newest message first, and what was last said', async () => {
    const [ben, rose, ines] = await family('Ben', 'Rose', 'Ines')
    const direct = await directBetween(library(), ben, rose)
    const group = await groupOf(library(), 'Garden', ben, rose, ines)
    const ids = async () => (await ben.call(listConversations)).map(({ id }) => id)
    expect(await ids()).toEqual([group.id, direct.id])
    const sent = await say(rose, direct, 'Come over')
    expect(await ids()).toEqual([direct.id, group.id])
    const [first] = await ben.call(listConversations)
    expect(first).toMatchObject({
      last_message: 'Come over',
      last_message_at: sent.created_at,
      last_message_sender: sent.sender_username,
      unread_count: 1,
    })
  })

  test('count what others said since one last looked, and tell both of a pair when it was read', async () => {
    const [ben, rose] = await family('Ben', 'Rose')
    const direct = await directBetween(library(), ben, rose)
    const params = { id: direct.id }
    const unread = async (person: typeof ben) => (await person.call(getConversation, { params })).unread_count
    await say(ben, direct, 'One')
    const two = await say(ben, direct, 'Two')
    await say(rose, direct, 'Three')
    expect([await unread(ben), await unread(rose)]).toEqual([1, 2])

    await untilDelivered(library())
    const stream = await listen(ben)
    await rose.call(readConversation, { params })
    await stream.receives({ kind: 'conversations', id: direct.id })
    expect([await unread(ben), await unread(rose)]).toEqual([1, 0])
    const { participants } = await ben.call(getConversation, { params })
    const [bens, roses] = ['Ben', 'Rose'].map(name => participants.find(person => person.name === name))
    expect(bens).toMatchObject({ last_read_id: 0, last_read_at: null })
    expect(roses?.last_read_id).toBeGreaterThan(two.id)
    expect(Date.parse(roses?.last_read_at ?? '')).toBeCloseTo(library().now(), -5)

    // Reading twice must not send an event: pages that mark as read on every event would loop forever.
    stream.forget()
    await rose.call(readConversation, { params })
    await say(rose, direct, 'Four')
    await stream.receives({ kind: 'messages', conversation_id: direct.id })
    expect(stream.received.filter(({ kind }) => kind === 'conversations')).toEqual([])
  })

  test('show the others that somebody writes, and nobody else', async () => {
    const [ben, rose, ines] = await family('Ben', 'Rose', 'Ines')
    const direct = await directBetween(library(), ben, rose)
    await untilDelivered(library())
    const [bens, roses, outsider] = [await listen(ben), await listen(rose), await listen(ines)]
    await ben.call(typing, { params: { id: direct.id } })
    const [benId = 0] = await idsOf(ben)
    await roses.receives({ kind: 'typing', conversation_id: direct.id, person_id: benId })
    await groupOf(library(), 'All', ben, rose, ines)
    const all = { kind: 'conversations', id: expect.any(Number) }
    await expect.poll(() => bens.received).toEqual([all])
    await expect.poll(() => outsider.received).toEqual([all])
  })
})
