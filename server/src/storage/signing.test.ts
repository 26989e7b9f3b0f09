import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createSigning } from './signing.ts'

const MINUTE = 60_000
const windowStart = Date.UTC(2024, 5, 1, 12, 0)
const original = 'originals/2024/06/IMG_1234~k3v9x2ab.jpg'
const thumbnail = 'variants/2024/06/IMG_1234~k3v9x2ab/thumbnail-v1.jpg'
const other = 'originals/2024/06/IMG_1235~zzzzzzzz.jpg'

function clockAt(start: number) {
  let now = start
  return {
    clock: () => now,
    pass(milliseconds: number) {
      now += milliseconds
    },
  }
}

function queryOf(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text))
}

describe('a signature', () => {
  const secret = randomBytes(32)
  const time = clockAt(windowStart)
  const signing = createSigning({ secret, clock: time.clock })
  const query = queryOf(signing.sign(original))

  test('opens the file it was made for', () => {
    expect(signing.secondsLeft(original, query)).toBe(3600)
  })

  test('opens every part of that file', () => {
    expect(signing.secondsLeft(thumbnail, query)).toBe(3600)
    expect(signing.sign(thumbnail)).toBe(signing.sign(original))
  })

  test('opens no other file', () => {
    expect(signing.secondsLeft(other, query)).toBeUndefined()
    expect(signing.secondsLeft('originals/2024/06/IMG_1234~k3v9x2ab~zzzzzzzz.jpg', query)).toBeUndefined()
    expect(signing.secondsLeft(`originals/2024/06/IMG_1234~k3v9x2ab\n.jpg`, query)).toBeUndefined()
  })

  test('opens nothing under another secret', () => {
    const stranger = createSigning({ secret: randomBytes(32), clock: time.clock })
    expect(stranger.secondsLeft(original, query)).toBeUndefined()
  })

  test.each(['exp', 'sig'])('opens nothing without its %s', name => {
    expect(signing.secondsLeft(original, { ...query, [name]: undefined })).toBeUndefined()
  })

  test('opens nothing when any of its characters is changed', () => {
    const { sig = '' } = query
    for (let index = 0; index < sig.length; index++) {
      const changed = sig.slice(0, index) + (sig[index] === 'A' ? 'B' : 'A') + sig.slice(index + 1)
      expect(signing.secondsLeft(original, { ...query, sig: changed })).toBeUndefined()
    }
    expect(signing.secondsLeft(original, { ...query, sig: `${sig}=` })).toBeUndefined()
    expect(signing.secondsLeft(original, { ...query, sig: '' })).toBeUndefined()
  })

  test.each([
    ['a later expiry', String(windowStart / 1000 + 7200)],
    ['the same expiry written otherwise', `0${windowStart / 1000 + 3600}`],
    ['no number', 'tomorrow'],
    ['a list', ['1', '2']],
  ])('opens nothing with %s', (_what, exp) => {
    expect(signing.secondsLeft(original, { ...query, exp })).toBeUndefined()
  })
})

describe('a signature with a name to save under', () => {
  const signing = createSigning({ secret: randomBytes(32), clock: () => windowStart })
  const query = queryOf(signing.sign(original, 'Oma & Opa 🎂.jpg'))

  test('opens the file under that name', () => {
    expect(query.download).toBe('Oma & Opa 🎂.jpg')
    expect(signing.secondsLeft(original, query)).toBe(3600)
  })

  test('does not open it under another name, or none', () => {
    expect(signing.secondsLeft(original, { ...query, download: 'virus.exe' })).toBeUndefined()
    expect(signing.secondsLeft(original, { ...query, download: '' })).toBeUndefined()
    expect(signing.secondsLeft(original, { ...query, download: undefined })).toBeUndefined()
    expect(signing.secondsLeft(original, { ...query, download: ['Oma & Opa 🎂.jpg', 'virus.exe'] })).toBeUndefined()
  })

  test('is not had by adding a name to a plain one', () => {
    const plain = queryOf(signing.sign(original))
    expect(signing.secondsLeft(original, { ...plain, download: 'virus.exe' })).toBeUndefined()
    expect(signing.secondsLeft(original, { ...plain, download: '' })).toBeUndefined()
  })

  test('cannot be had by moving letters between key and name', () => {
    const moved = queryOf(signing.sign('avatars/7', 'b:c'))
    expect(signing.secondsLeft('avatars/7:b', { ...moved, download: 'c' })).toBeUndefined()
    expect(signing.secondsLeft('avatars/7:b:c', { ...moved, download: undefined })).toBeUndefined()
  })

  test('survives a name that is not well-formed text', () => {
    const broken = queryOf(signing.sign(original, 'half \uD83D'))
    expect(signing.secondsLeft(original, broken)).toBe(3600)
  })
})

describe('the window', () => {
  test('keeps addresses the same for half an hour, each valid for at least that and at most an hour', () => {
    const time = clockAt(windowStart)
    const signing = createSigning({ secret: randomBytes(32), clock: time.clock })
    const first = signing.sign(original)
    time.pass(30 * MINUTE - 1)
    expect(signing.sign(original)).toBe(first)
    expect(signing.secondsLeft(original, queryOf(first))).toBe(1800)
    time.pass(1)
    expect(signing.sign(original)).not.toBe(first)
    time.pass(30 * MINUTE - 1)
    expect(signing.secondsLeft(original, queryOf(first))).toBe(0)
    time.pass(1)
    expect(signing.secondsLeft(original, queryOf(first))).toBeUndefined()
  })

  test('bounds the expiry, whatever the signature says', () => {
    const secret = randomBytes(32)
    const signing = createSigning({ secret, clock: () => windowStart })
    const signedAt = (time: number) => queryOf(createSigning({ secret, clock: () => time }).sign(original))
    // A URL signed by a server whose clock is a few minutes ahead is valid on the others.
    const slower = createSigning({ secret, clock: () => windowStart + 28 * MINUTE })
    expect(slower.secondsLeft(original, signedAt(windowStart + 31 * MINUTE))).toBe(62 * 60)
    expect(signing.secondsLeft(original, signedAt(windowStart + 30 * MINUTE))).toBeUndefined()
    expect(signing.secondsLeft(original, signedAt(Date.UTC(2286, 10, 20)))).toBeUndefined()
    const download = queryOf(createSigning({ secret, clock: () => Date.UTC(2286, 10, 20) }).sign(original, 'a.jpg'))
    expect(signing.secondsLeft(original, download)).toBeUndefined()
  })

  test('gives the same addresses in every process that shares the secret', () => {
    const secret = randomBytes(32)
    const here = createSigning({ secret, clock: () => windowStart + 1 })
    const there = createSigning({ secret, clock: () => windowStart + 20 * MINUTE })
    expect(here.sign(original, 'a.jpg')).toBe(there.sign(original, 'a.jpg'))
  })
})

describe('the signature for small pictures', () => {
  const time = clockAt(windowStart)
  const signing = createSigning({ secret: randomBytes(32), clock: time.clock })
  const query = queryOf(signing.signSmallPictures())

  test.each([
    'variants/2024/06/IMG_1234~k3v9x2ab/thumbnail-v1-abcdefgh.jpg',
    'variants/2024/06/IMG_1235~zzzzzzzz/mobile-v12-abcdefgh.png',
    'variants/2024/06/IMG_1235~zzzzzzzz.mobile-v1.jpg',
  ])('opens %s', key => {
    expect(signing.secondsLeft(key, query)).toBe(3600)
  })

  test.each([
    original,
    'variants/2024/06/IMG_1234~k3v9x2ab/website-v1-abcdefgh.jpg',
    'variants/2024/06/IMG_1234~k3v9x2ab/desktop-v1-abcdefgh.jpg',
    'variants/2024/06/IMG_1234~k3v9x2ab/full-v1-abcdefgh.mp4',
    'variants/2024/06/IMG_1234~k3v9x2ab/motion_full-v1-abcdefgh.mp4',
    'variants/2024/06/IMG_1235~zzzzzzzz.full-v1.jpg',
    // Names that people gave.
    'originals/2024/06/thumbnail-v1-abcdefgh.jpg',
    'originals/variants/2024/x/thumbnail-v1-abcdefgh.jpg',
    'variants/2024/06/thumbnail-v1~k3v9x2ab/full-v1-abcdefgh.jpg',
    'variants/2024/06/thumbnail-v1-abcdefgh.jpg~k3v9x2ab/desktop-v1-abcdefgh.jpg',
    'variants/2024/06/.thumbnail-v1~k3v9x2ab.full-v1.jpg',
    'avatars/thumbnail-v1-abcdefgh.jpg',
  ])('does not open %s', key => {
    expect(signing.secondsLeft(key, query)).toBeUndefined()
    const { for: _, ...asFile } = query
    expect(signing.secondsLeft(key, asFile)).toBeUndefined()
  })

  test('opens nothing as a download, for another group, or with the signature of a file', () => {
    const key = 'variants/2024/06/IMG_1234~k3v9x2ab/thumbnail-v1-abcdefgh.jpg'
    expect(signing.secondsLeft(key, { ...query, download: 'a.jpg' })).toBeUndefined()
    expect(signing.secondsLeft(key, { ...query, for: 'all' })).toBeUndefined()
    expect(signing.secondsLeft(key, { ...query, for: ['small'] })).toBeUndefined()
    expect(signing.secondsLeft(key, { ...queryOf(signing.sign(key)), for: 'small' })).toBeUndefined()
  })

  test('is the same within its window, and ends an hour after its beginning', () => {
    const key = 'variants/2024/06/IMG_1234~k3v9x2ab/thumbnail-v1-abcdefgh.jpg'
    const before = signing.signSmallPictures()
    time.pass(29 * MINUTE)
    expect(signing.signSmallPictures()).toBe(before)
    time.pass(2 * MINUTE)
    expect(signing.signSmallPictures()).not.toBe(before)
    expect(signing.secondsLeft(key, queryOf(before))).toBe(29 * 60)
    time.pass(30 * MINUTE)
    expect(signing.secondsLeft(key, queryOf(before))).toBeUndefined()
  })
})
