import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CreateMultipartUploadCommand, ListMultipartUploadsCommand, ListObjectsV2Command } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Clock, systemClock } from '#server/kit/clock.ts'
import { openScratch, type Scratch } from '#server/kit/safe-path.ts'
import { bytesOf, chunksOf, keysIn } from '../../../test/storage-contents.ts'
import { newBucketSettings } from '../../../test/store.ts'
import { describeStorage } from '../storage.contract.ts'
import { openClient, type S3Settings } from './bucket.ts'
import { openS3Storage, type S3Storage } from './s3-storage.ts'

let folder: string
let scratch: Scratch

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'heirloom-s3-'))
  scratch = await openScratch(join(folder, 'scratch'))
})
afterAll(() => rm(folder, { recursive: true }))

describeStorage('S3 storage', async () => {
  const settings = newBucketSettings()
  const storage = await openS3Storage({ settings, clock: systemClock, scratch })
  return {
    storage,
    leftovers: () => leftoversOf(settings),
    dispose: async () => storage.close(),
  }
})

const key = 'originals/2024/06/IMG_1234~k3v9x2ab.jpg'

describe('an S3 store', () => {
  test('takes a large object in parts, whole and with flat memory', { timeout: 120_000 }, async () => {
    const { storage, settings } = await open()
    const [megabytes, chunk] = [256, randomBytes(1024 * 1024)]
    const before = process.memoryUsage.rss()
    let peak = before
    async function* long() {
      for (let i = 0; i < megabytes; i++) {
        yield chunk
        peak = Math.max(peak, process.memoryUsage.rss())
      }
    }
    expect(await storage.put(key, long())).toEqual({ size: megabytes * chunk.length })
    if (process.env.LONG) expect(peak - before).toBeLessThan(160 * 1024 * 1024)
    const { stream } = await storage.read(key, { start: 100 * chunk.length, end: 101 * chunk.length - 1 })
    expect(chunk.equals(await bytesOf(stream))).toBe(true)
    expect(await storage.stat(key)).toMatchObject({ size: megabytes * chunk.length })
    expect(await leftoversOf(settings)).toEqual([])
  })

  test('keeps no part of a large object whose sender broke off', async () => {
    const { storage, settings } = await open()
    async function* breaking() {
      for (let i = 0; i < 30; i++) yield Buffer.alloc(1024 * 1024)
      throw new Error('the connection is gone')
    }
    await expect(storage.put(key, breaking())).rejects.toThrow('the connection is gone')
    expect(await leftoversOf(settings)).toEqual([])
    expect(await keysIn(storage)).toEqual([])
  })

  test('never overwrites a large object either', async () => {
    const { storage, settings } = await open()
    await storage.put(key, chunksOf('first'))
    const large = chunksOf(...Array.from({ length: 12 }, () => Buffer.alloc(1024 * 1024)))
    await expect(storage.put(key, large)).rejects.toMatchObject({ code: 'conflict' })
    expect((await bytesOf((await storage.read(key)).stream)).toString()).toBe('first')
    expect(await leftoversOf(settings)).toEqual([])
  })

  test('loses the parts that a killed server left, once they are old', async () => {
    const { storage, settings } = await open()
    const client = openClient(settings)
    await client.send(new CreateMultipartUploadCommand({ Bucket: settings.bucket, Key: key }))
    await storage.removeUnfinished(new Date(Date.now() - 86_400_000))
    expect(await leftoversOf(settings)).toEqual([key])
    await storage.removeUnfinished(new Date(Date.now() + 60_000))
    expect(await leftoversOf(settings)).toEqual([])
  })

  test('that does not exist is named by its setting, and refused keys by theirs', async () => {
    const nowhere = newBucketSettings({ S3_ENDPOINT: 'http://127.0.0.1:1' })
    await expect(openS3Storage({ settings: nowhere, clock: systemClock, scratch })).rejects.toThrow(/S3_ENDPOINT/)
    const stranger = newBucketSettings({ S3_SECRET_ACCESS_KEY: 'wrong' })
    await expect(openS3Storage({ settings: stranger, clock: systemClock, scratch })).rejects.toThrow(/S3_ACCESS_KEY_ID/)
  })
})

describe('a browser, with a signed address and nothing else,', () => {
  test('gets the object as what it is, to keep while the address lasts', async () => {
    const { storage } = await open()
    await storage.put(key, chunksOf('0123456789'))
    const response = await fetch(storage.signedUrl(key))
    expect(response.status).toBe(200)
    expect(await response.text()).toBe('0123456789')
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'content-disposition': 'inline',
      'cache-control': 'private, max-age=3600, immutable',
      'accept-ranges': 'bytes',
    })
    const middle = await fetch(storage.signedUrl(key), { headers: { range: 'bytes=2-4' } })
    expect([middle.status, await middle.text()]).toEqual([206, '234'])
  })

  test('saves a download under its own name', async () => {
    const { storage } = await open()
    await storage.put(key, chunksOf('pixels'))
    const response = await fetch(storage.signedUrl(key, { download: 'Oma "Käthe" (1)*! 🎂.jpg' }))
    expect(response.status).toBe(200)
    expect(response.headers.get('content-disposition')).toMatch(
      /^attachment; filename="Oma _K_the_ \(1\)\*! _.jpg"; filename\*=UTF-8''Oma%20/,
    )
  })

  test.each([
    'originals/2024/06/Łódź, été; "1" #2? 100% a+b&c=d~k3v9x2ab.jpg',
    'originals/2024/06/👨‍👩‍👧 🎂 (it’s)!*~k3v9x2ab.jpg',
  ])('opens %s', async unusual => {
    const { storage } = await open()
    await storage.put(unusual, chunksOf(unusual))
    const response = await fetch(storage.signedUrl(unusual))
    expect([response.status, await response.text()]).toEqual([200, unusual])
  })

  test('gets bytes of no known type as a mere download', async () => {
    const { storage } = await open()
    const page = 'originals/2024/06/page~pagepage.html'
    await storage.put(page, chunksOf('<script>alert(1)</script>'))
    const response = await fetch(storage.signedUrl(page))
    expect(response.headers.get('content-type')).toBe('application/octet-stream')
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="page~pagepage.html"/)
  })

  test('opens nothing else with it, and nothing any more when its time is over', async () => {
    let now = Date.now()
    const { storage } = await open({ clock: () => now })
    await storage.put(key, chunksOf('pixels'))
    await storage.put('originals/2024/06/other.jpg', chunksOf('secret'))
    const address = storage.signedUrl(key)
    expect((await fetch(address.replace('IMG_1234~k3v9x2ab', 'other'))).status).toBe(403)
    expect((await fetch(address.replace(/&X-Amz-Signature=.*/, ''))).status).toBe(403)
    now -= 61 * 60_000
    expect((await fetch(storage.signedUrl(key))).status).toBe(403)
  })

  test('may read it from a page of the library’s origin, and from no other', async () => {
    const { storage } = await open()
    await storage.put(key, chunksOf('pixels'))
    expect(await storage.allowOrigin('https://photos.example')).toBe(true)
    expect(await storage.allowOrigin('https://photos.example')).toBe(true)
    const allowed = async (origin: string) =>
      (await fetch(storage.signedUrl(key), { headers: { origin } })).headers.get('access-control-allow-origin')
    expect(await allowed('https://photos.example')).toBe('https://photos.example')
    expect(await allowed('https://elsewhere.example')).toBeNull()
    expect(await storage.allowOrigin('https://second.example')).toBe(true)
    expect(await allowed('https://photos.example')).toBe('https://photos.example')
  })
})

async function open(options: { clock?: Clock } = {}): Promise<{ storage: S3Storage; settings: S3Settings }> {
  const settings = newBucketSettings()
  const storage = await openS3Storage({ settings, clock: options.clock ?? systemClock, scratch })
  onTestFinished(storage.close)
  return { storage, settings }
}

/** Unfinished multipart uploads, and leftover objects of health checks. */
async function leftoversOf(settings: S3Settings): Promise<string[]> {
  const client = openClient(settings)
  const { Uploads } = await client.send(new ListMultipartUploadsCommand({ Bucket: settings.bucket }))
  const { Contents } = await client.send(new ListObjectsV2Command({ Bucket: settings.bucket, Prefix: '.' }))
  client.destroy()
  return [...(Uploads ?? []), ...(Contents ?? [])].map(({ Key }) => Key ?? '')
}
