import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '#server/kit/clock.ts'
import { pathBelow, rootFolder } from '#server/kit/safe-path.ts'
import { bytesOf, chunksOf, keysIn } from '../../../test/storage-contents.ts'
import { createSigning } from '../signing.ts'
import { describeStorage } from '../storage.contract.ts'
import { type LocalStorage, openLocalStorage } from './local-storage.ts'

const signing = createSigning({ secret: randomBytes(32), clock: systemClock })
const key = 'originals/2024/06/IMG_1234~k3v9x2ab.jpg'

describeStorage('local storage', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'heirloom-storage-'))
  return {
    storage: await openLocalStorage({ folder, signing }),
    leftovers: () => readdir(join(folder, '.tmp')),
    dispose: () => rm(folder, { recursive: true }),
  }
})

let home: string
let folder: string
let storage: LocalStorage

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'heirloom-local-'))
  folder = join(home, 'library')
  storage = await openLocalStorage({ folder, signing })
})
afterEach(() => rm(home, { recursive: true }))

test('a family finds its photo in the folder without the product', async () => {
  await storage.put(key, chunksOf('pixels'))
  expect(await readFile(join(folder, key), 'utf8')).toBe('pixels')
})

test('folders that have become empty go, others stay', async () => {
  await storage.put(key, chunksOf('a'))
  await storage.put('originals/2024/05/b.jpg', chunksOf('b'))
  await storage.remove([key])
  expect(await readdir(join(folder, 'originals/2024'))).toEqual(['05'])
  await storage.remove(['originals/2024/05/b.jpg'])
  expect(await readdir(folder)).toEqual(['.tmp'])
  await storage.put(key, chunksOf('again'))
  expect(await keysIn(storage)).toEqual([key])
})

test('a folder that a person removed by hand is made again', async () => {
  await storage.put(key, chunksOf('a'))
  await rm(join(folder, 'originals'), { recursive: true })
  await storage.put(key, chunksOf('b'))
  expect(await readFile(join(folder, key), 'utf8')).toBe('b')
})

test('what a person laid into the folder under no proper key is not listed', async () => {
  await storage.put(key, chunksOf('a'))
  await writeFile(join(folder, 'originals/.DS_Store'), 'x')
  await writeFile(join(folder, 'originals/e\u0301.jpg'), 'x')
  expect(await keysIn(storage)).toEqual([key])
})

test('the sweep removes every temporary file from before and no object', async () => {
  await storage.put(key, chunksOf('a'))
  await writeFile(join(folder, '.tmp/half'), 'half')
  await mkdir(join(folder, '.tmp/folder/within'), { recursive: true })
  await storage.removeUnfinished(new Date(Date.now() - 60_000))
  expect(await readdir(join(folder, '.tmp'))).toHaveLength(2)
  await storage.removeUnfinished(new Date(Date.now() + 60_000))
  expect(await readdir(join(folder, '.tmp'))).toEqual([])
  expect(await keysIn(storage)).toEqual([key])
})

test('where the disk is no longer mounted nothing is written, and the health check says so', async () => {
  await storage.put(key, chunksOf('a'))
  await rm(folder, { recursive: true })
  await mkdir(folder)
  await expect(storage.check()).rejects.toMatchObject({ code: 'unavailable' })
  await expect(storage.put(key, chunksOf('b'))).rejects.toMatchObject({ code: 'unavailable', status: 503 })
  expect(await readdir(folder)).toEqual([])
})

const MEGABYTES = process.env.LONG ? 512 : 32

test(`a stream of ${MEGABYTES} MB passes through with flat memory`, { timeout: 120_000 }, async () => {
  const before = process.memoryUsage.rss()
  let peak = before
  async function* long() {
    for (let chunk = 0; chunk < 4 * MEGABYTES; chunk++) {
      yield Buffer.alloc(256 * 1024, chunk)
      peak = Math.max(peak, process.memoryUsage.rss())
    }
  }
  expect(await storage.put(key, long())).toEqual({ size: MEGABYTES * 1024 * 1024 })
  if (process.env.LONG) expect(peak - before).toBeLessThan(128 * 1024 * 1024)
})

describe('links in the storage folder', () => {
  let outside: string

  beforeEach(async () => {
    outside = join(home, 'outside')
    await mkdir(join(outside, '2024/06'), { recursive: true })
    await writeFile(join(outside, '2024/06/secret.jpg'), 'secret')
  })

  async function expectNoWayOut(leading: string): Promise<void> {
    expect(await storage.stat(leading)).toBeUndefined()
    expect(await storage.open(leading)).toBeUndefined()
    await expect(storage.read(leading)).rejects.toMatchObject({ code: 'not_found' })
    await expect(storage.withLocalCopy(leading, async path => path)).rejects.toMatchObject({ code: 'not_found' })
    await storage.remove([leading])
    expect(await keysIn(storage)).toEqual([])
    expect(await readFile(join(outside, '2024/06/secret.jpg'), 'utf8')).toBe('secret')
  }

  test('a linked file leads nowhere', async () => {
    await mkdir(join(folder, 'originals/2024/06'), { recursive: true })
    await symlink(join(outside, '2024/06/secret.jpg'), join(folder, 'originals/2024/06/secret.jpg'))
    await expectNoWayOut('originals/2024/06/secret.jpg')
    await expect(storage.put('originals/2024/06/secret.jpg', chunksOf('x'))).rejects.toMatchObject({ code: 'conflict' })
  })

  test('a linked folder leads nowhere, and nothing is written through it', async () => {
    await symlink(outside, join(folder, 'originals'))
    await expectNoWayOut('originals/2024/06/secret.jpg')
    await expect(storage.put('originals/2024/06/new.jpg', chunksOf('x'))).rejects.toMatchObject({ code: 'unavailable' })
    await expect(storage.put('originals/2030/06/new.jpg', chunksOf('x'))).rejects.toMatchObject({ code: 'unavailable' })
    expect(await readdir(outside)).toEqual(['2024'])
    expect(await readdir(join(outside, '2024/06'))).toEqual(['secret.jpg'])
  })

  test('a folder that becomes a link after it was used leads nowhere either', async () => {
    await storage.put('originals/2024/06/old.jpg', chunksOf('old'))
    await rm(join(folder, 'originals'), { recursive: true })
    await symlink(outside, join(folder, 'originals'))
    await expectNoWayOut('originals/2024/06/secret.jpg')
    await expect(storage.put('originals/2024/06/new.jpg', chunksOf('x'))).rejects.toMatchObject({ code: 'unavailable' })
    expect(await readdir(join(outside, '2024/06'))).toEqual(['secret.jpg'])
  })

  test('nothing is removed through a linked folder of unfinished files', async () => {
    await rm(join(folder, '.tmp'), { recursive: true })
    await symlink(join(outside, '2024/06'), join(folder, '.tmp'))
    const refused = { code: 'unavailable' }
    await expect(storage.removeUnfinished(new Date(Date.now() + 60_000))).rejects.toMatchObject(refused)
    await expect(openLocalStorage({ folder, signing })).rejects.toMatchObject(refused)
    expect(await readdir(join(outside, '2024/06'))).toEqual(['secret.jpg'])
  })

  test('the storage folder itself may be a link to another disk', async () => {
    await symlink(outside, join(home, 'linked'))
    const linked = await openLocalStorage({ folder: join(home, 'linked'), signing })
    await linked.put(key, chunksOf('a'))
    expect(await bytesOf((await linked.read(key)).stream)).toEqual(Buffer.from('a'))
  })
})

describe.skipIf(!mayMount())('a disk of 4 MB (tested where mounting one is permitted)', () => {
  let small: LocalStorage

  beforeEach(async () => {
    const disk = join(home, 'disk')
    await mkdir(disk)
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', disk])
    small = await openLocalStorage({ folder: disk, signing })
  })
  afterEach(() => void execFileSync('umount', [join(home, 'disk')]))

  const megabytes = (count: number) => chunksOf(...Array.from({ length: count }, () => randomBytes(1024 * 1024)))

  test('says that it is full, keeps nothing of what did not fit, and works again when there is room', async () => {
    await small.put('originals/first.jpg', megabytes(2))
    await expect(small.put('originals/second.jpg', megabytes(3))).rejects.toMatchObject({
      code: 'storage_full',
      status: 507,
    })
    expect(await keysIn(small)).toEqual(['originals/first.jpg'])
    expect(await readdir(join(home, 'disk/.tmp'))).toEqual([])

    await small.remove(['originals/first.jpg'])
    expect(await small.put('originals/second.jpg', megabytes(3))).toEqual({ size: 3 * 1024 * 1024 })
  })

  test('takes over a file of another disk by copying it', async () => {
    const path = pathBelow(rootFolder(home), 'finished.jpg')
    await writeFile(path, 'from another disk')
    expect(await small.putFile(key, path)).toEqual({ size: 17 })
    expect((await bytesOf((await small.read(key)).stream)).toString()).toBe('from another disk')
    expect(existsSync(path)).toBe(false)
  })

  test('leaves a file of another disk alone when it does not fit', async () => {
    const path = pathBelow(rootFolder(home), 'finished.jpg')
    await writeFile(path, randomBytes(5 * 1024 * 1024))
    await expect(small.putFile(key, path)).rejects.toMatchObject({ code: 'storage_full' })
    expect((await stat(path)).size).toBe(5 * 1024 * 1024)
    expect(await keysIn(small)).toEqual([])
  })
})

function mayMount(): boolean {
  return spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0
}
