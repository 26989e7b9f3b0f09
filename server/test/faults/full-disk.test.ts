import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmdirSync } from 'node:fs'
import { mkdir, open, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { createFolder } from '#contract/folders.ts'
import { health } from '#contract/health.ts'
import { getMedia, renameMedia } from '#contract/media.ts'
import { listMedia } from '#contract/media-list.ts'
import { makePicture } from '../fixtures/pictures.ts'
import { filesBelow } from '../fixtures/remains.ts'
import { beginResumable, finish, idOfUpload, sendChunk, uploadFile } from '../fixtures/uploads.ts'
import { oneEngine } from '../library.ts'
import { CallRefused } from '../visitor.ts'
import { newServerData, type ServerData, startServer } from './server-process.ts'
import { untilQuiet } from './upload-storm.ts'

const MEGABYTE = 1024 * 1024
const disk = mountSmallDisk()
afterAll(() => {
  if (!disk) return
  execFileSync('umount', ['--lazy', disk])
  rmdirSync(disk)
})

/** A tmpfs of 64 MB. Undefined if this account may not mount one. */
function mountSmallDisk(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'heirloom-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', folder], { stdio: 'ignore' })
    return folder
  } catch {
    rmdirSync(folder)
    return undefined
  }
}

/** Fills the disk until at most this many bytes are free. */
async function leaveRoomFor(bytes: number, ballast: string): Promise<void> {
  await rm(ballast, { force: true })
  const { bavail, bsize } = await statfs(join(ballast, '..'))
  const file = await open(ballast, 'w')
  const size = Math.max(0, bavail * bsize - bytes)
  try {
    for (let at = 0; at < size; at += MEGABYTE) await file.write(Buffer.alloc(Math.min(MEGABYTE, size - at)))
  } catch (error) {
    // The server writes too, even while the disk is being filled.
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  } finally {
    await file.close()
  }
}

async function consistent(serverData: ServerData): Promise<void> {
  const keys = (await serverData.rows('select key from media_parts')).map(row => String(row.key))
  const stored = await filesBelow(join(serverData.dataFolder, 'files'))
  expect(stored).toEqual(keys.toSorted())
  expect(await filesBelow(join(serverData.dataFolder, 'scratch'))).toEqual([])
}

async function photoOf(megabytes: number): Promise<Buffer> {
  return Buffer.concat([await makePicture(), randomBytes(megabytes * MEGABYTE)])
}

// With Postgres the database is elsewhere, and the files are written by the same code.
describe.each(oneEngine)('a disk that is full (%s)', engine => {
  test.skipIf(!disk)(
    'is answered with 507, keeps nothing by halves, and works again when there is room',
    async () => {
      const dataFolder = join(disk ?? '', engine)
      const ballast = join(disk ?? '', `${engine}.ballast`)
      await mkdir(dataFolder)
      const serverData = await newServerData(engine, dataFolder)
      const server = await startServer(serverData)
      const { ada } = server
      const first = await uploadFile(ada, { name: 'first.jpg', bytes: await photoOf(1) })
      await untilQuiet(serverData)

      const full = { status: 507, code: 'storage_full', message: 'The library has no room left.' }
      // From space for half a photo down to not enough for a folder.
      for (const room of [4 * MEGABYTE, 100_000, 8_192, 4_096, 0]) {
        await leaveRoomFor(room, ballast)
        await expect(uploadFile(ada, { name: 'second.jpg', bytes: await photoOf(8) }), `${room}`).rejects.toMatchObject(
          full,
        )
        // A small one may still fit.
        await uploadFile(ada, { name: 'third.jpg' }).catch(error => expect(error, `${room}`).toMatchObject(full))
      }
      // Reading still works, and failed writes report the full disk.
      expect((await ada.call(listMedia, { query: {} })).count).toBeGreaterThan(0)
      expect(await ada.call(getMedia, { params: { id: first.id } })).toMatchObject({ original_name: 'first.jpg' })
      const writes = [
        ada.call(renameMedia, { params: { id: first.id }, body: { newName: 'renamed.jpg' } }),
        ada.call(createFolder, { body: { name: 'No room' } }),
        beginResumable(ada, 100),
      ]
      for (const write of await Promise.allSettled(writes)) {
        if (write.status === 'rejected') expect(statusOf(write.reason)).toBe(507)
      }

      await rm(ballast)
      const again = await uploadFile(ada, { name: 'again.jpg', bytes: await photoOf(8) })
      expect(again).toMatchObject({ original_name: 'again.jpg' })
      expect(await ada.call(health)).toEqual({ status: 'ok' })
      await untilQuiet(serverData)
      await server.stop()
      const next = await startServer(serverData)
      await consistent(serverData)
      await next.stop()
      await rm(dataFolder, { recursive: true })
    },
    120_000,
  )

  test.skipIf(!disk)(
    'stops a resumable upload, which goes on when there is room',
    async () => {
      const dataFolder = join(disk ?? '', `${engine}-resumable`)
      const ballast = join(disk ?? '', `${engine}.ballast`)
      await mkdir(dataFolder)
      const serverData = await newServerData(engine, dataFolder)
      const server = await startServer(serverData)
      const bytes = await photoOf(8)
      const path = await beginResumable(server.ada, bytes.length)
      await leaveRoomFor(3 * MEGABYTE, ballast)
      const refused = await sendChunk(server.ada, path, 0, bytes)
      expect([refused.status, await refused.text()]).toEqual([507, expect.stringContaining('storage_full')])
      await rm(ballast)
      const where = await server.ada.fetch(path, { method: 'HEAD', headers: { 'tus-resumable': '1.0.0' } })
      const offset = Number(where.headers.get('upload-offset'))
      expect((await sendChunk(server.ada, path, offset, bytes.subarray(offset))).status).toBe(204)
      const { files } = await finish(server.ada, { originalName: 'resumed.jpg', uploadId: idOfUpload(path) })
      expect(files).toMatchObject([{ original_name: 'resumed.jpg', file_size: bytes.length }])
      await server.stop()
      await rm(dataFolder, { recursive: true })
    },
    120_000,
  )
})

function statusOf(error: unknown): number | undefined {
  if (error instanceof CallRefused) return error.status
  return Number(/: (\d{3})$/.exec(String(error))?.[1])
}
