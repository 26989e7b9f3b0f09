import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { createAlbum } from '#contract/albums.ts'
import { listMedia } from '#contract/media-list.ts'
import { makeUploadLink, senderOf } from '../fixtures/guests.ts'
import { makePicture } from '../fixtures/pictures.ts'
import { filesBelow } from '../fixtures/remains.ts'
import { untilPrepared, uploadFile } from '../fixtures/uploads.ts'
import { freePort } from '../free-port.ts'
import { oneEngine } from '../library.ts'
import { GuestStorm } from './guest-storm.ts'
import { newServerData, startServer } from './server-process.ts'
import { endClaims, UploadStorm, untilQuiet } from './upload-storm.ts'

const long = Boolean(process.env.LONG)
const ROUNDS = long ? 50 : 2
const GUEST_ROUNDS = long ? 50 : 2

function keptOf({ fates }: UploadStorm): number {
  return [...fates.values()].filter(fate => fate === 'kept').length
}

// On Postgres: kill.scale.test.ts.
describe.each(oneEngine)('a server that is killed (%s)', engine => {
  test(
    `in the midst of an upload storm, ${ROUNDS} times, keeps what it acknowledged and nothing else`,
    async () => {
      const serverData = await newServerData(engine)
      const storm = await UploadStorm.prepare()
      for (let round = 0; round < ROUNDS; round++) {
        const server = await startServer(serverData)
        await storm.verify(server.ada, serverData)
        const kept = keptOf(storm)
        const running = storm.run(server.ada, 4)
        await expect.poll(() => keptOf(storm), { timeout: 60_000, interval: 10 }).toBeGreaterThan(kept + 1)
        await wait(Math.random() * 1_500)
        await server.kill()
        await running
      }
      await endClaims(serverData)
      const server = await startServer(serverData)
      await storm.verify(server.ada, serverData)
      await untilQuiet(serverData)
      await storm.verify(server.ada, serverData)
      await server.stop()
      const keys = (await serverData.rows('select key from media_parts order by key')).map(row => String(row.key))
      expect(await filesBelow(join(serverData.dataFolder, 'scratch'))).toEqual([])
      // Replaced objects are removed by the next orphan cleanup, which runs at every start.
      const last = await startServer(serverData)
      expect(await filesBelow(join(serverData.dataFolder, 'files'))).toEqual(keys.toSorted())
      expect((await last.ada.call(listMedia, { query: { limit: 1 } })).files[0]?.status).toBe('ready')
      await last.stop()
    },
    long ? 3_600_000 : 180_000,
  )

  test(
    `while guests send files, ${GUEST_ROUNDS} times, keeps what it acknowledged, and the room of the link is right`,
    async () => {
      const maxBytes = 1024 ** 3
      const serverData = await newServerData(engine)
      const port = await freePort()
      // Always the same port: guests keep the address of their link.
      const start = () => startServer(serverData, { PORT: String(port) })
      let server = await start()
      const { id } = await server.ada.call(createAlbum, { body: { title: 'Wedding' } })
      const link = await makeUploadLink(server.ada, id, { max_files: 10_000, max_bytes: maxBytes })
      const senders = await Promise.all(['Ann', 'Bo', 'Tom'].map(name => senderOf(server, link, name)))
      const storm = await GuestStorm.prepare(link)
      for (let round = 0; round < GUEST_ROUNDS; round++) {
        const before = storm.acknowledged.length
        const running = storm.run(senders)
        await expect
          .poll(() => storm.acknowledged.length, { timeout: 60_000, interval: 10 })
          .toBeGreaterThan(before + 1)
        await wait(Math.random() * 700)
        await server.kill()
        await running
        await endClaims(serverData)
        server = await start()
        await storm.verify(server.ada, serverData)
        // In every second round guests come back only after the next failure.
        if (round % 2 === 0) await storm.finishAll()
      }
      await storm.finishAll()
      await storm.verify(server.ada, serverData)
      await storm.verifyRoom(server.url, serverData, maxBytes)
      await server.stop()
      const left = (await filesBelow(join(serverData.dataFolder, 'uploads'))).map(name => name.replace(/\.json$/, ''))
      expect(left.filter(name => storm.finishedIds().has(name))).toEqual([])
    },
    long ? 3_600_000 : 180_000,
  )

  test('while it prepares a file goes on with it after a restart', async () => {
    const serverData = await newServerData(engine)
    const server = await startServer(serverData)
    const bytes = await makePicture({ width: 6_000, height: 4_000, format: 'png' })
    const { id } = await uploadFile(server.ada, { name: 'large.png', bytes })
    const claims = () => serverData.rows("select id from jobs where lease_token is not null and name = 'media.prepare'")
    await expect.poll(claims, { timeout: 30_000, interval: 10 }).toHaveLength(1)
    await server.kill()
    expect(await claims()).toHaveLength(1)
    await endClaims(serverData)
    const next = await startServer(serverData)
    expect(await untilPrepared(next.ada, id)).toMatchObject({ status: 'ready', width: 6_000, height: 4_000 })
    await next.stop()
    expect(await filesBelow(join(serverData.dataFolder, 'scratch'))).toEqual([])
  }, 180_000)
})
