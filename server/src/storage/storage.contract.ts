import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newName, pathBelow, type RootFolder, rootFolder, type SafePath } from '#server/kit/safe-path.ts'
import { bytesOf, chunksOf, keysIn, listed } from '../../test/storage-contents.ts'
import type { Storage } from './storage.ts'

export interface StorageUnderTest {
  storage: Storage
  /** Everything that is stored besides the objects: partial data of any kind. */
  leftovers(): Promise<string[]>
  dispose(): Promise<void>
}

const key = 'originals/2024/06/IMG_1234~k3v9x2ab.jpg'

/** The tests that every implementation of `Storage` must pass. */
export function describeStorage(name: string, open: () => Promise<StorageUnderTest>): void {
  describe(name, () => {
    let subject: StorageUnderTest
    let storage: Storage
    let scratch: RootFolder

    beforeAll(async () => {
      scratch = rootFolder(await mkdtemp(join(tmpdir(), 'heirloom-scratch-')))
    })
    afterAll(() => rm(scratch, { recursive: true }))
    beforeEach(async () => {
      subject = await open()
      storage = subject.storage
    })
    afterEach(() => subject.dispose())

    async function read(key: string): Promise<string> {
      return (await bytesOf((await storage.read(key)).stream)).toString()
    }

    async function expectNothingLeft(): Promise<void> {
      expect(await storage.stat(key)).toBeUndefined()
      expect(await keysIn(storage)).toEqual([])
      expect(await subject.leftovers()).toEqual([])
    }

    describe('putting', () => {
      test('what was put is read back byte for byte', async () => {
        const parts = Array.from({ length: 40 }, (_, index) => randomBytes(index * 10_007))
        const whole = Buffer.concat(parts)

        expect(await storage.put(key, chunksOf(...parts))).toEqual({ size: whole.length })

        const { stream, size } = await storage.read(key)
        expect(size).toBe(whole.length)
        expect(whole.equals(await bytesOf(stream))).toBe(true)
        expect(await storage.stat(key)).toMatchObject({ size: whole.length })
        expect(await subject.leftovers()).toEqual([])
      })

      test('an empty object is an object', async () => {
        expect(await storage.put(key, chunksOf())).toEqual({ size: 0 })
        expect(await read(key)).toBe('')
      })

      test('an object that is there is never overwritten', async () => {
        await storage.put(key, chunksOf('first'))
        await expect(storage.put(key, chunksOf('second'))).rejects.toMatchObject({ code: 'conflict' })
        expect(await read(key)).toBe('first')
        expect(await subject.leftovers()).toEqual([])
      })

      test('of many who put the same key at once exactly one wins, and its bytes are whole', async () => {
        const bodies = Array.from({ length: 12 }, (_, index) => String(index).repeat(50_000))
        const results = await Promise.allSettled(bodies.map(body => storage.put(key, chunksOf(body, body))))

        const won = results.flatMap((result, index) => (result.status === 'fulfilled' ? [index] : []))
        expect(won).toHaveLength(1)
        const body = bodies[won[0] ?? -1] ?? ''
        expect((await read(key)) === body + body).toBe(true)
        expect(await subject.leftovers()).toEqual([])
      })

      test('many files put at once into a new folder are all there', async () => {
        const keys = Array.from({ length: 50 }, (_, index) => `variants/2031/01/new~aaaaaaaa/part-${index}.jpg`).sort()
        await Promise.all(keys.map(each => storage.put(each, chunksOf(each))))
        expect(await keysIn(storage)).toEqual(keys)
      })

      test('a source that breaks in the middle leaves nothing, and its own error arrives', async () => {
        async function* breaking() {
          yield randomBytes(300_000)
          throw new Error('the connection is gone')
        }
        await expect(storage.put(key, breaking())).rejects.toThrow('the connection is gone')
        await expectNothingLeft()
      })

      test('a stream that breaks before it is first read leaves nothing, and its own error arrives', async () => {
        const stream = new PassThrough()
        const putting = storage.put(key, stream)
        stream.destroy(new Error('the connection is gone'))
        await expect(putting).rejects.toThrow('the connection is gone')
        await expectNothingLeft()
      })

      test('an abort in the middle leaves nothing', async () => {
        const stop = new AbortController()
        async function* aborted() {
          yield randomBytes(300_000)
          stop.abort(new Error('the person left'))
          yield randomBytes(300_000)
        }
        await expect(storage.put(key, aborted(), { signal: stop.signal })).rejects.toThrow('the person left')
        await expectNothingLeft()
      })

      test('an abort ends a put whose source has fallen silent', async () => {
        const stop = new AbortController()
        async function* silent() {
          yield randomBytes(300_000)
          setTimeout(() => stop.abort(new Error('too long without a byte')), 50)
          await new Promise(() => undefined)
        }
        await expect(storage.put(key, silent(), { signal: stop.signal })).rejects.toThrow('too long without a byte')
        await expectNothingLeft()
      })

      test('an abort lets go of a stream that has fallen silent', async () => {
        const stream = new PassThrough()
        stream.write('the first bytes')
        const signal = AbortSignal.timeout(50)
        await expect(storage.put(key, stream, { signal })).rejects.toMatchObject({ name: 'TimeoutError' })
        expect(stream.destroyed).toBe(true)
        await expectNothingLeft()
      })

      test('a put that is aborted before it begins does not begin', async () => {
        const signal = AbortSignal.abort(new Error('never mind'))
        await expect(storage.put(key, chunksOf('bytes'), { signal })).rejects.toThrow('never mind')
        await expectNothingLeft()
      })
    })

    describe('taking over a file', () => {
      async function scratchFile(content: string): Promise<SafePath> {
        const path = pathBelow(scratch, newName())
        await writeFile(path, content)
        return path
      }

      test('its bytes are in the storage and no longer where they were', async () => {
        const path = await scratchFile('a finished picture')
        expect(await storage.putFile(key, path)).toEqual({ size: 18 })
        expect(await read(key)).toBe('a finished picture')
        expect(existsSync(path)).toBe(false)
      })

      test('a key that is taken keeps its bytes, and the file stays where it was', async () => {
        await storage.put(key, chunksOf('first'))
        const path = await scratchFile('second')
        await expect(storage.putFile(key, path)).rejects.toMatchObject({ code: 'conflict' })
        expect(await read(key)).toBe('first')
        expect(await readFile(path, 'utf8')).toBe('second')
      })

      test('a file that is not there leaves nothing', async () => {
        await expect(storage.putFile(key, pathBelow(scratch, 'nowhere'))).rejects.toThrow()
        await expectNothingLeft()
      })
    })

    describe('reading', () => {
      test.each([
        { range: { start: 0, end: 0 }, expected: '0' },
        { range: { start: 2, end: 4 }, expected: '234' },
        { range: { start: 7 }, expected: '789' },
        { range: { start: 5, end: 5_000 }, expected: '56789' },
        { range: { start: 9, end: 9 }, expected: '9' },
      ])('the range $range is exactly $expected', async ({ range, expected }) => {
        await storage.put(key, chunksOf('0123456789'))
        const { stream, size } = await storage.read(key, range)
        expect((await bytesOf(stream)).toString()).toBe(expected)
        expect(size).toBe(10)
      })

      test.each([{ start: 10 }, { start: 4, end: 3 }])('the range %j cannot be had', async range => {
        await storage.put(key, chunksOf('0123456789'))
        await expect(storage.read(key, range)).rejects.toMatchObject({ code: 'range_not_satisfiable' })
      })

      test('what is not there is not found', async () => {
        expect(await storage.stat(key)).toBeUndefined()
        await expect(storage.read(key)).rejects.toMatchObject({ code: 'not_found' })
        await expect(storage.withLocalCopy(key, async path => path)).rejects.toMatchObject({ code: 'not_found' })
      })

      test('a folder is not an object', async () => {
        await storage.put(key, chunksOf('bytes'))
        expect(await storage.stat('originals/2024')).toBeUndefined()
        await expect(storage.read('originals/2024')).rejects.toMatchObject({ code: 'not_found' })
      })

      test('work on a local copy sees the bytes, and its answer comes back', async () => {
        await storage.put(key, chunksOf('pixels'))
        expect(await storage.withLocalCopy(key, path => readFile(path, 'utf8'))).toBe('pixels')
      })

      test('work that fails on a local copy fails, and the object stays', async () => {
        await storage.put(key, chunksOf('pixels'))
        const work = storage.withLocalCopy(key, async () => {
          throw new Error('cannot decode')
        })
        await expect(work).rejects.toThrow('cannot decode')
        expect(await read(key)).toBe('pixels')
      })
    })

    describe('keys', () => {
      test.each([
        'originals/2024/06/Łódź, été ~ "quoted" #1? 100%~k3v9x2ab.jpg',
        'originals/2024/06/東京の写真~k3v9x2ab.heic',
        'originals/2024/06/👨‍👩‍👧 🎂~k3v9x2ab.png',
        `originals/2024/06/${'ß'.repeat(127)}`,
        'avatar',
      ])('%s holds its bytes', async unusual => {
        await storage.put(unusual, chunksOf(unusual))
        expect(await read(unusual)).toBe(unusual)
        expect(await keysIn(storage)).toEqual([unusual])
      })

      test.each([
        ['nothing', ''],
        ['a way up', '../secret'],
        ['a way up in the middle', 'originals/../../secret'],
        ['an absolute path', '/etc/passwd'],
        ['an empty segment', 'originals//a.jpg'],
        ['a folder', 'originals/'],
        ['a dot', 'originals/./a.jpg'],
        ['a hidden file', 'originals/.a.jpg'],
        ['a hidden folder', '.tmp/a.jpg'],
        ['a backslash', 'originals\\..\\a.jpg'],
        ['a null byte', 'originals/a\0.jpg'],
        ['a line break', 'originals/a\n.jpg'],
        ['a bidi override', 'originals/a\u202Egpj.exe'],
        ['a lone surrogate', 'originals/a\uD800.jpg'],
        ['decomposed accents', 'originals/e\u0301te\u0301.jpg'],
        ['a segment of 256 bytes', `originals/${'ß'.repeat(128)}`],
        ['a key of more than 1000 bytes', Array(60).fill('a long folder name').join('/')],
      ])('%s is refused by every verb', async (_what, bad) => {
        const path = pathBelow(scratch, 'finished')
        await writeFile(path, 'bytes')
        const refused = { code: 'invalid' }
        await expect(storage.put(bad, chunksOf('bytes'))).rejects.toMatchObject(refused)
        await expect(storage.putFile(bad, path)).rejects.toMatchObject(refused)
        await expect(storage.read(bad)).rejects.toMatchObject(refused)
        await expect(storage.stat(bad)).rejects.toMatchObject(refused)
        await expect(storage.remove([bad])).rejects.toMatchObject(refused)
        await expect(storage.withLocalCopy(bad, async () => undefined)).rejects.toMatchObject(refused)
        expect(() => storage.signedUrl(bad)).toThrow(expect.objectContaining(refused))
        await expectNothingLeft()
      })
    })

    describe('removing and listing', () => {
      test('removed objects are gone, missing ones are fine, others stay', async () => {
        await storage.put(key, chunksOf('a'))
        await storage.put('variants/2024/06/IMG_1234~k3v9x2ab/thumbnail-v1.jpg', chunksOf('b'))
        await storage.put('originals/2024/06/other~bbbbbbbb.jpg', chunksOf('c'))
        await storage.remove([
          key,
          'originals/1999/01/never~cccccccc.jpg',
          'variants/2024/06/IMG_1234~k3v9x2ab/thumbnail-v1.jpg',
          key,
          'originals/2024',
        ])
        expect(await keysIn(storage)).toEqual(['originals/2024/06/other~bbbbbbbb.jpg'])
      })

      test('a key is free again once its object is removed', async () => {
        await storage.put(key, chunksOf('old'))
        await storage.remove([key])
        await storage.put(key, chunksOf('new'))
        expect(await read(key)).toBe('new')
      })

      test('putting into a folder while its last object is removed loses nothing', async () => {
        for (let round = 0; round < 40; round++) {
          await storage.put('originals/2024/06/old.jpg', chunksOf('old'))
          await Promise.all([
            storage.remove(['originals/2024/06/old.jpg']),
            ...[1, 2, 3].map(number => storage.put(`originals/2024/06/${number}.jpg`, chunksOf('new'))),
          ])
          const expected = [1, 2, 3].map(number => `originals/2024/06/${number}.jpg`)
          expect(await keysIn(storage)).toEqual(expected)
          await storage.remove(expected)
        }
      })

      test('a list holds what begins with the prefix, with sizes and times', async () => {
        const before = Date.now()
        await storage.put('originals/2024/06/a.jpg', chunksOf('1'))
        await storage.put('originals/2024/07/b.jpg', chunksOf('22'))
        await storage.put('originals/2025/01/c.jpg', chunksOf('333'))
        await storage.put('variants/2024/06/a/d.jpg', chunksOf('4444'))

        expect(await keysIn(storage, 'originals/2024')).toEqual(['originals/2024/06/a.jpg', 'originals/2024/07/b.jpg'])
        expect(await keysIn(storage, 'originals/2024/0')).toHaveLength(2)
        expect(await keysIn(storage, 'o')).toHaveLength(3)
        expect(await keysIn(storage)).toHaveLength(4)
        expect(await keysIn(storage, 'nothing/here')).toEqual([])

        const [object] = await listed(storage, 'variants/')
        expect(object).toMatchObject({ key: 'variants/2024/06/a/d.jpg', size: 4 })
        // A remote storage has its own clock.
        expect(Math.abs((object?.modifiedAt.getTime() ?? 0) - before)).toBeLessThan(60_000)
      })
    })

    test('a sound storage passes its health check and keeps nothing of it', async () => {
      await storage.check()
      await expectNothingLeft()
    })
  })
}
