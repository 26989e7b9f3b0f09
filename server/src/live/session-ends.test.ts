import { stat } from 'node:fs/promises'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createAlbum, deleteAlbum } from '#contract/albums.ts'
import { logOut } from '#contract/auth.ts'
import { updateLink } from '#contract/links.ts'
import { requestZip } from '#contract/media.ts'
import { revokePerson } from '#contract/people.ts'
import { uploadMedia } from '#contract/upload.ts'
import { anotherServer } from '../../test/another-server.ts'
import { makeUploadLink, senderOf } from '../../test/fixtures/guests.ts'
import { makePicture } from '../../test/fixtures/pictures.ts'
import { remainsAtRest, remainsOf } from '../../test/fixtures/remains.ts'
import { beginResumable, idOfUpload, sendChunk, uploadFile } from '../../test/fixtures/uploads.ts'
import { onBothEngines, type SignedIn, startLibrary } from '../../test/library.ts'

const WITHIN_MS = 2_000
const soon = { timeout: 10_000 }
const tus = { 'tus-resumable': '1.0.0' }

interface Transfer {
  request: ClientRequest
  /** When the connection was closed; undefined while it is open. */
  closedAt(): number | undefined
  /** Undefined until the server has answered. */
  answer(): { status: number | undefined; text: string } | undefined
}

/** A request whose body is sent chunk by chunk for as long as the server accepts it. */
function sendSlowly(url: URL, method: string, headers: Record<string, string>, pieces: Iterable<Uint8Array>): Transfer {
  let closedAt: number | undefined
  const sending = request(url, { method, headers })
  let answer: { status: number | undefined; text: string } | undefined
  sending.on('error', () => undefined)
  sending.on('response', response => {
    answer = { status: response.statusCode, text: '' }
    response
      .on('error', () => undefined)
      .on('data', data => {
        if (answer) answer.text += String(data)
      })
  })
  sending.on('socket', socket => socket.on('close', () => (closedAt = performance.now())))
  void (async () => {
    for (const piece of pieces) {
      if (closedAt !== undefined) return
      sending.write(piece)
      await pause(50)
    }
  })()
  return { request: sending, closedAt: () => closedAt, answer: () => answer }
}

/** How many bytes of a resumable upload have arrived. A HEAD request would interrupt the upload. */
async function arrivedBytes(dataFolder: string, path: string): Promise<number> {
  return (await stat(join(dataFolder, 'uploads', idOfUpload(path)))).size
}

function* repeated(piece: Uint8Array, first?: Uint8Array): Generator<Uint8Array> {
  if (first) yield first
  for (;;) yield piece
}

async function expectClosed({ closedAt }: Transfer, since: number): Promise<void> {
  await expect.poll(closedAt, soon).toBeDefined()
  if (process.env.LONG) expect((closedAt() ?? Number.POSITIVE_INFINITY) - since).toBeLessThan(WITHIN_MS)
}

const largePhoto = async () => Buffer.concat([await makePicture(), Buffer.alloc(60_000_000, 7)])

onBothEngines('when a session ends', library => {
  /** Uploaded once, because preparing it takes a while. */
  let largeFile: ReturnType<typeof uploadFile> | undefined
  const end = {
    async revocation(person: SignedIn): Promise<void> {
      const ada = await library().admin()
      await ada.call(revokePerson, { params: { id: await library().idOf(person.person) } })
    },
    async logout(person: SignedIn): Promise<void> {
      await person.call(logOut)
    },
    /** Bypasses the product, so that no message is published. */
    async 'unannounced end'(person: SignedIn): Promise<void> {
      await library().rows(`delete from sessions where person_id = ${await library().idOf(person.person)}`)
    },
  }

  describe.each(Object.keys(end) as (keyof typeof end)[])('by %s', how => {
    test('its resumable upload is cut off and keeps what had arrived', async () => {
      const person = await library().newMember()
      const photo = await makePicture({ width: 300, format: 'png' })
      const size = 100_000_000
      const path = await beginResumable(person, size)
      const upload = patchSlowly(library().url, person, path, size, photo)
      await expect.poll(() => arrivedBytes(library().config.dataFolder, path), soon).toBeGreaterThan(0)
      expect(upload.closedAt()).toBeUndefined()

      await end[how](person)
      await expectClosed(upload, performance.now())
      if (how === 'revocation') return
      const again = await library().signInAs(person.person)
      const offset = async () =>
        Number((await again.fetch(path, { method: 'HEAD', headers: tus })).headers.get('upload-offset'))
      const kept = await offset()
      expect(kept).toBeGreaterThan(0)
      // Refused if more bytes had arrived since.
      expect((await sendChunk(again, path, kept, Buffer.alloc(10))).status).toBe(204)
      expect(await offset()).toBe(kept + 10)
    })

    test('its upload form is cut off and leaves nothing', async () => {
      const person = await library().newMember()
      const head = '--b\r\ncontent-disposition: form-data; name="files"; filename="slow.png"\r\n\r\n'
      const headers = {
        authorization: `Bearer ${person.token}`,
        'content-type': 'multipart/form-data; boundary=b',
        'transfer-encoding': 'chunked',
      }
      const scratch = async () => (await remainsOf(library())).scratch
      // Jobs of the previous test may still be using the scratch folder.
      const before = await remainsAtRest(library())
      expect(before.scratch).toEqual([])
      const url = new URL(uploadMedia.path, library().url)
      const upload = sendSlowly(url, 'POST', headers, repeated(Buffer.alloc(20_000, 1), Buffer.from(head)))
      await expect.poll(scratch, soon).toHaveLength(1)

      await end[how](person)
      await expectClosed(upload, performance.now())
      await expect.poll(scratch, soon).toEqual([])
      expect((await remainsOf(library())).files).toBe(before.files)
    })

    test('its ZIP breaks off, and an order that it made opens nothing', async () => {
      const person = await library().newMember()
      largeFile ??= uploadFile(await library().admin(), { name: 'large.jpg', bytes: await largePhoto() })
      const { id, file_size } = await largeFile
      const { url } = await person.call(requestZip, { body: { fileIds: [id] } })
      const accepted = new Promise<Socket>(resolve => library().app.http.server.once('connection', resolve))
      const response = await open(new URL(url, library().url))
      const serverSocket = await accepted
      let serverClosedAt: number | undefined
      serverSocket.on('close', () => (serverClosedAt = performance.now()))
      expect(response.statusCode).toBe(200)
      let received = 0
      let closed = false
      response.on('error', () => undefined).on('close', () => (closed = true))
      const readSome = () => {
        received += (response.read(64 * 1024) as Buffer | null)?.length ?? 0
        return received
      }
      await expect.poll(readSome, soon).toBeGreaterThan(500_000)
      expect(serverClosedAt).toBeUndefined()

      await end[how](person)
      const since = performance.now()
      // Only then is the rest read: otherwise it could all arrive before the server ends the response.
      await expect.poll(() => serverClosedAt, soon).toBeDefined()
      if (process.env.LONG) expect((serverClosedAt ?? Number.POSITIVE_INFINITY) - since).toBeLessThan(WITHIN_MS)
      response.on('data', (chunk: Buffer) => {
        received += chunk.length
      })
      await expect.poll(() => closed, soon).toBe(true)
      expect(response.complete).toBe(false)
      expect(received).toBeLessThan(file_size)
      expect((await library().anyone.fetch(url)).status).toBe(403)
    })
  })

  test('another session of the same person goes on', async () => {
    const here = await library().newMember()
    const there = await library().signInAs(here.person)
    const begin = async (person: SignedIn) => {
      const path = await beginResumable(person, 100_000_000)
      return { path, upload: patchSlowly(library().url, person, path, 100_000_000, Buffer.alloc(1_000)) }
    }
    const [ending, other] = [await begin(here), await begin(there)]
    for (const { path } of [ending, other]) {
      await expect.poll(() => arrivedBytes(library().config.dataFolder, path), soon).toBeGreaterThan(0)
    }
    await here.call(logOut)
    await expectClosed(ending.upload, performance.now())
    const arrived = await arrivedBytes(library().config.dataFolder, other.path)
    await expect.poll(() => arrivedBytes(library().config.dataFolder, other.path), soon).toBeGreaterThan(arrived)
    expect(other.upload.closedAt()).toBeUndefined()
    other.upload.request.destroy()
  })
})

onBothEngines('when an upload link ends', library => {
  const end = {
    async 'its end'(ben: SignedIn, { link }: { link: number }): Promise<void> {
      await ben.call(updateLink, { params: { id: link }, body: { ended: true } })
    },
    async 'the end of its album'(ben: SignedIn, { album }: { album: number }): Promise<void> {
      await ben.call(deleteAlbum, { params: { id: album } })
    },
    /** No message is published. */
    async expiry(_ben: SignedIn, { link }: { link: number }): Promise<void> {
      await library().rows(`update links set expires_at = 1 where id = ${link}`)
    },
  }

  test.each(Object.keys(end) as (keyof typeof end)[])('by %s, what a guest sends is cut off', async how => {
    const ben = await library().newMember()
    const { id: album } = await ben.call(createAlbum, { body: { title: 'Wedding' } })
    const link = await makeUploadLink(ben, album)
    const tom = await senderOf(library(), link, 'Tom')
    const size = 100_000_000
    const path = (await tom.begin(size)).headers.get('location') ?? ''
    const cookie = ['heirloom_link', 'heirloom_guest']
      .map(name => `${name}=${tom.guest.browser.cookie(name)}`)
      .join('; ')
    const upload = patchSlowly(library().url, { cookie }, path, size, Buffer.alloc(1_000))
    await expect.poll(() => arrivedBytes(library().config.dataFolder, path), soon).toBeGreaterThan(0)
    expect(upload.closedAt()).toBeUndefined()

    await end[how](ben, { link: link.id, album })
    await expectClosed(upload, performance.now())
    expect(upload.answer()).toMatchObject({ status: 404, text: expect.stringContaining('does not work any more') })
    expect(await library().rows(`select state, media_id from guest_uploads where link_id = ${link.id}`)).toEqual([
      { state: 'sending', media_id: null },
    ])
    if (how !== 'its end') return
    await ben.call(updateLink, { params: { id: link.id }, body: { ended: false } })
    const head = await tom.guest.fetch(path.slice(`/shared/${link.id}`.length), { method: 'HEAD', headers: tus })
    const kept = Number(head.headers.get('upload-offset'))
    expect(kept).toBeGreaterThan(0)
    expect((await tom.sendChunk(path, kept, Buffer.alloc(10))).status).toBe(204)
  })
})

test('a session that ends on one server ends its uploads on the others', async () => {
  const library = await startLibrary({ engine: 'postgres' })
  onTestFinished(library.close)
  const server = await anotherServer(library)
  for (const how of ['logout', 'revocation']) {
    const person = await library.newMember()
    const path = await beginResumable(server.as(person), 100_000_000)
    const upload = patchSlowly(server.url, person, path, 100_000_000, Buffer.alloc(1_000))
    await expect.poll(() => arrivedBytes(server.dataFolder, path), soon).toBeGreaterThan(0)
    expect(upload.closedAt()).toBeUndefined()
    const ada = await library.admin()
    if (how === 'logout') await person.call(logOut)
    else await ada.call(revokePerson, { params: { id: await library.idOf(person.person) } })
    await expectClosed(upload, performance.now())
  }
})

function patchSlowly(
  url: URL,
  sender: SignedIn | { cookie: string },
  path: string,
  size: number,
  piece: Uint8Array,
): Transfer {
  const headers = {
    ...tus,
    ...('cookie' in sender ? { cookie: sender.cookie } : { authorization: `Bearer ${sender.token}` }),
    'upload-offset': '0',
    'content-type': 'application/offset+octet-stream',
    'content-length': String(size),
  }
  return sendSlowly(new URL(path, url), 'PATCH', headers, repeated(piece))
}

function open(url: URL): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => request(url, resolve).on('error', reject).end())
}
