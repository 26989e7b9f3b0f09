import { describe, expect, onTestFinished, test } from 'vitest'
import { whoAmI } from '#contract/auth.ts'
import { createFolder } from '#contract/folders.ts'
import { livePositionHeader } from '#contract/live.ts'
import { anotherServer } from '../../test/another-server.ts'
import { directBetween, say } from '../../test/fixtures/conversations.ts'
import { engines, onBothEngines, type SignedIn, startLibrary } from '../../test/library.ts'
import { listen, untilDelivered } from '../../test/listener.ts'
import { breakBusLines } from '../../test/postgres.ts'
import type { Visitor } from '../../test/visitor.ts'

/** The stream position that `GET /auth/me` returns, which a page requests before anything else. */
async function positionFor(visitor: Visitor): Promise<string> {
  const answer = await visitor.fetch(whoAmI.path)
  return answer.headers.get(livePositionHeader) ?? ''
}

let folders = 0
async function makeFolder(visitor: Visitor): Promise<void> {
  folders += 1
  await visitor.call(createFolder, { body: { name: `Folder ${folders}`, parent_id: null } })
}

onBothEngines('a page that says which event it received last', library => {
  test('gets no event when nothing has happened since it fetched', async () => {
    const ben = await library().newMember()
    await untilDelivered(library())
    const stream = await listen(ben, { lastEventId: await positionFor(ben) })
    expect(stream.received).toEqual([])
    await makeFolder(ben)
    await stream.receives({ kind: 'folders' })
  })

  test('gets the missed events before anything else', async () => {
    const ben = await library().newMember()
    await untilDelivered(library())
    const listener = await listen(ben)
    const lastEventId = await positionFor(ben)
    await makeFolder(ben)
    await listener.receives({ kind: 'folders' })
    expect((await listen(ben, { lastEventId })).received).toEqual([{ kind: 'folders' }])
  })

  test('gets what it missed after a gap, and nothing that is not for it', async () => {
    const [ben, rose, ines] = await Promise.all(Array.from({ length: 3 }, () => library().newMember()))
    if (!ben || !rose || !ines) throw new Error('Three came')
    const direct = await directBetween(library(), ben, rose)
    const lines = { bens: await listen(ben), ineses: await listen(ines) }
    await makeFolder(ines)
    for (const line of Object.values(lines)) {
      await line.receives({ kind: 'folders' })
      line.cut()
    }
    const listener = await listen(rose)
    for (const text of ['One', 'two', 'three']) await say(rose, direct, text)
    await expect.poll(() => listener.received.filter(({ kind }) => kind === 'messages')).toHaveLength(3)
    const bens = await listen(ben, { lastEventId: lines.bens.position() })
    expect(bens.received).toEqual([{ kind: 'notifications' }, { kind: 'messages', conversation_id: direct.id }])
    const ineses = await listen(ines, { lastEventId: lines.ineses.position() })
    expect(ineses.received).toEqual([])
  })

  test('fetches everything again if its position is unknown', async () => {
    const ben = await library().newMember()
    expect((await listen(ben, { lastEventId: 'somewhere else' })).received).toEqual([{ kind: 'resync' }])
  })
})

test.each(engines)('a place from before a restart is not known any more (%s)', async engine => {
  const library = await startLibrary({ engine })
  onTestFinished(library.close)
  const ben = await library.signInAs('ben')
  const lastEventId = await positionFor(ben)
  await library.restart()
  expect((await listen(ben, { lastEventId })).received).toEqual([{ kind: 'resync' }])
  await untilDelivered(library)
  expect((await listen(ben, { lastEventId: await positionFor(ben) })).received).toEqual([])
})

describe('with several servers', () => {
  /** Two servers that have received all events so far. */
  async function twoServers(): Promise<{ here: SignedIn; there: Visitor; breakLines: () => Promise<unknown> }> {
    const library = await startLibrary({ engine: 'postgres' })
    onTestFinished(library.close)
    const server = await anotherServer(library)
    const ben = await library.signInAs('ben')
    const streams = [await listen(ben), await listen(server.as(ben))]
    await makeFolder(ben)
    for (const stream of streams) {
      await stream.receives({ kind: 'folders' })
      stream.cut()
    }
    return { here: ben, there: server.as(ben), breakLines: () => library.rows(breakBusLines) }
  }

  test('a page fetches from one and listens to the other, and gets its events', async () => {
    const { here, there } = await twoServers()
    expect(await positionFor(here)).toBe(await positionFor(there))
    const quiet = await listen(there, { lastEventId: await positionFor(here) })
    expect(quiet.received).toEqual([])

    const lastEventId = await positionFor(here)
    await makeFolder(there)
    await quiet.receives({ kind: 'folders' })
    expect((await listen(there, { lastEventId })).received).toEqual([{ kind: 'folders' }])
  })

  test('a server that was cut off continues nothing from before', async () => {
    const { here, breakLines } = await twoServers()
    const line = await listen(here)
    const lastEventId = await positionFor(here)
    await breakLines()
    await line.receives({ kind: 'resync' })
    expect((await listen(here, { lastEventId })).received).toEqual([{ kind: 'resync' }])
    await expect.poll(() => positionFor(here)).not.toBe('')
    expect((await listen(here, { lastEventId: await positionFor(here) })).received).toEqual([])
  })
})
