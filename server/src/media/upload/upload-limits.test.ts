import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Upload } from '@tus/server'
import { expect, onTestFinished, test } from 'vitest'
import { uploads } from '#contract/limits.ts'
import { resumableUploadsPath } from '#contract/upload.ts'
import { makePicture } from '../../../test/fixtures/pictures.ts'
import { remainsOf } from '../../../test/fixtures/remains.ts'
import { beginResumable, finish, sendResumable } from '../../../test/fixtures/uploads.ts'
import { onBothEngines } from '../../../test/library.ts'
import type { Visitor } from '../../../test/visitor.ts'
import { openLocalStorage } from '../../storage/local/local-storage.ts'
import { createSigning } from '../../storage/signing.ts'
import { openResumableUploads } from './resumable.ts'
import { unfinishedInFolder } from './unfinished-in-folder.ts'
import { unfinishedInStorage } from './unfinished-in-storage.ts'
import { newUploadId } from './upload-id.ts'

const tus = { 'tus-resumable': '1.0.0' }
const GIGABYTE = 1024 ** 3

async function begin(person: Visitor, headers: Record<string, string>): Promise<{ status: number; code: unknown }> {
  const response = await person.fetch(resumableUploadsPath, { method: 'POST', headers: { ...tus, ...headers } })
  const text = await response.text()
  return { status: response.status, code: text.startsWith('{') ? JSON.parse(text).code : undefined }
}

onBothEngines('the limits of resumable uploads', library => {
  test('one person has only so many at once, also when all are begun at the same moment', async () => {
    const rose = await library().newMember()
    const tries = Array.from({ length: uploads.unfinishedPerPerson + 20 }, () =>
      begin(rose, { 'upload-length': '100' }),
    )
    const answers = await Promise.all(tries)
    const begun = answers.filter(({ status }) => status === 201)
    expect(begun).toHaveLength(uploads.unfinishedPerPerson)
    expect(answers.filter(({ status }) => status !== 201)).toEqual(Array(20).fill({ status: 409, code: 'conflict' }))
    // Others are not held up, and a place that is given up can be taken again.
    const other = await library().newMember()
    await finish(other, { originalName: 'a.jpg', uploadId: await sendResumable(other, await makePicture()) })
    const own = (await remainsOf(library())).uploads.map(name => name.split(/[/.]/).find(part => part.includes('-')))
    await rose.fetch(`${resumableUploadsPath}/${own[0]}`, { method: 'DELETE', headers: tus })
    expect(await begin(rose, { 'upload-length': '100' })).toMatchObject({ status: 201 })
  })

  test('no upload is longer than the longest file, or of a length that nobody knows', async () => {
    const rose = await library().newMember()
    const before = (await remainsOf(library())).uploads
    for (const length of [uploads.largestBytes + 1, 2 ** 50]) {
      const answer = await begin(rose, { 'upload-length': String(length) })
      expect(answer).toEqual({ status: 413, code: 'too_large' })
    }
    expect((await begin(rose, { 'upload-defer-length': '1' })).status).toBeGreaterThanOrEqual(400)
    expect((await remainsOf(library())).uploads).toEqual(before)
  })

  test('no more is promised than the disk can hold', async () => {
    if (library().config.s3) return
    const { bavail, bsize } = await statfs(library().config.dataFolder)
    const free = bavail * bsize
    if (free * 0.8 > uploads.largestBytes) return
    const [rose, ben] = [await library().newMember(), await library().newMember()]
    const most = Math.floor(free * 0.8)
    const path = await beginResumable(rose, most)
    for (const person of [rose, ben]) {
      expect(await begin(person, { 'upload-length': String(most) })).toEqual({ status: 507, code: 'storage_full' })
    }
    await rose.fetch(path, { method: 'DELETE', headers: tus })
    const again = await beginResumable(ben, most)
    await ben.fetch(again, { method: 'DELETE', headers: tus })
  })
})

test('what was promised to a sender that went away is free again after some minutes', async () => {
  const { folder } = await newFolder()
  let now = Date.now()
  const unfinished = await unfinishedInFolder(folder, () => now)
  const room = (await unfinished.room()) ?? 0
  await unfinished.store.create(new Upload({ id: newUploadId(7), size: 2 * GIGABYTE, offset: 0 }))
  expect(((await unfinished.room()) ?? 0) - room).toBeLessThan(-GIGABYTE)
  now += 11 * 60_000
  expect(((await unfinished.room()) ?? 0) - room).toBeGreaterThan(-GIGABYTE)
})

test('uploads in the storage are counted by person, whichever server began them', async () => {
  const { storage } = await newFolder()
  const servers = [unfinishedInStorage(storage), unfinishedInStorage(storage)]
  for (const unfinished of servers) openResumableUploads({ unfinished, origin: 'http://x', clock: Date.now })
  const [one, two] = servers
  await one?.store.create(new Upload({ id: newUploadId(77), size: 1, offset: 0 }))
  const withoutLimits = unfinishedInStorage(storage)
  const begun = Array.from({ length: uploads.unfinishedPerPerson }, () => newUploadId(7))
  await Promise.all(begun.map(id => withoutLimits.store.create(new Upload({ id, size: 1, offset: 0 }))))
  expect([await two?.countOf(7), await two?.countOf(77), await two?.countOf(1)]).toEqual([200, 1, 0])
  for (const unfinished of servers) {
    const more = unfinished.store.create(new Upload({ id: newUploadId(7), size: 1, offset: 0 }))
    await expect(more).rejects.toMatchObject({ code: 'conflict' })
  }
})

async function newFolder() {
  const home = await mkdtemp(join(tmpdir(), 'heirloom-limits-'))
  onTestFinished(() => rm(home, { recursive: true }))
  const signing = createSigning({ secret: randomBytes(32), clock: Date.now })
  return { folder: join(home, 'uploads'), storage: await openLocalStorage({ folder: join(home, 'files'), signing }) }
}
