import { randomInt } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { isKey, randomSuffix, scopeOf, storedName } from './keys.ts'

describe('the scope of a key', () => {
  test('is one for all parts of a file', () => {
    const parts = [
      'originals/2024/06/IMG_1234~k3v9x2ab.heic',
      'originals/2024/06/IMG_1234~k3v9x2ab.motion.mov',
      'originals/2024/06/IMG_1234~k3v9x2ab',
      'variants/2024/06/IMG_1234~k3v9x2ab/full-v1.jpg',
      'variants/2024/06/IMG_1234~k3v9x2ab/thumbnail-v2.jpg',
    ]
    expect(new Set(parts.map(scopeOf))).toEqual(new Set(['2024/06/IMG_1234~k3v9x2ab']))
  })

  test('is another for every other file, however alike', () => {
    const files = [
      'originals/2024/06/IMG_1234~k3v9x2ab.jpg',
      'originals/2024/06/IMG_1234~k3v9x2ac.jpg',
      'originals/2024/07/IMG_1234~k3v9x2ab.jpg',
      'originals/2024/06/IMG_1235~k3v9x2ab.jpg',
      'originals/2024/06/IMG_1234~k3v9x2abc.jpg',
      'originals/2024/06/IMG_1234~k3v9x2a.jpg',
      'originals/2024/06/IMG_1234~K3V9X2AB.jpg',
      'originals/2024/06/IMG_1234~k3v9x2ab.jpg~aaaaaaaa.jpg',
      'originals/2024/06/IMG_1234~k3v9x2ab~aaaaaaaa.jpg',
      'originals/2024/06/~k3v9x2ab.jpg',
      'originals/2024/06/IMG_1234.jpg',
    ]
    expect(new Set(files.map(scopeOf)).size).toBe(files.length)
  })

  test('goes by the last tail alone: a name that imitates the tail of another file gains nothing', () => {
    expect(scopeOf('originals/2024/06/IMG_1234~k3v9x2ab~aaaaaaaa.jpg')).toBe('2024/06/IMG_1234~k3v9x2ab~aaaaaaaa')
    expect(scopeOf('variants/2024/06/IMG_1234~k3v9x2ab/x~y.jpg')).toBe('variants/2024/06/IMG_1234~k3v9x2ab/x~y.jpg')
  })

  test('is the whole key where there is no tail', () => {
    expect(scopeOf('avatars/7/v1.jpg')).toBe('avatars/7/v1.jpg')
    expect(scopeOf('avatars/7~short.jpg')).toBe('avatars/7~short.jpg')
  })
})

describe('the name a file is stored under', () => {
  test.each([
    ['IMG_1234.JPG', 'IMG_1234'],
    ['Été à Łódź.jpeg', 'Été à Łódź'],
    ['e\u0301te\u0301.jpg', 'été'],
    ['Oma 12.07.2019.jpg', 'Oma 12.07.2019'],
    ['Oma 12.07.2019', 'Oma 12.07.2019'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\Mum\\IMG.jpg', 'IMG'],
    ['.hidden.jpg', 'hidden'],
    ['a:b*c?"d"<e>|f.jpg', 'a_b_c__d__e__f'],
    ['invoice\u202Egpj.exe', 'invoicegpj'],
    ['two\nlines\0.jpg', 'twolines'],
    ['👨‍👩‍👧 🎂.png', '👨‍👩‍👧 🎂'],
    ['東京.heic', '東京'],
    ['a~b~k3v9x2ab.jpg', 'a~b~k3v9x2ab'],
    ['...', 'file'],
    ['', 'file'],
    ['\uD800.jpg', 'file'],
  ])('%j reads %j', (name, stem) => {
    expect(storedName(name, 'aaaaaaaa', 'jpg')).toBe(`${stem}~aaaaaaaa.jpg`)
  })

  test('is cut to a length every disk takes, between characters', () => {
    const stored = storedName(`${'👩'.repeat(200)}.jpg`, 'aaaaaaaa', 'jpg')
    expect(stored).toBe(`${'👩'.repeat(30)}~aaaaaaaa.jpg`)
  })

  test('needs no extension', () => {
    expect(storedName('IMG.xyz', 'aaaaaaaa', '')).toBe('IMG~aaaaaaaa')
  })

  test('makes a sound key that keeps its tail, whatever the name', () => {
    const pieces = [
      'a',
      '.',
      '..',
      '/',
      '\\',
      '~',
      '~k3v9x2ab',
      ' ',
      '\u0301',
      '\u202E',
      '\uD83D',
      '👩',
      '\0',
      '\uFEFF',
      'ß',
      'é',
    ]
    const unsound: string[] = []
    for (let round = 0; round < 5_000; round++) {
      const name = Array.from({ length: randomInt(80) }, () => pieces[randomInt(pieces.length)]).join('')
      const tail = randomSuffix()
      const key = `originals/2024/06/${storedName(name, tail, 'jpg')}`
      if (!isKey(key) || !scopeOf(key).endsWith(`~${tail}`)) unsound.push(name)
    }
    expect(unsound).toEqual([])
  })
})

test('tails differ, and every tail is seen as one', () => {
  const tails = Array.from({ length: 10_000 }, randomSuffix)
  expect(new Set(tails).size).toBe(tails.length)
  expect(tails.filter(tail => scopeOf(`a/b~${tail}.jpg`) !== `b~${tail}`)).toEqual([])
})
