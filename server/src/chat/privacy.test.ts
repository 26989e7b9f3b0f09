import { beforeAll, describe, expect, test } from 'vitest'
import * as chat from '#contract/chat.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { endpoints } from '#contract/index.ts'
import { livePath } from '#contract/live.ts'
import { revokePerson } from '#contract/people.ts'
import { directBetween, groupOf, say } from '../../test/fixtures/conversations.ts'
import { onBothEngines, type SignedIn } from '../../test/library.ts'
import { listen, untilDelivered } from '../../test/listener.ts'

interface AboutOne {
  endpoint: Endpoint
  body?: unknown
}

const strangers = ['outsider', 'admin', 'former participant', 'revoked participant', 'pending participant'] as const
type Stranger = (typeof strangers)[number]

/** Every call about one conversation, with valid input for a participant. */
const callsAboutOne: Record<string, AboutOne> = {
  'see it': { endpoint: chat.getConversation },
  'rename it': { endpoint: chat.renameGroup, body: { title: 'Ours now' } },
  'bring somebody in': { endpoint: chat.addToGroup, body: { participantIds: [1] } },
  'leave it': { endpoint: chat.leaveGroup },
  'mark it as read': { endpoint: chat.readConversation },
  'be seen writing in it': { endpoint: chat.typing },
  'read its messages': { endpoint: chat.listMessages },
  'say something in it': { endpoint: chat.sendMessage, body: { content: 'Let me in', client_id: 'let-me-in' } },
}

onBothEngines('a conversation of others', library => {
  let ben: SignedIn
  let rose: SignedIn
  let ines: SignedIn
  let group: chat.Conversation
  let people: Record<Stranger, SignedIn>

  beforeAll(async () => {
    ben = await library().newMember({ name: 'Ben' })
    rose = await library().newMember({ name: 'Rose' })
    ines = await library().newMember({ name: 'Ines' })
    const former = await library().newMember()
    const revoked = await library().newMember()
    const pending = await library().newMember()
    group = await groupOf(library(), 'Secret', ben, rose, ines, former, revoked, pending)
    await say(ben, group, 'Nobody else knows')
    await former.call(chat.leaveGroup, { params: { id: group.id } })
    const ada = await library().admin()
    await ada.call(revokePerson, { params: { id: await library().idOf(revoked.person) } })
    // No endpoint leaves a session to a pending person, so the status is set directly in the database.
    await library().rows(`update people set status = 'pending' where subject = '${pending.person.subject}'`)
    people = {
      outsider: await library().newMember(),
      admin: ada,
      'former participant': former,
      'revoked participant': revoked,
      'pending participant': pending,
    }
  })

  const send = (person: SignedIn, { method, path }: Endpoint, id: number, body?: unknown) =>
    person.fetch(path.replace(':id', String(id)), {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    })

  test('the table below speaks of every call about one conversation', () => {
    const about = endpoints.filter(({ act, path }) => act === 'chat.use' && path.includes(':id'))
    expect(new Set(Object.values(callsAboutOne).map(({ endpoint }) => endpoint))).toEqual(new Set(about))
  })

  describe.each(strangers)('is not there for an %s, who cannot', stranger => {
    test.each(Object.entries(callsAboutOne))('%s', async (_act, { endpoint, body }) => {
      const person = people[stranger]
      const refused = await send(person, endpoint, group.id, body)
      expect(refused.status).toBe(/revoked|pending/.test(stranger) ? 401 : 404)
      const answer = await refused.text()
      // The response is the same as for a conversation that never existed.
      expect(answer).toBe(await (await send(person, endpoint, 999_999_999, body)).text())
      expect(await library().rows(`select title from conversations where id = ${group.id}`)).toEqual([
        { title: 'Secret' },
      ])
      const messages = await ben.call(chat.listMessages, { params: { id: group.id }, query: {} })
      expect(messages.map(({ content }) => content)).toEqual(['Nobody else knows'])
    })
  })

  test.each(['outsider', 'admin', 'former participant'] as const)('is in no list of an %s', async stranger => {
    const listed = await people[stranger].call(chat.listConversations)
    expect(listed.map(({ id }) => id)).not.toContain(group.id)
  })

  test('lets a person of it do each of these', async () => {
    const other = await groupOf(library(), 'To be left', rose, ben, ines)
    for (const [act, { endpoint, body }] of Object.entries(callsAboutOne)) {
      if (act === 'leave it') continue
      expect([act, (await send(rose, endpoint, other.id, body)).ok]).toEqual([act, true])
    }
    expect((await send(rose, chat.leaveGroup, other.id)).status).toBe(204)
  })

  test('is heard of by its people alone', async () => {
    await untilDelivered(library())
    const roses = await listen(rose)
    const others = [people.outsider, people.admin, people['former participant']]
    const outside = await Promise.all(others.map(person => listen(person)))
    const direct = await directBetween(library(), ben, rose)
    await say(ben, direct, 'Psst')
    await say(ines, group, 'Psst, all of you')
    await ben.call(chat.typing, { params: { id: group.id } })
    await ben.call(chat.readConversation, { params: { id: group.id } })
    await ben.call(chat.renameGroup, { params: { id: group.id }, body: { title: 'Secret' } })
    await roses.receives({ kind: 'conversations', id: group.id })
    // An event to everyone, sent last: once it arrives, all earlier events have arrived too.
    await library().newMember()
    for (const stream of outside) {
      await stream.receives({ kind: 'people' })
      expect(stream.received.filter(({ kind }) => kind !== 'people' && kind !== 'notifications')).toEqual([])
    }
  })

  test.each(['revoked participant', 'pending participant'] as const)('opens no stream to a %s', async stranger => {
    expect((await people[stranger].fetch(livePath)).status).toBe(401)
  })
})
