import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import { describe, expect, onTestFinished, test } from 'vitest'
import { uploads } from '#contract/limits.ts'
import { deleteMedia } from '#contract/media.ts'
import { listMedia } from '#contract/media-list.ts'
import { resumableUploadsPath } from '#contract/upload.ts'
import { fetchFrom } from '../../../test/fixtures/addresses.ts'
import { memberOf } from '../../../test/fixtures/members.ts'
import { makeClientPictures, makePicture } from '../../../test/fixtures/pictures.ts'
import { remainsOf } from '../../../test/fixtures/remains.ts'
import {
  asFile,
  beginResumable,
  finish,
  idOfUpload,
  photoForm,
  plainForm,
  send,
  sendChunk,
  sendResumable,
} from '../../../test/fixtures/uploads.ts'
import { onOneEngine } from '../../../test/library.ts'
import { visitor } from '../../../test/visitor.ts'
import { openResumableUploads } from './resumable.ts'
import { unfinishedInFolder } from './resumable-in-folder.ts'

const tus = { 'tus-resumable': '1.0.0' }

test('a sender that falls silent in a resumable upload is cut off, and what came is kept', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'heirloom-resumable-'))
  const app = Fastify()
  onTestFinished(async () => {
    await app.close()
    await rm(folder, { recursive: true })
  })
  app.decorateRequest('caller', null)
  app.addHook('onRequest', async request => {
    request.caller = { id: 7, role: 'member', sessionId: 'x' }
  })
  const unfinished = await unfinishedInFolder(folder, Date.now)
  const uploads = openResumableUploads({ unfinished, origin: 'http://x', clock: Date.now, stallsAfterMs: 300 })
  await uploads.serve(app)
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const person = visitor(new URL(url))
  const path = await beginResumable(person, 1_000)

  const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined)
  const head = ['host: x', 'tus-resumable: 1.0.0', 'upload-offset: 0', 'content-type: application/offset+octet-stream']
  socket.write([`PATCH ${path} HTTP/1.1`, ...head, 'content-length: 1000', '', 'x'.repeat(100)].join('\r\n'))
  await once(socket, 'close')
  const offset = async () => {
    const where = await person.fetch(path, { method: 'HEAD', headers: tus })
    return where.headers.get('upload-offset')
  }
  await expect.poll(offset, { timeout: 10_000 }).toBe('100')
  expect((await sendChunk(person, path, 100, Buffer.alloc(900))).status).toBe(204)
})

onOneEngine('a resumable upload', library => {
  test('arrives in pieces, goes on where it stopped, and becomes a file by the ordinary call', async () => {
    const ben = await memberOf(library())
    const photo = await makePicture({ width: 300, format: 'png' })
    const path = await beginResumable(ben, photo.length)
    expect((await sendChunk(ben, path, 0, photo.subarray(0, 100))).status).toBe(204)
    const where = await ben.fetch(path, { method: 'HEAD', headers: tus })
    expect(where.headers.get('upload-offset')).toBe('100')
    expect((await sendChunk(ben, path, 50, photo.subarray(50))).status).toBe(409)
    expect((await sendChunk(ben, path, 100, photo.subarray(100))).status).toBe(204)
    const { files } = await finish(ben, { originalName: 'pieces.png', uploadId: idOfUpload(path) })
    expect(files).toMatchObject([{ original_name: 'pieces.png', mime_type: 'image/png', file_size: photo.length }])
    expect((await fetchFrom(library(), files[0]?.download_url)).bytes).toEqual(photo)
    expect((await remainsOf(library())).uploads).toEqual([])
  })

  test('finished twice gives the same file, even at the same moment', async () => {
    const ben = await memberOf(library())
    const uploadId = await sendResumable(ben, await makePicture())
    const fields = { originalName: 'twice.jpg', uploadId }
    const answers = await Promise.all([finish(ben, fields), finish(ben, fields), finish(ben, fields)])
    answers.push(await finish(ben, fields))
    const ids = answers.flatMap(({ files, duplicates }) => [...files, ...duplicates].map(file => file.id))
    expect(ids).toHaveLength(4)
    expect(new Set(ids).size).toBe(1)
  })

  test('carries the original while the pictures of it come with the form', async () => {
    const ben = await memberOf(library())
    const photo = await makePicture({ width: 500, height: 400 })
    const uploadId = await sendResumable(ben, photo)
    const form = new FormData()
    for (const [name, value] of photoForm('large.jpg', photo, await makeClientPictures(photo), { uploadId })) {
      if (typeof value === 'string') form.append(name, value)
      else if (!value.name.startsWith('full_')) form.append(name, value, value.name)
    }
    const { files } = await send(ben, form)
    expect(files).toMatchObject([{ original_name: 'large.jpg', status: 'ready', width: 500, height: 400 }])
  })

  test('carries the picture that browsers show of an original that they cannot', async () => {
    const ben = await memberOf(library())
    const original = await makePicture({ width: 500, height: 400, format: 'tiff' })
    const shown = await makePicture({ width: 500, height: 400 })
    const pictures = await makeClientPictures(shown)
    const ahead = async () => ({ convertedUploadId: await sendResumable(ben, shown) })
    const twice = photoForm('scan.tif', shown, pictures, await ahead())
    twice.append('files', asFile(original), 'original_scan.tif')
    await expect(send(ben, twice)).rejects.toMatchObject({ status: 400, code: 'malformed' })

    const form = new FormData()
    for (const [name, value] of photoForm('scan.tif', shown, pictures, await ahead())) {
      if (typeof value === 'string') form.append(name, value)
      else if (!value.name.startsWith('full_')) form.append(name, value, value.name)
    }
    form.append('files', asFile(original), 'original_scan.tif')
    const { files } = await send(ben, form)
    expect(files).toMatchObject([{ original_name: 'scan.tif', status: 'ready', mime_type: 'image/tiff' }])
    expect((await fetchFrom(library(), files[0]?.url)).bytes).toEqual(shown)
    expect((await fetchFrom(library(), files[0]?.download_url)).bytes).toEqual(original)
  })

  test('that has not arrived in full cannot be finished yet', async () => {
    const ben = await memberOf(library())
    const photo = await makePicture()
    const path = await beginResumable(ben, photo.length)
    await sendChunk(ben, path, 0, photo.subarray(0, 10))
    const fields = { originalName: 'half.jpg', uploadId: idOfUpload(path) }
    await expect(finish(ben, fields)).rejects.toMatchObject({ status: 409 })
    await sendChunk(ben, path, 10, photo.subarray(10))
    await expect(finish(ben, fields)).resolves.toMatchObject({ files: [{ original_name: 'half.jpg' }] })
  })

  test('with another hash than was said is refused, and may be finished rightly afterwards', async () => {
    const ben = await memberOf(library())
    const uploadId = await sendResumable(ben, await makePicture())
    const wrong = finish(ben, { originalName: 'hash.jpg', uploadId, hash: '0'.repeat(64) })
    await expect(wrong).rejects.toMatchObject({ status: 422, code: 'hash_mismatch' })
    await expect(finish(ben, { originalName: 'hash.jpg', uploadId })).resolves.toMatchObject({ files: [{}] })
  })

  test('of what is no photo is refused when it is finished', async () => {
    const ben = await memberOf(library())
    for (const bytes of [Buffer.from('<svg/>'), Buffer.alloc(0)]) {
      const path = await beginResumable(ben, bytes.length)
      if (bytes.length > 0) await sendChunk(ben, path, 0, bytes)
      const fields = { originalName: 'x.jpg', uploadId: idOfUpload(path) }
      await expect(finish(ben, fields)).rejects.toMatchObject({ status: 415 })
      await ben.fetch(path, { method: 'DELETE', headers: tus })
    }
  })

  test('takes no more than it was said to hold', async () => {
    const ben = await memberOf(library())
    const path = await beginResumable(ben, 10)
    expect((await sendChunk(ben, path, 0, Buffer.alloc(11))).status).toBe(413)
    expect((await sendChunk(ben, path, 0, Buffer.alloc(10))).status).toBe(204)
    expect((await sendChunk(ben, path, 10, Buffer.alloc(1))).status).toBe(413)
    expect((await sendChunk(ben, path, 0, Buffer.alloc(10))).status).toBe(409)
    expect((await ben.fetch(path, { method: 'HEAD', headers: tus })).headers.get('upload-offset')).toBe('10')
    await ben.fetch(path, { method: 'DELETE', headers: tus })
  })

  describe("of another person's does not exist:", () => {
    test('it cannot be finished, not even when it has become a file', async () => {
      const [ben, rose] = [await memberOf(library()), await memberOf(library(), 'rose')]
      const uploadId = await sendResumable(ben, await makePicture())
      const fields = { originalName: 'mine.jpg', uploadId }
      await expect(finish(rose, fields)).rejects.toMatchObject({ status: 404 })
      await finish(ben, fields)
      await expect(finish(rose, fields)).rejects.toMatchObject({ status: 404 })
    })

    test('it cannot be taken for a conversion, or given up by bytes that come beside its id', async () => {
      const [ben, rose] = [await memberOf(library()), await memberOf(library(), 'rose')]
      const uploadId = await sendResumable(ben, await makePicture())
      const stolen = plainForm('rose.jpg', await makePicture(), { convertedUploadId: uploadId })
      await expect(send(rose, stolen)).rejects.toMatchObject({ status: 404 })
      const beside = plainForm('rose.jpg', await makePicture(), { uploadId })
      beside.append('files', asFile(await makePicture()), 'original_rose.jpg')
      await expect(send(rose, beside)).rejects.toMatchObject({ status: 400 })
      const { files } = await finish(ben, { originalName: 'ben.jpg', uploadId })
      expect(files).toMatchObject([{ original_name: 'ben.jpg', uploaded_by: { username: 'ben' } }])
    })

    test('it can be neither seen, fetched, written to nor ended, however its address is written', async () => {
      const [ben, rose] = [await memberOf(library()), await memberOf(library(), 'rose')]
      const photo = await makePicture()
      const theirs = await beginResumable(ben, photo.length)
      const mine = await beginResumable(rose, photo.length)
      const disguises = [
        theirs,
        `${theirs}/`,
        `${resumableUploadsPath}?/${idOfUpload(theirs)}`,
        `${mine}?/${idOfUpload(theirs)}`,
        `${mine}/${idOfUpload(theirs)}`,
        `${mine}%2f..%2f${idOfUpload(theirs)}`,
        `${resumableUploadsPath}/./${idOfUpload(theirs)}`,
        `${resumableUploadsPath}//${idOfUpload(theirs)}`,
      ]
      for (const path of disguises) {
        for (const method of ['HEAD', 'GET', 'DELETE']) {
          const response = await rose.fetch(path, { method, headers: tus })
          // One's own upload may be read and changed; it is created again below.
          if (!path.startsWith(mine)) expect(response.status, `${method} ${path}`).toBeGreaterThanOrEqual(400)
        }
        await sendChunk(rose, path, 0, Buffer.from('stolen'))
      }
      const where = await ben.fetch(theirs, { method: 'HEAD', headers: tus })
      expect(where.headers.get('upload-offset')).toBe('0')
    })

    test('an id that is a path leads nowhere', async () => {
      const ben = await memberOf(library())
      for (const uploadId of ['../heirloom.db', '..', `1-${'../'.repeat(12)}`, '1-e/../../heirloom.lock']) {
        await expect(finish(ben, { originalName: 'x.jpg', uploadId })).rejects.toMatchObject({
          status: expect.toSatisfy((status: number) => status === 404 || status === 400),
        })
        const form = plainForm('x.jpg', await makePicture(), { uploadId })
        await expect(send(ben, form)).rejects.toMatchObject({ code: expect.stringMatching(/not_found|malformed/) })
      }
      expect((await library().anyone.fetch('/healthz')).status).toBe(200)
    })
  })

  test('that became a file which was deleted cannot be finished again', async () => {
    const ben = await memberOf(library())
    const fields = { originalName: 'gone.jpg', uploadId: await sendResumable(ben, await makePicture()) }
    const { files } = await finish(ben, fields)
    await ben.call(deleteMedia, { params: { id: files[0]?.id ?? 0 } })
    await expect(finish(ben, fields)).rejects.toMatchObject({ status: 404 })
  })

  test('needs a session like everything else', async () => {
    const begun = await library().anyone.fetch(resumableUploadsPath, { method: 'POST', headers: tus })
    expect(begun.status).toBe(401)
  })

  test('that is left alone is swept after a day, whether or not it had arrived in full', async () => {
    const ben = await memberOf(library())
    const whole = await sendResumable(ben, await makePicture())
    const half = idOfUpload(await beginResumable(ben, 1_000))
    expect((await remainsOf(library())).uploads.join()).toContain(whole)
    library().pass(uploads.unfinishedTtl + 3_600_001)
    await expect.poll(async () => (await remainsOf(library())).uploads, { timeout: 30_000 }).toEqual([])
    for (const uploadId of [whole, half]) {
      await expect(finish(ben, { originalName: 'late.jpg', uploadId })).rejects.toMatchObject({ status: 404 })
    }
    expect((await ben.call(listMedia, { query: { search: 'late.jpg' } })).files).toEqual([])
  })
})
