import { describe, expect, onTestFinished, test } from 'vitest'
import { logOut } from '#contract/auth.ts'
import { createFolder } from '#contract/folders.ts'
import { revokePerson } from '#contract/people.ts'
import { anotherServer } from '../../test/another-server.ts'
import { engines, type Library, startLibrary } from '../../test/library.ts'
import { listen } from '../../test/listener.ts'
import { breakBusLines } from '../../test/postgres.ts'

describe('two servers of one library', () => {
  test('tell each other what changes, and whose session is over', async () => {
    const library = await libraryOnPostgres()
    const server = await anotherServer(library)
    const [ada, ben, rose] = [await library.admin(), await library.signInAs('ben'), await library.signInAs('rose')]
    const [bens, roses] = [await listen(server.as(ben)), await listen(server.as(rose))]

    await ada.call(createFolder, { body: { name: 'Made on the one', parent_id: null } })
    await bens.receives({ kind: 'folders' })
    const here = await listen(ada)
    await server.as(ben).call(createFolder, { body: { name: 'Made on the other', parent_id: null } })
    await here.receives({ kind: 'folders' })

    await ben.call(logOut)
    await bens.ended
    await ada.call(revokePerson, { params: { id: await library.idOf('rose') } })
    await roses.ended
  })

  test('say resync after a gap, but not to who was signed out in it', async () => {
    const library = await libraryOnPostgres()
    const [ada, ben] = [await library.admin(), await library.signInAs('ben')]
    const [adas, bens] = [await listen(ada), await listen(ben)]
    // Events arrive in order: after this one, those of the sign-in are all delivered.
    await ada.call(createFolder, { body: { name: 'Before the gap', parent_id: null } })
    await bens.receives({ kind: 'folders' })
    const before = [...bens.received]
    // As if the message about it had been lost with the connection.
    await library.rows(`delete from sessions where person_id = ${await library.idOf('ben')}`)
    await library.rows(breakBusLines)
    await adas.receives({ kind: 'resync' })
    await bens.ended
    expect(bens.received).toEqual(before)
    await ada.call(createFolder, { body: { name: 'After the gap', parent_id: null } })
    await adas.receives({ kind: 'folders' })
  })
})

test.each(engines)('a server that stops ends its streams, and stops (%s)', async engine => {
  const library = await startLibrary({ engine })
  onTestFinished(library.close)
  const ben = await library.signInAs('ben')
  const stream = await listen(ben)
  await library.restart()
  await stream.ended
  await listen(ben)
})

async function libraryOnPostgres(): Promise<Library> {
  const library = await startLibrary({ engine: 'postgres' })
  onTestFinished(library.close)
  return library
}
