import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { whoAmI } from '#contract/auth.ts'
import { approvePerson } from '#contract/people.ts'
import { makePicture } from '../../test/fixtures/pictures.ts'
import { type Library, onOneEngine } from '../../test/library.ts'

onOneEngine('the picture that the provider names', library => {
  test('is copied from the configured provider, and shown', async () => {
    const member = await library().newMember()
    const picture = await makePicture()
    library().provider.files.set('/picture', picture)
    member.person.picture = new URL('/picture', library().provider.issuer).href
    const again = await library().signInAs(member.person)
    await expect.poll(async () => (await again.call(whoAmI)).avatar_url, { timeout: 60_000 }).not.toBeNull()
  })

  test('of somebody who waits is not fetched; it is once they are let in', async () => {
    library().provider.files.set('/waiting', await makePicture())
    const stranger = library().newPerson({ picture: new URL('/waiting', library().provider.issuer).href })
    await library().signIn(stranger)
    expect(await avatarJobs(library())).toEqual([])
    await (await library().admin()).call(approvePerson, { params: { id: await library().idOf(stranger) } })
    const member = await library().signInAs(stranger)
    await expect.poll(async () => (await member.call(whoAmI)).avatar_url, { timeout: 60_000 }).not.toBeNull()
  })

  test('is not fetched from another server on this machine', async () => {
    const requests: (string | undefined)[] = []
    const server = createServer((request, response) => {
      requests.push(request.url)
      response.writeHead(200, { 'content-type': 'image/png' }).end()
    })
    onTestFinished(() => void server.close())
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo

    const member = await library().newMember()
    for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]']) {
      member.person.picture = `http://${host}:${port}/private`
      await library().signIn(member.person)
      await expect.poll(() => avatarJobs(library()), { timeout: 20_000 }).toEqual([])
    }
    expect(requests).toEqual([])
    expect((await (await library().signInAs(member.person)).call(whoAmI)).avatar_url).toBeNull()
  })
})

/** Jobs that are waiting or running. */
async function avatarJobs(library: Library) {
  return library.rows(`select id from jobs where name = 'auth.copy-avatar' and failed_at is null`)
}
