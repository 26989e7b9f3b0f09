import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { Upload } from '@tus/server'
import { expect, onTestFinished, test } from 'vitest'
import { chunksOf, keysIn } from '../../../test/storage-contents.ts'
import { newName, pathBelow, rootFolder } from '../../kit/safe-path.ts'
import { openLocalStorage } from '../../storage/local/local-storage.ts'
import { createSigning } from '../../storage/signing.ts'
import { unfinishedInFolder } from './resumable-in-folder.ts'
import { unfinishedInStorage } from './resumable-in-storage.ts'
import { newUploadId, type UploadId } from './resumable-store.ts'

const id = newUploadId(7)
const MEGABYTE = 1024 * 1024

test('an upload is a row of pieces, which any server puts together', async () => {
  const { storage, unfinished, folder } = await open()
  const bytes = randomBytes(20 * MEGABYTE + 5)
  await unfinished.store.create(new Upload({ id, size: bytes.length, offset: 0, metadata: { filename: 'film.mp4' } }))
  const chunks = Array.from({ length: 21 }, (_, i) => bytes.subarray(i * MEGABYTE, (i + 1) * MEGABYTE))
  expect(await unfinished.store.write(Readable.from(chunks.slice(0, 17)), id, 0)).toBe(17 * MEGABYTE)
  const another = unfinishedInStorage(storage)
  expect(await another.store.getUpload(id)).toMatchObject({
    offset: 17 * MEGABYTE,
    size: bytes.length,
    metadata: { filename: 'film.mp4' },
  })
  await another.store.write(Readable.from(chunks.slice(17)), id, 17 * MEGABYTE)
  expect(await keysIn(storage)).toHaveLength(5)
  const path = pathBelow(rootFolder(folder), 'whole')
  await unfinished.copyTo(id, path)
  expect(bytes.equals(await readFile(path))).toBe(true)
  await unfinished.remove(id)
  expect(await keysIn(storage)).toEqual([])
})

test('many slow uploads hold little in memory: their bytes are stored in smaller pieces', async () => {
  const { storage } = await open()
  const { store } = unfinishedInStorage(storage, { maxInMemory: MEGABYTE })
  const slow = Array.from({ length: 5 }, () => ({ id: newUploadId(7), source: new PassThrough() }))
  const written: Promise<number>[] = []
  for (const { id, source } of slow) {
    await store.create(new Upload({ id, size: 2 * MEGABYTE, offset: 0 }))
    written.push(store.write(source, id, 0))
    source.write(randomBytes(MEGABYTE))
  }
  const arrived = async () => {
    const offsets = await Promise.all(slow.map(async ({ id }) => (await store.getUpload(id)).offset))
    return offsets.reduce((sum, offset) => sum + offset)
  }
  await expect.poll(arrived).toBeGreaterThanOrEqual(3 * MEGABYTE)
  for (const { source } of slow) source.end(randomBytes(MEGABYTE))
  expect(await Promise.all(written)).toEqual(Array(5).fill(2 * MEGABYTE))
  expect(await arrived()).toBe(10 * MEGABYTE)
  // What is stored is in memory no more: the next one is whole again.
  const later = newUploadId(7)
  await store.create(new Upload({ id: later, size: MEGABYTE, offset: 0 }))
  await store.write(Readable.from([randomBytes(MEGABYTE / 2), randomBytes(MEGABYTE / 2)]), later, 0)
  expect(await keysIn(storage, `uploads/${later}/`)).toHaveLength(2)
})

test('a piece after a gap does not count, and an existing piece is never overwritten', async () => {
  const { storage, unfinished } = await open()
  await unfinished.store.create(new Upload({ id, size: 30, offset: 0 }))
  await unfinished.store.write(Readable.from([Buffer.alloc(10)]), id, 0)
  await unfinished.store.write(Readable.from([Buffer.alloc(10)]), id, 20)
  expect(await unfinished.store.getUpload(id)).toMatchObject({ offset: 10 })
  // A stale request of the same upload, on a server that has not noticed yet that it was superseded.
  await expect(unfinished.store.write(Readable.from([Buffer.alloc(5)]), id, 0)).rejects.toMatchObject({
    code: 'conflict',
  })
  await unfinished.store.write(Readable.from([Buffer.alloc(10)]), id, 10)
  expect(await unfinished.store.getUpload(id)).toMatchObject({ offset: 30 })
  await storage.put('originals/other.jpg', chunksOf('x'))
  const [only, ...others] = await Array.fromAsync(unfinished.list())
  expect([only?.uploadId, others]).toEqual([id, []])
})

test('an upload that nobody began is not there', async () => {
  const { unfinished } = await open()
  await expect(unfinished.store.getUpload(id)).rejects.toMatchObject({ status_code: 404 })
})

test.each(['folder', 'storage'] as const)(
  'no id but an exact one reaches a %s, whatever its type says',
  async place => {
    const { storage, folder, unfinished: chunks } = await open()
    const unfinished = place === 'storage' ? chunks : await unfinishedInFolder(join(folder, 'uploads'), Date.now)
    await storage.put('originals/precious.jpg', chunksOf('bytes'))
    await writeFile(join(folder, 'heirloom.db'), 'rows')
    const uuid = '0f8fad5b-d9cb-469f-a165-70867728950e'
    const names = ['../heirloom.db', '../files/originals/precious.jpg', '..', '../originals', `7-${uuid}/..`, '7-a']
    for (const name of names) {
      await expect(unfinished.store.getUpload(name)).rejects.toMatchObject({ status_code: 404 })
      await expect(unfinished.store.remove(name)).rejects.toMatchObject({ status_code: 404 })
      await expect(unfinished.store.write(Readable.from([Buffer.alloc(1)]), name, 0)).rejects.toMatchObject({
        status_code: 404,
      })
      const begun = unfinished.store.create(new Upload({ id: name, size: 1, offset: 0 }))
      await expect(begun).rejects.toMatchObject({ status_code: 404 })
      // Names that a type cast would allow must fail or find nothing.
      await unfinished.remove(name as UploadId).catch(() => undefined)
      const copy = unfinished.copyTo(name as UploadId, pathBelow(rootFolder(folder), newName()))
      await copy.catch(() => undefined)
    }
    expect(await keysIn(storage, 'originals/')).toEqual(['originals/precious.jpg'])
    expect(await readFile(join(folder, 'heirloom.db'), 'utf8')).toBe('rows')
  },
)

async function open() {
  const folder = await mkdtemp(join(tmpdir(), 'heirloom-pieces-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const signing = createSigning({ secret: randomBytes(32), clock: Date.now })
  const storage = await openLocalStorage({ folder: join(folder, 'files'), signing })
  return { storage, unfinished: unfinishedInStorage(storage), folder }
}
