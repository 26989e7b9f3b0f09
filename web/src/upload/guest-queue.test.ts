import { expect, test } from 'vitest'
import { GuestQueue } from './guest-queue.ts'

test('a file that can never be sent is not tried again', () => {
  const queue = new GuestQueue(1, () => {})
  queue.add([], [{ file: new File(['text'], 'notes.md'), reason: 'This file is neither a photo nor a video' }])
  queue.retryFailed()
  expect(queue.state().items.map(({ status }) => status)).toEqual(['refused'])
})
