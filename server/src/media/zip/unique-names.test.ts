import { expect, test } from 'vitest'
import { createUniqueNames } from './unique-names.ts'

function named(...names: string[]): string[] {
  const nameFor = createUniqueNames()
  return names.map(name => nameFor(name))
}

test('equal names are kept apart', () => {
  expect(named('a.jpg', 'b.jpg', 'a.jpg', 'a.jpg')).toEqual(['a.jpg', 'b.jpg', 'a (2).jpg', 'a (3).jpg'])
})

test('a photo and its clip keep a name in common', () => {
  const nameFor = createUniqueNames()
  expect(nameFor('IMG_1.mov')).toBe('IMG_1.mov')
  expect(nameFor('IMG_1.HEIC', '.MOV')).toBe('IMG_1 (2).HEIC')
  expect(nameFor('IMG_1 (2).mov')).toBe('IMG_1 (2) (2).mov')
})

test('names that are one on most systems are equal', () => {
  expect(named('a.jpg', 'A.JPG', 'Zoe\u0308.jpg', 'Zo\u00eb.jpg')).toEqual([
    'a.jpg',
    'A (2).JPG',
    'Zoe\u0308.jpg',
    'Zo\u00eb (2).jpg',
  ])
})

test('a number that somebody gave already is passed over', () => {
  expect(named('a (2).jpg', 'a.jpg', 'a.jpg', 'a (2).jpg')).toEqual([
    'a (2).jpg',
    'a.jpg',
    'a (3).jpg',
    'a (2) (2).jpg',
  ])
})

test('no name is a path, a command to the reader or longer than a disk allows', () => {
  expect(named('../../etc/passwd', 'C:\\x.jpg', '..', '', ' ', '.jpg', 'a\u202egpj.exe', 'x\u0000\n.jpg')).toEqual([
    '.._.._etc_passwd',
    'C__x.jpg',
    'file',
    'file (2)',
    'file (3)',
    'file.jpg',
    'agpj.exe',
    'x.jpg',
  ])
  const [first = '', second = ''] = named(`${'東'.repeat(255)}.jpg`, `${'東'.repeat(255)}.jpg`)
  for (const name of [first, second]) {
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255)
    expect(name).toMatch(/^東+( \(2\))?\.jpg$/)
  }
  expect(second).not.toBe(first)
  expect(named('half \ud800.jpg')).toEqual(['half \ufffd.jpg'])
})

test('ten thousand files of one name get ten thousand names', () => {
  expect(new Set(named(...Array.from({ length: 10_000 }, () => 'photo.jpg'))).size).toBe(10_000)
})
