import { describe, expect, test } from 'vitest'
import { logOut } from '#contract/auth.ts'
import { listMedia } from '#contract/media-list.ts'
import { revokePerson } from '#contract/people.ts'
import { uploadMedia } from '#contract/upload.ts'
import { memberOf } from '../../../test/fixtures/members.ts'
import { makePicture } from '../../../test/fixtures/pictures.ts'
import { remainsAtRest, remainsOf } from '../../../test/fixtures/remains.ts'
import { untilPrepared } from '../../../test/fixtures/uploads.ts'
import { onBothEngines, type SignedIn } from '../../../test/library.ts'

const soon = { timeout: 10_000 }

interface SlowUpload {
  answer: Promise<Response>
  /** Sends the rest of the photo. */
  complete(): void
  hangUp(): void
}

/** An upload whose first part is sent; the rest is sent by `complete`. */
async function beginUpload(person: SignedIn): Promise<SlowUpload> {
  const photo = await makePicture({ width: 600, height: 400, format: 'png' })
  const head = '--b\r\ncontent-disposition: form-data; name="files"; filename="slow.png"\r\n\r\n'
  const connection = new AbortController()
  let complete = () => {}
  const body = new ReadableStream({
    start(stream) {
      stream.enqueue(Buffer.from(head))
      stream.enqueue(photo.subarray(0, 500))
      complete = () => {
        stream.enqueue(photo.subarray(500))
        stream.enqueue(Buffer.from('\r\n--b--\r\n'))
        stream.close()
      }
    },
  })
  const answer = person.fetch(uploadMedia.path, {
    method: 'POST',
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
    body,
    duplex: 'half',
    signal: connection.signal,
  })
  answer.catch(() => undefined)
  return { answer, complete: () => complete(), hangUp: () => connection.abort() }
}

onBothEngines('an upload that is interrupted', library => {
  const scratch = async () => (await remainsOf(library())).scratch

  test('by a broken connection leaves nothing', async () => {
    const ben = await memberOf(library())
    const before = await remainsAtRest(library())
    const uploads = await Promise.all([1, 2, 3].map(() => beginUpload(ben)))
    await expect.poll(scratch, soon).toHaveLength(3)
    for (const upload of uploads) upload.hangUp()
    await expect.poll(() => remainsOf(library()), soon).toEqual(before)
  })

  test('by nothing but a pause becomes a file', async () => {
    const ben = await memberOf(library())
    const upload = await beginUpload(ben)
    await expect.poll(scratch, soon).toHaveLength(1)
    expect((await ben.call(listMedia, { query: { search: 'slow.png' } })).files).toEqual([])
    upload.complete()
    expect((await upload.answer).status).toBe(201)
    const { files } = await ben.call(listMedia, { query: { search: 'slow.png' } })
    expect(files).toHaveLength(1)
    await untilPrepared(ben, files[0]?.id ?? 0)
    // Preparing uses the scratch folder too.
    await expect.poll(scratch, soon).toEqual([])
  })

  describe.each(['a revocation', 'a logout'] as const)('by %s', interruption => {
    /** The interruption writes its own audit lines, so they are not compared. */
    async function remainsOfUploads() {
      const { auditLines: _, ...remains } = await remainsAtRest(library())
      return { ...remains, audited: await library().rows("select id from audit_log where action = 'media.upload'") }
    }

    async function interrupt(person: SignedIn): Promise<void> {
      if (interruption === 'a logout') return void (await person.call(logOut))
      const ada = await library().admin()
      await ada.call(revokePerson, { params: { id: await library().idOf(person.person) } })
    }

    test('ends without waiting for the rest, and leaves nothing', async () => {
      const person = await library().newMember()
      const upload = await beginUpload(person)
      await expect.poll(scratch, soon).toHaveLength(1)
      const before = await remainsOfUploads()
      await interrupt(person)
      expect((await upload.answer).status).toBe(401)
      await expect.poll(remainsOfUploads, soon).toEqual({ ...before, scratch: [] })
    })

    test('is refused even when the rest came at that very moment', async () => {
      const person = await library().newMember()
      const upload = await beginUpload(person)
      await expect.poll(scratch, soon).toHaveLength(1)
      const before = await remainsOfUploads()
      await interrupt(person)
      upload.complete()
      expect((await upload.answer).status).toBe(401)
      await expect.poll(remainsOfUploads, soon).toEqual({ ...before, scratch: [] })
    })
  })
})
