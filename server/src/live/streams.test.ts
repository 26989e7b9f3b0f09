import { expect, test } from 'vitest'
import { logOut } from '#contract/auth.ts'
import { live } from '#contract/limits.ts'
import { type LiveEvent, livePath } from '#contract/live.ts'
import { denyPerson, revokePerson } from '#contract/people.ts'
import { onBothEngines } from '../../test/library.ts'
import { listen, untilDelivered } from '../../test/listener.ts'
import { History } from './streams.ts'

onBothEngines('a live stream', library => {
  test('ends at once when its session is signed out, and no other of the person does', async () => {
    const member = await library().newMember()
    const elsewhere = await library().signInAs(member.person)
    const [here, there] = [await listen(member), await listen(elsewhere)]
    await member.call(logOut)
    await here.ended
    expect((await member.fetch(livePath)).status).toBe(401)
    await library().newMember()
    await there.receives({ kind: 'people' })
  })

  test('ends at once, wherever it is open, when the person loses access', async () => {
    const member = await library().newMember()
    const elsewhere = await library().signInAs(member.person)
    await untilDelivered(library())
    const streams = [await listen(member), await listen(elsewhere)]
    const ada = await library().admin()
    await ada.call(revokePerson, { params: { id: await library().idOf(member.person) } })
    await Promise.all(streams.map(stream => stream.ended))
    // Not even the event of the act that ended it.
    expect(streams.map(stream => stream.received)).toEqual([[], []])
  })

  test('tells of a request for access to the admins alone', async () => {
    const [ada, ben] = [await library().admin(), await library().newMember()]
    await untilDelivered(library())
    const [adas, bens] = [await listen(ada), await listen(ben)]
    const stranger = library().newPerson()
    await library().signIn(stranger)
    await adas.receives({ kind: 'people' })
    adas.forget()
    await ada.call(denyPerson, { params: { id: await library().idOf(stranger) } })
    await adas.receives({ kind: 'people' })
    // An event to everyone, sent last: once it arrives, earlier events would have arrived too.
    await library().newMember()
    await bens.receives({ kind: 'people' })
    expect(bens.received.filter(({ kind }) => kind === 'people')).toHaveLength(1)
  })

  test('can be opened by one person as often as a family has browsers, and no more', async () => {
    const member = await library().newMember()
    const open = []
    for (let i = 0; i < live.streamsPerPerson; i++) open.push(await listen(member))
    const refused = await member.fetch(livePath)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
    open[0]?.cut()
    await expect.poll(async () => (await member.fetch(livePath)).status).toBe(200)
  })
})

const [ada, ben] = [1, 2]
const folders: LiveEvent = { kind: 'folders' }
const people: LiveEvent = { kind: 'people' }

test('a reconnecting page gets its missed events, each once', () => {
  const history = new History()
  history.add({ position: 'a' })
  history.add({ position: 'b', event: folders, to: 'everyone' })
  history.add({ position: 'c', event: { kind: 'messages', conversation_id: 7 }, to: [ben] })
  history.add({ position: 'd', event: people, to: [ada] })
  history.add({ position: 'e', event: folders, to: 'everyone' })
  expect(history.since('a', ada)).toEqual([folders, people])
  expect(history.since('b', ben)).toEqual([{ kind: 'messages', conversation_id: 7 }, folders])
  expect(history.since('e', ada)).toEqual([])
  expect(history.position).toBe('e')
})

test('what came after a place that is not known, or not known any more, nobody says', () => {
  const history = new History()
  expect(history.position).toBeUndefined()
  expect(history.since('elsewhere', ada)).toBeUndefined()
  history.add({ position: 'first' })
  for (let i = 0; i < 5_000; i++) history.add({ position: `${i}`, event: folders, to: 'everyone' })
  expect(history.since('first', ada)).toBeUndefined()
  expect(history.since('4500', ada)).toEqual([folders])
  history.clear()
  expect([history.position, history.since('4500', ada)]).toEqual([undefined, undefined])
})
