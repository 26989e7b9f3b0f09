import { expect, test } from 'vitest'
import { itemWith } from '../test-support/items.ts'
import type { Status } from './item.ts'
import { byName, inListOrder } from './order.ts'

test('what is being worked on comes first and what is done last', () => {
  const statuses: Status[] = [
    'success',
    'duplicate',
    'error',
    'pending',
    'uploading',
    'checking',
    'hashing',
    'extracting',
    'transcoding',
    'processing',
  ]
  const listed = inListOrder(statuses.map(status => itemWith({ status })))
  expect(listed.map(item => item.status)).toEqual(statuses.toReversed())
})

test('of one status, names come in natural order', () => {
  const names = ['IMG_10.jpg', 'img_9.jpg', 'IMG_2.jpg', 'a.jpg']
  const sorted = names.map(name => itemWith({ name })).sort(byName)
  expect(inListOrder(sorted).map(item => item.name)).toEqual(['a.jpg', 'IMG_2.jpg', 'img_9.jpg', 'IMG_10.jpg'])
})

test('two files that are called the same stand in the order in which they were chosen', () => {
  const [first, second] = [itemWith({ name: 'image.jpg' }), itemWith({ name: 'image.jpg' })]
  expect([second, first].sort(byName)).toEqual([first, second])
})
