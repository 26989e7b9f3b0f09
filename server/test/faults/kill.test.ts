import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { createAlbum } from '#contract/albums.ts'
import { undoChange } from '#contract/changes.ts'
import { changeDates } from '#contract/dates.ts'
import type { CallInput } from '#contract/endpoint.ts'
import { bulkChanges } from '#contract/limits.ts'
import { listMedia } from '#contract/media-list.ts'
import { connect } from '#server/db/database.ts'
import { makeUploadLink, senderOf } from '../fixtures/guests.ts'
import { insertMedia } from '../fixtures/insert-media.ts'
import { makePicture } from '../fixtures/pictures.ts'
import { filesBelow } from '../fixtures/remains.ts'
import { untilPrepared, uploadFile } from '../fixtures/uploads.ts'
import { freePort } from '../free-port.ts'
import { oneEngine } from '../library.ts'
import { CallRefused, type Visitor } from '../visitor.ts'
import { GuestStorm } from './guest-storm.ts'
import { newServerData, type ServerData, startServer } from './server-process.ts'
import { endClaims, UploadStorm, untilQuiet } from './upload-storm.ts'

const long = Boolean(process.env.LONG)
const ROUNDS = long ? 50 : 2
const GUEST_ROUNDS = long ? 50 : 2
const CHANGE_ROUNDS = long ? 50 : 3

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

  test(
    `while dates of ${2 * bulkChanges.files} files are changed and undone, ${CHANGE_ROUNDS} times, leaves no call half done, and the rest can be undone`,
    async () => {
      const serverData = await newServerData(engine)
      const halves = await insertFiles(serverData, [bulkChanges.files, bulkChanges.files])
      const count = async (from: string) =>
        Number((await serverData.rows(`select count(*) as count from ${from}`))[0]?.count)
      const corrected = (ids: readonly number[]) =>
        count(`media where date_source = 'person' and id between ${ids[0]} and ${ids.at(-1)}`)
      for (let round = 0; round < CHANGE_ROUNDS; round++) {
        const server = await startServer(serverData)
        const running = changeAndUndo(server.ada, halves)
        await wait(Math.random() * 2_000)
        await server.kill()
        await running
        for (const half of halves) expect([0, half.length]).toContain(await corrected(half))
        const filesOf = 'from change_files where change_id = changes.id'
        const lines = `select count(*) from audit_log where change_id = changes.id and action = 'media.date'`
        expect(
          await count(`changes where files <> (select count(*) ${filesOf}) or 1 <> (${lines})
            or undone <> (select count(*) ${filesOf} and undone_at is not null)`),
        ).toBe(0)
        const next = await startServer(serverData)
        for (const { id } of await serverData.rows('select id from changes where undone < files')) {
          await next.ada.call(undoChange, { params: { id: Number(id) } })
        }
        expect(await corrected(halves.flat())).toBe(0)
        await next.stop()
      }
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

async function insertFiles(serverData: ServerData, counts: readonly number[]): Promise<number[][]> {
  const { databaseUrl: url, dataFolder, rows } = serverData
  const db = await connect({ url, dataFolder })
  const files = counts.map(length => Array.from({ length }, (_, i) => ({ name: `${i}.jpg` })))
  const inserted: number[][] = []
  for (const some of files) inserted.push(await insertMedia({ rows, database: async () => db }, some))
  await db.close()
  return inserted
}

/** As one change of several calls, again and again until the server is gone. */
async function changeAndUndo(ada: Visitor, parts: readonly number[][]): Promise<void> {
  for (;;) {
    let changeId: number | null = null
    try {
      for (const fileIds of parts) {
        const change = { kind: 'set', edtf: '1974' } as const
        const body: CallInput<typeof changeDates>['body'] = { fileIds, change, continues: changeId }
        changeId = (await ada.call(changeDates, { body })).change_id
      }
      await ada.call(undoChange, { params: { id: changeId ?? 0 } })
    } catch (error) {
      if (error instanceof CallRefused) throw error
      return
    }
  }
}
