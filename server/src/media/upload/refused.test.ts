import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { uploads } from '#contract/limits.ts'
import { uploadMedia } from '#contract/upload.ts'
import { clipMaker } from '../../../test/fixtures/clips.ts'
import { memberOf } from '../../../test/fixtures/members.ts'
import { makePicture } from '../../../test/fixtures/pictures.ts'
import { remainsAtRest } from '../../../test/fixtures/remains.ts'
import {
  asFile,
  finish,
  photoForm,
  plainForm,
  send,
  sendResumable,
  untilPrepared,
} from '../../../test/fixtures/uploads.ts'
import { onOneEngine, type SignedIn } from '../../../test/library.ts'
import { sound } from '../../../test/processing/video-clips.ts'

const formHeaders = { 'content-type': 'multipart/form-data; boundary=x' }

/** An upload request whose form never ends. */
function openForm(person: SignedIn) {
  const aborted = new AbortController()
  const body = new ReadableStream<Uint8Array>({ start: sent => sent.enqueue(Buffer.from('--x\r\n')) })
  const call = { method: 'POST', headers: formHeaders, body, duplex: 'half', signal: aborted.signal }
  const status = person.fetch(uploadMedia.path, call as RequestInit).then(response => response.status)
  status.catch(() => undefined)
  return { status, end: () => aborted.abort() }
}

const notMedia = {
  'a drawing that could run scripts': Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
  ),
  'a page': Buffer.from('<!doctype html><script>alert(1)</script>'),
  'a playlist': Buffer.from('#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n'),
  'a list of files to join': Buffer.from("ffconcat version 1.0\nfile '/etc/passwd'\n"),
  'an archive': Buffer.from('PK\x03\x04\x14\0\0\0\x08\0', 'latin1'),
  'a document': Buffer.from('%PDF-1.7\n%âãÏÓ\n'),
  'a text': Buffer.from('Dear all, the photos are on the other computer.'),
  'one byte': Buffer.of(0xff),
}

const make = await clipMaker()
const soundFiles: [name: string, args: string[]][] = [
  ['song.mp4', ['-c:a', 'aac']],
  ['song.m4a', ['-c:a', 'aac']],
  ['song.mkv', ['-c:a', 'aac']],
  ['song.webm', ['-c:a', 'libopus']],
]

onOneEngine('a refused upload leaves nothing:', library => {
  test.each(Object.entries(notMedia))('%s is neither a photo nor a video', async (_, bytes) => {
    const ben = await memberOf(library())
    const before = await remainsAtRest(library())
    await expect(send(ben, plainForm('holiday.jpg', bytes))).rejects.toMatchObject({
      status: 415,
      code: 'not_a_photo_or_video',
      message: 'holiday.jpg is neither a photo nor a video.',
    })
    expect(await remainsAtRest(library())).toEqual(before)
  })

  test('an empty file is called empty', async () => {
    const ben = await memberOf(library())
    const before = await remainsAtRest(library())
    const refusal = { status: 415, code: 'not_a_photo_or_video', message: 'holiday.jpg is empty.' }
    await expect(send(ben, plainForm('holiday.jpg', Buffer.alloc(0)))).rejects.toMatchObject(refusal)
    expect(await remainsAtRest(library())).toEqual(before)
  })

  test.each(soundFiles)('%s holds sound and no picture, and says so', async (name, args) => {
    const ben = await memberOf(library())
    const bytes = await make(name, ...sound(1), ...args)
    const before = await remainsAtRest(library())
    const refusal = {
      status: 415,
      code: 'not_a_photo_or_video',
      message: `“${name}” holds sound but no picture, so it can't be kept as a photo or video.`,
    }
    await expect(send(ben, plainForm(name, bytes))).rejects.toMatchObject(refusal)
    expect(await remainsAtRest(library())).toEqual(before)
    const uploadId = await sendResumable(ben, bytes)
    await expect(finish(ben, { originalName: name, uploadId })).rejects.toMatchObject(refusal)
  })

  test('a hash that is not that of what arrived', async () => {
    const ben = await memberOf(library())
    const before = await remainsAtRest(library())
    const form = plainForm('beach.jpg', await makePicture(), { hash: '0'.repeat(64) })
    await expect(send(ben, form)).rejects.toMatchObject({ status: 422, code: 'hash_mismatch' })
    const inFields = new FormData()
    inFields.append('files', asFile(await makePicture()), 'beach.jpg')
    inFields.append('hashes', '0'.repeat(64))
    await expect(send(ben, inFields)).rejects.toMatchObject({ status: 422, code: 'hash_mismatch' })
    const photo = photoForm('beach.jpg', await makePicture(), {}, { hash: 'F'.repeat(64) })
    await expect(send(ben, photo)).rejects.toMatchObject({ status: 422, code: 'hash_mismatch' })
    expect(await remainsAtRest(library())).toEqual(before)
  })

  test('a folder that is not there', async () => {
    const ben = await memberOf(library())
    const before = await remainsAtRest(library())
    const form = plainForm('beach.jpg', await makePicture(), { folderId: 999_999_999 })
    await expect(send(ben, form)).rejects.toMatchObject({ status: 404 })
    expect(await remainsAtRest(library())).toEqual(before)
  })

  test('words that make no sense', async () => {
    const ben = await memberOf(library())
    const before = await remainsAtRest(library())
    const photo = asFile(await makePicture())
    const refusal = async (field: string, words: string) => {
      const form = new FormData()
      form.append('files', photo, 'full_beach.jpg')
      form.append(field, words)
      const response = await ben.fetch(uploadMedia.path, { method: 'POST', body: form })
      const answer = (await response.json()) as { error: string; code: string }
      expect(answer.error).toMatch(/\w/)
      return response.status
    }
    expect(await refusal('fileMetadata', '{"originalName":')).toBe(400)
    expect(await refusal('fileMetadata', '[]{}')).toBe(400)
    expect(await refusal('fileMetadata', '{"originalName": 5}')).toBe(400)
    expect(await refusal('fileMetadata', '{}')).toBe(400)
    expect(await refusal('fileMetadata', '{"originalName": "  "}')).toBe(422)
    expect(await refusal('fileMetadata', JSON.stringify({ originalName: 'n'.repeat(256) }))).toBe(422)
    expect(await refusal('fileMetadata', JSON.stringify({ originalName: 'a\0b' }))).toBe(400)
    expect(await refusal('fileMetadata', JSON.stringify({ originalName: 'a', hash: 'xyz' }))).toBe(422)
    expect(await refusal('fileMetadata', JSON.stringify({ originalName: 'a', folderId: -1 }))).toBe(422)
    expect(await refusal('hashes', 'none')).toBe(422)
    expect(await refusal('imageVariants', '')).toBe(400)
    expect(await refusal('imageVariants', '{"originalName":"beach.jpg","variants":[{"type":"huge"}]}')).toBeLessThan(
      500,
    )
    expect(await refusal('imageVariants', '['.repeat(400_000))).toBe(400)
    expect(await refusal('imageVariants', '['.repeat(400_000) + ']'.repeat(400_000))).toBe(400)
    expect(await refusal('fileMetadata', '['.repeat(400_000) + ']'.repeat(400_000))).toBe(400)
    expect(await refusal('fileMetadata', JSON.stringify({ originalName: 'a', more: 'x'.repeat(1_000_000) }))).toBe(413)
    expect(await remainsAtRest(library())).toEqual(before)
  })

  test('keys that reach for the prototype of all things change nothing', async () => {
    const ben = await memberOf(library())
    const before = await remainsAtRest(library())
    for (const field of ['__proto__', 'constructor', 'toString']) {
      const form = plainForm('beach.jpg', await makePicture())
      form.append(field, '{"polluted":true}')
      await expect(send(ben, form)).rejects.toMatchObject({ status: 400 })
    }
    expect(await remainsAtRest(library())).toEqual(before)
    const form = new FormData()
    form.append('files', asFile(await makePicture()), 'beach.jpg')
    form.append(
      'fileMetadata',
      '{"originalName":"beach.jpg","__proto__":{"polluted":true},"metadata":{"__proto__":{}}}',
    )
    const { files } = await send(ben, form)
    expect(files).toMatchObject([{ original_name: 'beach.jpg' }])
    // Pending preparation would look like leftovers of a rejected upload.
    await untilPrepared(ben, files[0]?.id ?? 0)
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })

  test('parts that belong to no photo, or come twice', async () => {
    const ben = await memberOf(library())
    const before = await remainsAtRest(library())
    const photo = await makePicture()
    const stranger = photoForm('beach.jpg', photo, {})
    stranger.append('files', asFile(photo), 'beach.jpg')
    await expect(send(ben, stranger)).rejects.toMatchObject({ status: 400 })
    const twice = photoForm('beach.jpg', photo, {})
    twice.append('files', asFile(photo), 'full_beach.jpg')
    await expect(send(ben, twice)).rejects.toMatchObject({ status: 400 })
    const missing = new FormData()
    missing.append('imageVariants', JSON.stringify({ originalName: 'beach.jpg' }))
    await expect(send(ben, missing)).rejects.toMatchObject({ status: 400 })
    const wordsAlone = new FormData()
    wordsAlone.append('fileMetadata', JSON.stringify({ originalName: 'beach.jpg' }))
    await expect(send(ben, wordsAlone)).rejects.toMatchObject({ status: 400 })
    expect(await remainsAtRest(library())).toEqual(before)
  })

  test('a form of ten thousand parts', async () => {
    const ben = await memberOf(library())
    const before = await remainsAtRest(library())
    const fields = new FormData()
    for (let i = 0; i < 10_000; i++) fields.append(`field${i}`, 'x')
    await expect(send(ben, fields)).rejects.toMatchObject({ status: 413, code: 'too_large' })
    const files = new FormData()
    const photo = asFile(await makePicture())
    for (let i = 0; i <= uploads.mostParts; i++) files.append('files', photo, `${i}.jpg`)
    await expect(send(ben, files)).rejects.toMatchObject({ status: 413, code: 'too_large' })
    expect(await remainsAtRest(library())).toEqual(before)
  })

  test('more words than a form of files needs', async () => {
    const ben = await memberOf(library())
    const before = await remainsAtRest(library())
    const manyItems = new FormData()
    manyItems.append('fileMetadata', JSON.stringify(Array(100_000).fill({})))
    await expect(send(ben, manyItems)).rejects.toMatchObject({ status: 413, code: 'too_large' })
    const manyFields = new FormData()
    for (let i = 0; i < 3; i++) manyFields.append('fileMetadata', 'x'.repeat(400_000))
    await expect(send(ben, manyFields)).rejects.toMatchObject({ status: 413, code: 'too_large' })
    const deep = new FormData()
    deep.append('fileMetadata', '['.repeat(100_000))
    await expect(send(ben, deep)).rejects.toMatchObject({ status: 400, code: 'malformed' })
    expect(await remainsAtRest(library())).toEqual(before)
  })

  test('one upload that is named twice', async () => {
    const ben = await memberOf(library())
    const uploadId = `${await library().idOf('ben')}-${randomUUID()}`
    const body = JSON.stringify({ fileMetadata: [1, 2].map(i => ({ originalName: `${i}.jpg`, uploadId })) })
    const headers = { 'content-type': 'application/json' }
    const response = await ben.fetch(uploadMedia.path, { method: 'POST', body, headers })
    expect([response.status, await response.json()]).toEqual([
      400,
      { error: 'An upload is named twice in this call.', code: 'malformed', key: 'upload.namedTwice' },
    ])
  })

  test('more upload calls at once than a person can have devices', async () => {
    const ben = await memberOf(library())
    const open = Array.from({ length: uploads.openForms + 1 }, () => openForm(ben))
    const answered = await Promise.race(open.map(({ status }) => status))
    expect(answered).toBe(429)
    for (const { end } of open) end()
    // An empty form is malformed: once the limit is free again, that is the error instead of 429.
    const form = () => ben.fetch(uploadMedia.path, { method: 'POST', headers: formHeaders, body: '--x--\r\n' })
    await expect.poll(async () => (await form()).status, { timeout: 10_000 }).toBe(400)
  })

  test('what is no form at all', async () => {
    const ben = await memberOf(library())
    const before = await remainsAtRest(library())
    const refusal = async (contentType: string | undefined, body: string) => {
      const headers: Record<string, string> = contentType ? { 'content-type': contentType } : {}
      const response = await ben.fetch(uploadMedia.path, { method: 'POST', headers, body: Buffer.from(body) })
      return { status: response.status, ...((await response.json()) as object) }
    }
    const malformed = { status: 400, code: 'malformed' }
    expect(await refusal(undefined, '')).toMatchObject(malformed)
    expect(await refusal('application/json', '')).toMatchObject(malformed)
    expect(await refusal('application/json', 'null')).toMatchObject(malformed)
    expect(await refusal('application/json', '[1, 2]')).toMatchObject(malformed)
    expect(await refusal('application/json', '{"fileMetadata": 3}')).toMatchObject(malformed)
    const deep = '['.repeat(400_000) + ']'.repeat(400_000)
    expect(await refusal('application/json', `{"fileMetadata": ${deep}}`)).toMatchObject(malformed)
    expect(await refusal('application/json', `{"imageVariants": ${deep}}`)).toMatchObject(malformed)
    expect(await refusal('text/plain', 'hello')).toMatchObject(malformed)
    expect(await refusal('multipart/form-data', 'hello')).toMatchObject(malformed)
    expect(await refusal('multipart/form-data; boundary=x', 'hello')).toMatchObject(malformed)
    expect(await refusal('multipart/form-data; boundary=x', '--x--\r\n')).toMatchObject(malformed)
    expect(await refusal('multipart/form-data; boundary=x', '')).toMatchObject(malformed)
    expect(await remainsAtRest(library())).toEqual(before)
  })
})
