import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readlink, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createHttp } from '#server/kit/http.ts'
import { chunksOf } from '../../../test/storage-contents.ts'
import { createSigning } from '../signing.ts'
import { type LocalStorage, openLocalStorage } from './local-storage.ts'
import { serveFiles } from './serve.ts'

let now = Date.UTC(2024, 5, 1, 12, 10)
const signing = createSigning({ secret: randomBytes(32), clock: () => now })
const photo = 'originals/2024/06/IMG_1234~k3v9x2ab.jpg'
const film = 'originals/2024/06/birthday~filmfilm.mp4'
const filmBytes = randomBytes(1_000_000)
let home: string
let folder: string
let storage: LocalStorage
let app: FastifyInstance
let host: string

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'heirloom-serve-'))
  folder = join(home, 'files')
  storage = await openLocalStorage({ folder, signing })
  await storage.put(photo, chunksOf('0123456789'))
  await storage.put(film, chunksOf(filmBytes))
  app = await createHttp({
    logLevel: 'silent',
    trustedProxies: { hops: 0 },
    publicUrl: new URL('http://127.0.0.1'),
    isUnavailable: () => false,
    isFull: () => false,
  })
  serveFiles(app, { storage, signing })
  host = await app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(async () => {
  await app.close()
  await rm(home, { recursive: true })
})

function get(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Response> {
  return fetch(host + path, { headers, method })
}

async function expectError(response: Response, status: number, code: string): Promise<void> {
  expect(response.status).toBe(status)
  expect(response.headers.get('content-type')).toMatch(/^application\/json/)
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  const answer = { ...((await response.json()) as object), values: undefined }
  expect(answer).toEqual({ error: expect.any(String), code, key: expect.any(String) })
}

describe('a signed address', () => {
  test('opens the file, with headers that let it be cached and never run', async () => {
    const response = await get(storage.signedUrl(photo))
    expect(response.status).toBe(200)
    expect(await response.text()).toBe('0123456789')
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'content-length': '10',
      'content-disposition': 'inline',
      'accept-ranges': 'bytes',
      'cache-control': 'private, max-age=3000, immutable',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'content-security-policy': expect.stringMatching(/^sandbox allow-same-origin; default-src 'none';/),
      etag: expect.stringMatching(/^"[^"]+"$/),
    })
  })

  test('opens a large file byte for byte', async () => {
    const response = await get(storage.signedUrl(film))
    expect(response.headers.get('content-type')).toBe('video/mp4')
    expect(response.headers.get('content-length')).toBe(String(filmBytes.length))
    expect(filmBytes.equals(Buffer.from(await response.arrayBuffer()))).toBe(true)
  })

  test('answers HEAD as GET, without the bytes', async () => {
    const response = await get(storage.signedUrl(film), {}, 'HEAD')
    expect(response.status).toBe(200)
    expect(response.headers.get('content-length')).toBe('1000000')
    expect(response.headers.get('content-type')).toBe('video/mp4')
    expect((await response.arrayBuffer()).byteLength).toBe(0)
  })

  test.each([
    'originals/2024/06/Łódź, été; "1" #2? 100% a+b&c=d~k3v9x2ab.jpg',
    'originals/2024/06/👨‍👩‍👧 🎂~k3v9x2ab.jpg',
    `originals/2024/06/${'ß'.repeat(110)}~k3v9x2ab.jpg`,
    `variants/${'ß'.repeat(120)}/${'ß'.repeat(120)}/x~k3v9x2ab/thumbnail-v1.jpg`,
  ])('opens %s', async key => {
    await storage.put(key, chunksOf(key))
    const response = await get(storage.signedUrl(key))
    expect(response.status).toBe(200)
    expect(await response.text()).toBe(key)
  })

  test('answers 404 once the file is gone', async () => {
    const key = 'originals/2024/06/gone~gonegone.jpg'
    await storage.put(key, chunksOf('x'))
    await storage.remove([key])
    await expectError(await get(storage.signedUrl(key)), 404, 'not_found')
  })

  test('does not follow a link out of the folder', async () => {
    await writeFile(join(home, 'secret'), 'secret')
    await symlink(join(home, 'secret'), join(folder, 'originals/2024/06/link~linklink.jpg'))
    await expectError(await get(storage.signedUrl('originals/2024/06/link~linklink.jpg')), 404, 'not_found')
  })

  test.runIf(process.platform === 'linux')('leaves no file open when the reader goes away in the middle', async () => {
    const big = 'originals/2024/06/big~bigbigbi.mp4'
    await storage.put(big, chunksOf(...Array.from({ length: 32 }, () => filmBytes)))
    const open = () => openFilesIn(folder)
    await expect.poll(open).toBe(0)
    for (let round = 0; round < 5; round++) {
      const leave = new AbortController()
      const response = await fetch(host + storage.signedUrl(big), { signal: leave.signal })
      await response.body?.getReader().read()
      expect(await open()).toBe(1)
      leave.abort()
      await expect.poll(open).toBe(0)
    }
  })
})

describe('without a valid signature', () => {
  test('an address answers 403, whether the file exists or not', async () => {
    const [, query] = storage.signedUrl(photo).split('?')
    const forbidden = [
      `/files/${photo}`,
      `/files/${photo}?exp=9999999999&sig=abc`,
      `/files/${photo}?${query?.replace(/exp=\d+/, 'exp=9999999999')}`,
      `/files/${photo}?${query}&sig=again`,
      `/files/${photo}?${query}&download=other.exe`,
      `/files/${film}?${query}`,
      `/files/nothing/here.jpg?${query}`,
      `/files/originals?${query}`,
      `/files/.tmp/x?${query}`,
      `/files/..%2f..%2fetc%2fpasswd?${query}`,
      `/files/originals/%00?${query}`,
    ]
    for (const path of forbidden) await expectError(await get(path), 403, 'forbidden')
    for (const path of forbidden) expect((await get(path, {}, 'HEAD')).status).toBe(403)
  })

  test('an address answers 403 once its time is over', async () => {
    const address = storage.signedUrl(photo)
    now += 49 * 60_000
    expect((await get(address)).status).toBe(200)
    now += 60_000
    await expectError(await get(address), 403, 'forbidden')
  })
})

describe('ranges', () => {
  test.each([
    ['bytes=0-0', '0', 'bytes 0-0/10'],
    ['bytes=2-4', '234', 'bytes 2-4/10'],
    ['bytes=7-', '789', 'bytes 7-9/10'],
    ['bytes=-3', '789', 'bytes 7-9/10'],
    ['bytes=-300', '0123456789', 'bytes 0-9/10'],
    ['bytes=5-999999999999999999999', '56789', 'bytes 5-9/10'],
  ])('%s answers 206 with %s', async (range, body, contentRange) => {
    const response = await get(storage.signedUrl(photo), { range })
    expect(response.status).toBe(206)
    expect(response.headers.get('content-range')).toBe(contentRange)
    expect(response.headers.get('content-length')).toBe(String(body.length))
    expect(await response.text()).toBe(body)
  })

  test.each(['bytes=10-', 'bytes=99-100', 'bytes=-0'])('%s answers 416 with the size', async range => {
    const response = await get(storage.signedUrl(photo), { range })
    expect(response.headers.get('content-range')).toBe('bytes */10')
    await expectError(response, 416, 'range_not_satisfiable')
  })

  test.each(['bytes=4-2', 'bytes=-', 'bytes=a-b', 'pages=1-2', 'bytes=0-1,3-4'])(
    '%s answers the whole',
    async range => {
      const response = await get(storage.signedUrl(photo), { range })
      expect(response.status).toBe(200)
      expect(await response.text()).toBe('0123456789')
    },
  )

  test('a large range is streamed exactly', async () => {
    const response = await get(storage.signedUrl(film), { range: 'bytes=100001-900000' })
    expect(response.status).toBe(206)
    expect(response.headers.get('content-range')).toBe('bytes 100001-900000/1000000')
    expect(filmBytes.subarray(100_001, 900_001).equals(Buffer.from(await response.arrayBuffer()))).toBe(true)
  })

  test('HEAD with a range tells its length', async () => {
    const response = await get(storage.signedUrl(film), { range: 'bytes=0-99' }, 'HEAD')
    expect(response.status).toBe(206)
    expect(response.headers.get('content-length')).toBe('100')
  })

  test('a range of another version of the file is not given', async () => {
    const address = storage.signedUrl(photo)
    const etag = (await get(address)).headers.get('etag') ?? ''
    expect((await get(address, { range: 'bytes=1-2', 'if-range': etag })).status).toBe(206)
    expect((await get(address, { range: 'bytes=1-2', 'if-range': '"other"' })).status).toBe(200)
  })

  test('an empty file has no range, and is an empty answer', async () => {
    const key = 'originals/2024/06/empty~emptyemp.jpg'
    await storage.put(key, chunksOf())
    const response = await get(storage.signedUrl(key))
    expect(response.status).toBe(200)
    expect(response.headers.get('content-length')).toBe('0')
    await expectError(await get(storage.signedUrl(key), { range: 'bytes=0-' }), 416, 'range_not_satisfiable')
  })
})

describe('a browser that has the file already', () => {
  test('gets 304 if nothing changed', async () => {
    const address = storage.signedUrl(photo)
    const etag = (await get(address)).headers.get('etag') ?? ''
    for (const seen of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const response = await get(address, { 'if-none-match': seen })
      expect(response.status).toBe(304)
      expect(response.headers.get('etag')).toBe(etag)
      expect(response.headers.get('cache-control')).toMatch(/^private, max-age=\d+, immutable$/)
      expect(await response.text()).toBe('')
    }
  })

  test('gets the bytes when it has others', async () => {
    const response = await get(storage.signedUrl(photo), { 'if-none-match': '"other"' })
    expect(response.status).toBe(200)
  })
})

describe('what a browser does with the file', () => {
  test('it saves it under the name that was signed', async () => {
    const response = await get(storage.signedUrl(photo, { download: 'Oma "Käthe" 🎂.jpg' }))
    expect(response.status).toBe(200)
    expect(response.headers.get('content-disposition')).toBe(
      `attachment; filename="Oma _K_the_ _.jpg"; filename*=UTF-8''Oma%20%22K%C3%A4the%22%20%F0%9F%8E%82.jpg`,
    )
  })

  test.each(['html', 'HTM', 'svg', 'xml', 'xhtml', 'js', 'css', 'pdf', 'xmp', 'constructor', ''])(
    'bytes with the extension %j are a download of no particular type',
    async extension => {
      const key = `originals/2024/06/page~pagepage${extension && `.${extension}`}`
      await storage.put(key, chunksOf('<script>alert(1)</script>'))
      const response = await get(storage.signedUrl(key))
      expect(response.headers.get('content-type')).toBe('application/octet-stream')
      expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="page~pagepage/)
      expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    },
  )

  test.each([
    ['JPG', 'image/jpeg'],
    ['png', 'image/png'],
    ['heic', 'image/heic'],
    ['cr3', 'image/x-canon-cr3'],
    ['mov', 'video/quicktime'],
    ['MTS', 'video/mp2t'],
  ])('a .%s is %s', async (extension, type) => {
    const key = `originals/2024/06/typed~typedtyp.${extension}`
    await storage.put(key, chunksOf('bytes'))
    const response = await get(storage.signedUrl(key))
    expect(response.headers.get('content-type')).toBe(type)
    expect(response.headers.get('content-disposition')).toBe('inline')
  })
})

async function openFilesIn(folder: string): Promise<number> {
  const descriptors = await readdir('/proc/self/fd')
  const targets = await Promise.all(descriptors.map(fd => readlink(`/proc/self/fd/${fd}`).catch(() => 'closed since')))
  return targets.filter(target => target.startsWith(folder)).length
}
