import { expect, test } from 'vitest'
import { isHidden, pathOf, reasonOf } from './accept.ts'
import { fileOf } from './test-support/items.ts'

test('the first reason is the row’s error, and none at all is an invalid file', () => {
  const invalidType = { code: 'file-invalid-type', message: 'a long list of endings' }
  const tooLarge = { code: 'file-too-large', message: 'File is larger than 1 KB' }
  expect(reasonOf({ errors: [invalidType, tooLarge] })).toBe('This file is neither a photo nor a video')
  expect(reasonOf({ errors: [tooLarge, invalidType] })).toBe('File is larger than 1 KB')
  expect(reasonOf({ errors: [{ code: 'file-too-small', message: 'File is smaller than 1 byte' }] })).toBe(
    'This file is empty',
  )
  expect(reasonOf({ errors: [] })).toBe('Invalid file')
})

test('a file knows the folders it was dropped in', () => {
  const dropped = (path: string) => pathOf(Object.assign(fileOf(1, 'a.jpg'), { path }))
  expect(dropped('/Summer/Beach/a.jpg')).toEqual(['Summer', 'Beach'])
  expect(dropped('Summer/a.jpg')).toEqual(['Summer'])
  expect(dropped('./a.jpg')).toEqual([])
})

test('what a computer hides was not chosen', () => {
  expect(['.DS_Store', '._IMG_1.jpg', 'IMG_1.jpg'].map(name => isHidden(fileOf(1, name)))).toEqual([true, true, false])
})
