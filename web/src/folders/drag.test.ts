import { expect, test } from 'vitest'
import { dragKind, parseIds } from './drag.ts'

test('dragged files and folders are recognised by their MIME type', () => {
  expect(dragKind(['text/plain', 'application/x-heirloom-files'])).toBe('files')
  expect(dragKind(['application/x-heirloom-folder'])).toBe('folder')
  expect(dragKind(['Files', 'text/uri-list'])).toBeUndefined()
})

test('dropped files are a list of unique ids', () => {
  expect(parseIds('[3,1,3]')).toEqual([3, 1])
})

test.each(['', 'null', '{"0":1}', '["1"]', '[1,-2]', '[1.5]', '[1', '[[1]]', '[1e300]'])(
  'anything but a list of ids moves nothing: %s',
  text => {
    expect(parseIds(text)).toEqual([])
  },
)
