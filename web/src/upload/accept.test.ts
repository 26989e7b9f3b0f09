import { expect, test } from 'vitest'
import { accepted, folderPathOf, isHidden, isVideo, refusalOf, rejectionReason } from './accept.ts'
import { fileOfSize } from './test-support/items.ts'

test('the first rejection reason is shown, or a general one if there is none', () => {
  const invalidType = { code: 'file-invalid-type', message: 'a long list of endings' }
  const tooLarge = { code: 'file-too-large', message: 'File is larger than 1 KB' }
  expect(rejectionReason({ errors: [invalidType, tooLarge] })).toBe('This file is neither a photo nor a video')
  expect(rejectionReason({ errors: [tooLarge, invalidType] })).toBe('File is larger than 1 KB')
  expect(rejectionReason({ errors: [{ code: 'file-too-small', message: 'File is smaller than 1 byte' }] })).toBe(
    'This file is empty',
  )
  expect(rejectionReason({ errors: [] })).toBe('Invalid file')
})

test('picture sequences are accepted by their extension, since browsers know no MIME type for them', () => {
  expect(Object.values(accepted).flat()).toEqual(expect.arrayContaining(['.heics', '.heifs', '.avcs', '.avifs']))
})

test('the folder path of a dropped file is kept', () => {
  const dropped = (path: string) => folderPathOf(Object.assign(fileOfSize(1, 'a.jpg'), { path }))
  expect(dropped('/Summer/Beach/a.jpg')).toEqual(['Summer', 'Beach'])
  expect(dropped('Summer/a.jpg')).toEqual(['Summer'])
  expect(dropped('./a.jpg')).toEqual([])
})

test('hidden files are ignored', () => {
  expect(['.DS_Store', '._IMG_1.jpg', 'IMG_1.jpg'].map(name => isHidden(fileOfSize(1, name)))).toEqual([
    true,
    true,
    false,
  ])
})

test('a video is recognised by its type, or by its extension where there is none', () => {
  expect(isVideo({ type: 'video/mp4', name: 'Film' })).toBe(true)
  expect(isVideo({ type: '', name: 'A/00001.MTS' })).toBe(true)
  expect(isVideo({ type: '', name: 'tape.m1v' })).toBe(true)
  expect(isVideo({ type: 'application/mxf', name: 'C0001.MXF' })).toBe(true)
  expect(isVideo({ type: '', name: 'IMG_1.HEIC' })).toBe(false)
})

test('files that do not come from the picker are judged by its rules', () => {
  const refused = (name: string, type = '', size = 1) => refusalOf(new File([new Uint8Array(size)], name, { type }))
  expect([refused('a.jpg', 'image/jpeg'), refused('DSC_1.NEF'), refused('a', 'video/mp4')]).toEqual([null, null, null])
  expect(refused('notes.pdf', 'application/pdf')).toBe('This file is neither a photo nor a video')
  expect(refused('a.jpg', 'image/jpeg', 0)).toBe('This file is empty')
})
