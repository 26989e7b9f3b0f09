import { expect, test } from 'vitest'
import { parseIds } from './drag.ts'

test('dropped files are a list of unique ids', () => {
  expect(parseIds('[3,1,3]')).toEqual([3, 1])
})

test.each(['', 'null', '{"0":1}', '["1"]', '[1,-2]', '[1.5]', '[1', '[[1]]', '[1e300]'])(
  'anything but a list of ids moves nothing: %s',
  text => {
    expect(parseIds(text)).toEqual([])
  },
)
