import { expect, test } from 'vitest'
import { createGuestTransport } from './guest-transport.ts'
import { PendingUploads } from './pending-uploads.ts'
import { UploadQueue } from './upload-queue.ts'

test('a file that can never be sent is not tried again', () => {
  const queue = new UploadQueue(createGuestTransport(1), new PendingUploads('link 1', { keepsStored: true }))
  queue.addRejected([{ file: new File(['text'], 'notes.md'), reason: 'This file is neither a photo nor a video' }])
  queue.retry()
  expect(queue.state().items.map(({ status }) => status)).toEqual(['error'])
})
