import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { Upload } from '@tus/server'
import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { rateLimits, uploads } from '#contract/limits.ts'
import { revokePerson } from '#contract/people.ts'
import { resumableUploadsPath } from '#contract/upload.ts'
import { makePicture } from '../../../test/fixtures/pictures.ts'
import { remainsOf } from '../../../test/fixtures/remains.ts'
import { beginResumable, finish, sendChunk, sendResumable } from '../../../test/fixtures/uploads.ts'
import { onBothEngines } from '../../../test/library.ts'
import { type Visitor, visitor } from '../../../test/visitor.ts'
import { OpenRequests } from '../../kit/open-requests.ts'
import { memoryRateLimiter } from '../../kit/rate-limiter.ts'
import { registerSessionGuard } from '../../kit/serve.ts'
import { openLocalStorage } from '../../storage/local/local-storage.ts'
import { createSigning } from '../../storage/signing.ts'
import { openResumableUploads } from './resumable.ts'
import { unfinishedInFolder } from './resumable-in-folder.ts'
import { unfinishedInStorage } from './resumable-in-storage.ts'
import { newUploadId, ownerIdOfGuest } from './resumable-store.ts'

const tus = { 'tus-resumable': '1.0.0' }
const GIGABYTE = 1024 ** 3

async function begin(person: Visitor, headers: Record<string, string>): Promise<{ status: number; code: unknown }> {
  const response = await person.fetch(resumableUploadsPath, { method: 'POST', headers: { ...tus, ...headers } })
  const text = await response.text()
  return { status: response.status, code: text.startsWith('{') ? JSON.parse(text).code : undefined }
}

onBothEngines('the limits of resumable uploads', library => {
  test("the uploads of somebody whose access is revoked are removed at once, and nobody else's", async () => {
    const [rose, ben, ada] = [await library().newMember(), await library().newMember(), await library().admin()]
    const idOf = (path: string) => path.split('/').at(-1) ?? ''
    const own = [idOf(await beginResumable(rose, 100)), await sendResumable(rose, Buffer.from('all of it'))]
    const other = idOf(await beginResumable(ben, 100))
    const isHeld = async (id: string) => (await remainsOf(library())).uploads.some(name => name.includes(id))
    expect(await Promise.all([...own, other].map(isHeld))).toEqual([true, true, true])
    await ada.call(revokePerson, { params: { id: await library().idOf(rose.person) } })
    await expect.poll(() => Promise.all(own.map(isHeld)), { timeout: 15_000 }).toEqual([false, false])
    expect(await isHeld(other)).toBe(true)
    await ben.fetch(`${resumableUploadsPath}/${other}`, { method: 'DELETE', headers: tus })
  })

  test('one person has only so many at once, also when all are begun at the same moment', async () => {
    const rose = await library().newMember()
    const tries = Array.from({ length: uploads.unfinishedPerPerson + 20 }, () =>
      begin(rose, { 'upload-length': '100' }),
    )
    const answers = await Promise.all(tries)
    const begun = answers.filter(({ status }) => status === 201)
    expect(begun).toHaveLength(uploads.unfinishedPerPerson)
    expect(answers.filter(({ status }) => status !== 201)).toEqual(Array(20).fill({ status: 409, code: 'conflict' }))
    // Other people are not affected, and a slot that was released can be used again.
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
    // As few uploads as can fill the disk, within the maximum file size; about half of one upload's size stays free.
    const count = Math.floor(free / uploads.largestBytes) + 1
    const length = Math.floor(free / (count + 0.5))
    const [rose, ben] = [await library().newMember(), await library().newMember()]
    const paths: string[] = []
    while (paths.length < count) paths.push(await beginResumable(rose, length))
    expect(await begin(rose, { 'upload-length': String(length) })).toEqual({ status: 507, code: 'storage_full' })
    // Reserved but unused space must not keep another person's photo out.
    const photo = await beginResumable(ben, 5_000_000)
    await ben.fetch(photo, { method: 'DELETE', headers: tus })
    for (const path of paths) await rose.fetch(path, { method: 'DELETE', headers: tus })
    const again = await beginResumable(ben, length)
    await ben.fetch(again, { method: 'DELETE', headers: tus })
  })
})

test('on a disk of any size the promises end where its free space does', async () => {
  for (const gigabytes of [4, 400, 4_000]) {
    const { folder } = await newFolder()
    const bsize = 4096
    const blocks = (gigabytes * GIGABYTE) / bsize
    const unfinished = await unfinishedInFolder(folder, Date.now, {
      diskOf: async () => ({ bsize, blocks: 2 * blocks, bavail: blocks }),
    })
    openResumableUploads({ unfinished, origin: 'http://x', clock: Date.now })
    const size = Math.min(uploads.largestBytes, gigabytes * GIGABYTE * 0.4)
    const begun = await Promise.allSettled(
      Array.from({ length: 20 }, () => unfinished.store.create(newUpload(7, size))),
    )
    const created = begun.filter(({ status }) => status === 'fulfilled')
    expect([gigabytes, created.length]).toEqual([gigabytes, Math.floor((gigabytes * GIGABYTE - GIGABYTE / 2) / size)])
    for (const one of begun) if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'storage_full' })
  }
})

test('the promises of one person take at most a quarter of the free space from the others', async () => {
  const { folder } = await newFolder()
  const unfinished = await unfinishedInFolder(folder, Date.now, {
    diskOf: async () => ({ bsize: 1, blocks: 2_000_000, bavail: 1_000_000 }),
  })
  const before = await unfinished.freeBytesFor(8)
  for (let i = 0; i < 9; i++) await unfinished.store.create(newUpload(7, 100_000))
  expect(await unfinished.freeBytesFor(7)).toBe(before - 900_000)
  expect(await unfinished.freeBytesFor(8)).toBe(before * 0.75)
})

test('the promises of all guests together take no more than those of one person', async () => {
  const { folder } = await newFolder()
  const unfinished = await unfinishedInFolder(folder, Date.now, {
    diskOf: async () => ({ bsize: 1, blocks: 2_000_000, bavail: 1_000_000 }),
  })
  const before = await unfinished.freeBytesFor(8)
  for (let i = 1; i <= 9; i++) await unfinished.store.create(newUpload(ownerIdOfGuest(i), 100_000))
  expect(await unfinished.freeBytesFor(ownerIdOfGuest(10))).toBe(before - 900_000)
  expect(await unfinished.freeBytesFor(8)).toBe(before * 0.75)
})

test('what is promised in a store is bounded too, and one person takes at most a quarter of it from the others', async () => {
  const { storage } = await newFolder()
  const unfinished = unfinishedInStorage(storage, { maxBytes: 1_000_000 })
  openResumableUploads({ unfinished, origin: 'http://x', clock: Date.now })
  const begin = (personId: number) => unfinished.store.create(newUpload(personId, 100_000))
  const begun = await Promise.allSettled(Array.from({ length: 15 }, () => begin(7)))
  expect(begun.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
  for (const one of begun) if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'storage_full' })
  expect([await unfinished.freeBytesFor(7), await unfinished.freeBytesFor(8)]).toEqual([0, 750_000])
  // The reservation of inactive uploads expires, as on a disk.
  const later = unfinishedInStorage(storage, { maxBytes: 1_000_000, clock: () => Date.now() + 11 * 60_000 })
  expect(await later.freeBytesFor(7)).toBe(1_000_000)
})

test('bytes that arrived in a store count until they are removed, however long their sender is silent', async () => {
  const { storage } = await newFolder()
  let now = Date.now()
  const unfinished = unfinishedInStorage(storage, { maxBytes: 1_000_000, clock: () => now })
  const [whole, part] = [newUpload(7, 400_000), newUpload(7, 400_000)]
  for (const upload of [whole, part]) await unfinished.store.create(upload)
  await unfinished.store.write(Readable.from([Buffer.alloc(400_000)]), whole.id, 0)
  await unfinished.store.write(Readable.from([Buffer.alloc(100_000)]), part.id, 0)
  // Half is stored, the rest of the second is reserved: for others that blocks at most a quarter of the free space.
  expect([await unfinished.freeBytesFor(7), await unfinished.freeBytesFor(8)]).toEqual([200_000, 375_000])
  now += 11 * 60_000
  expect([await unfinished.freeBytesFor(7), await unfinished.freeBytesFor(8)]).toEqual([500_000, 500_000])
  await unfinished.store.remove(whole.id)
  expect(await unfinished.freeBytesFor(7)).toBe(900_000)
})

test.each(['folder', 'storage'])('the uploads of one person are removed, and no others (%s)', async place => {
  const { folder, storage } = await newFolder()
  const unfinished = place === 'folder' ? await unfinishedInFolder(folder, Date.now) : unfinishedInStorage(storage)
  const { removeAllOf } = openResumableUploads({ unfinished, origin: 'http://x', clock: Date.now })
  for (const personId of [7, 7, 77]) await unfinished.store.create(newUpload(personId, 1))
  await removeAllOf(7)
  expect([await unfinished.countOwnedBy(7), await unfinished.countOwnedBy(77)]).toEqual([0, 1])
})

test.each(['folder', 'storage'])(
  'many uploads that one person begins at once do not delay another (%s)',
  async place => {
    const { folder, storage } = await newFolder()
    const unfinished = place === 'folder' ? await unfinishedInFolder(folder, Date.now) : unfinishedInStorage(storage)
    openResumableUploads({ unfinished, origin: 'http://x', clock: Date.now })
    const done: number[] = []
    const begin = (personId: number) => unfinished.store.create(newUpload(personId, 1)).then(() => done.push(personId))
    await Promise.all([...Array.from({ length: 100 }, () => begin(7)), begin(8)])
    expect(done).toHaveLength(101)
    expect(done.indexOf(8)).toBeLessThan(20)
  },
)

test('an account begins only so many a minute, and another is not held up by that', async () => {
  const { folder } = await newFolder()
  const app = Fastify({ forceCloseConnections: true })
  onTestFinished(() => app.close())
  registerSessionGuard(app, {
    openRequests: new OpenRequests(),
    // A fixed clock keeps the whole test in one window.
    limiter: memoryRateLimiter(rateLimits.window, () => 1),
    anonymousCosts: { spend: () => undefined, refund: () => undefined },
    authenticate: async token => ({ id: Number(token.slice(-1)), role: 'member', sessionId: token }),
    endOfSession: async () => undefined,
  })
  const unfinished = await unfinishedInFolder(folder, Date.now)
  await openResumableUploads({ unfinished, origin: 'http://x', clock: Date.now }).serve(app)
  const url = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
  const [rose, ben] = [visitor(url, `${'a'.repeat(42)}1`), visitor(url, `${'a'.repeat(42)}2`)]
  const path = await beginResumable(rose, 1_000)
  // Rejected requests count too.
  const tooLong = { 'upload-length': String(2 ** 50) }
  for (let begun = 1; begun < rateLimits.uploadsBegun; begun += 109) {
    const answers = await Promise.all(Array.from({ length: 109 }, () => begin(rose, tooLong)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([413]))
  }
  expect((await begin(rose, { 'upload-length': '1' })).status).toBe(429)
  expect((await begin(ben, { 'upload-length': '1' })).status).toBe(201)
  // Uploads that were already started continue.
  expect((await sendChunk(rose, path, 0, Buffer.alloc(1_000))).status).toBe(204)
})

test('nothing is known of the size of an upload after its end, or before it is described', async () => {
  const { folder } = await newFolder()
  const unfinished = await unfinishedInFolder(folder, Date.now, {
    diskOf: async () => ({ bsize: 1, blocks: 100, bavail: 10_000 }),
  })
  const id = newUploadId(7)
  const room = await unfinished.freeBytesFor(7)
  const claimed = async () => room - (await unfinished.freeBytesFor(7))
  await unfinished.store.create(new Upload({ id, size: 2_000, offset: 0 }))
  expect(await claimed()).toBe(2_000)
  await unfinished.store.remove(id)
  expect(await claimed()).toBe(0)
  await writeFile(join(folder, id), '')
  expect(await claimed()).toBe(0)
  await unfinished.store.create(new Upload({ id, size: 3_000, offset: 0 }))
  expect(await claimed()).toBe(3_000)
})

test('what was promised to a sender that went away is free again after some minutes', async () => {
  const { folder } = await newFolder()
  let now = Date.now()
  const unfinished = await unfinishedInFolder(folder, () => now)
  const room = await unfinished.freeBytesFor(7)
  await unfinished.store.create(newUpload(7, 2 * GIGABYTE))
  expect((await unfinished.freeBytesFor(7)) - room).toBeLessThan(-GIGABYTE)
  now += 11 * 60_000
  expect((await unfinished.freeBytesFor(7)) - room).toBeGreaterThan(-GIGABYTE)
})

test('uploads in the storage are counted by person, whichever server began them', async () => {
  const { storage } = await newFolder()
  const servers = [unfinishedInStorage(storage), unfinishedInStorage(storage)]
  for (const unfinished of servers) openResumableUploads({ unfinished, origin: 'http://x', clock: Date.now })
  const [one, two] = servers
  await one?.store.create(newUpload(77, 1))
  const withoutLimits = unfinishedInStorage(storage)
  const begun = Array.from({ length: uploads.unfinishedPerPerson }, () => newUploadId(7))
  await Promise.all(begun.map(id => withoutLimits.store.create(new Upload({ id, size: 1, offset: 0 }))))
  expect([await two?.countOwnedBy(7), await two?.countOwnedBy(77), await two?.countOwnedBy(1)]).toEqual([200, 1, 0])
  for (const unfinished of servers) {
    const more = unfinished.store.create(newUpload(7, 1))
    await expect(more).rejects.toMatchObject({ code: 'conflict' })
  }
})

function newUpload(personId: number, size: number): Upload {
  return new Upload({ id: newUploadId(personId), size, offset: 0 })
}

async function newFolder() {
  const home = await mkdtemp(join(tmpdir(), 'heirloom-limits-'))
  onTestFinished(() => rm(home, { recursive: true }))
  const signing = createSigning({ secret: randomBytes(32), clock: Date.now })
  return { folder: join(home, 'uploads'), storage: await openLocalStorage({ folder: join(home, 'files'), signing }) }
}
