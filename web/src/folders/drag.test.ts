import { expect, test } from 'vitest'
import { dragKind, parseIds } from './drag.ts'

test('files and folders are told from everything else that can be dragged', () => {
  expect(dragKind(['text/plain', 'application/x-heirloom-files'])).toBe('files')
  expect(dragKind(['application/x-heirloom-folder'])).toBe('folder')
  expect(dragKind(['Files', 'text/uri-list'])).toBeUndefined()
})

test('dropped files are a list of ids, each once', () => {
  expect(parseIds('[3,1,3]')).toEqual([3, 1])
})

test.each(['', 'null', '{"0":1}', '["1"]', '[1,-2]', '[1.5]', '[1', '[[1]]', '[1e300]'])(
  'what is no list of ids moves nothing: %s',
  text => {
    expect(parseIds(text)).toEqual([])
  },
)
