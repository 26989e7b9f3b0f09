import { expect, test } from 'vitest'
import type { UploadItem } from './queue/item.ts'
import { asList, receiptOf } from './receipt.ts'
import { itemWith } from './test-support/items.ts'
import { texts } from './texts.ts'
import { statusText, timeLeft } from './words.ts'

test('every status has its words', () => {
  const said = (change: Partial<UploadItem>) => statusText(itemWith(change))
  expect(said({})).toBe('Waiting')
  expect(said({ examined: true })).toBe('Ready')
  expect(said({ status: 'extracting' })).toBe('Reading metadata…')
  expect(said({ status: 'hashing', progress: 0.5 })).toBe('Generating hash… 50%')
  expect(said({ status: 'checking' })).toBe('Checking for duplicates…')
  expect(said({ status: 'processing' })).toBe('Processing…')
  expect(said({ status: 'transcoding', progress: 0.419 })).toBe('Transcoding… 41%')
  expect(said({ status: 'uploading', progress: 1 })).toBe('Uploading… 100%')
  expect(said({ status: 'uploading', waiting: true })).toBe('Waiting for the connection…')
  expect(said({ status: 'success' })).toBe('Uploaded')
  expect(said({ status: 'error', error: 'Upload failed' })).toBe('Upload failed')
  const twin = { name: 'b.jpg', where: 'selection' } as const
  expect(said({ status: 'duplicate', duplicateOf: twin })).toContain('“b.jpg” in this selection')
})

test('the time left is told as people would', () => {
  const said = (minutes: number | null) =>
    timeLeft({ done: 0, current: 1, total: 1, timeLeft: minutes === null ? null : minutes * 60_000 })
  expect([null, 0.5, 1.2, 3, 89, 120].map(said)).toEqual([
    null,
    'Less than a minute left',
    'About a minute left',
    'About 3 minutes left',
    'About 89 minutes left',
    'About 2 hours left',
  ])
})

test('one file is one file, and many are files', () => {
  expect(texts.footer.upload(1)).toBe('Upload 1 File')
  expect(texts.footer.upload(40)).toBe('Upload 40 Files')
  expect(texts.footer.processed(3, 40)).toBe('3 of 40 files processed')
  expect(texts.toasts.allDone(2)).toBe('Successfully processed 2 files')
  expect(texts.toasts.someFailed(2, 1)).toBe('Processed 2 files, 1 failed')
  expect(texts.toasts.allFailed(3)).toBe('Failed to process 3 files')
})

test('the receipt sorts files by what became of them, and can be copied line by line', () => {
  const hash = 'f'.repeat(64)
  const receipt = receiptOf([
    itemWith({ name: 'a.jpg', status: 'success', hash, confirmed: true }),
    itemWith({ name: 'b.jpg', status: 'success' }),
    itemWith({ name: 'c.jpg', status: 'duplicate', duplicateOf: { name: 'old.jpg', where: 'library' } }),
    itemWith({ name: 'd.jpg', status: 'error', error: 'Upload failed', note: 'The library has no room left.' }),
    itemWith({ name: 'e.txt', status: 'error', error: 'Invalid file', rejected: true }),
  ])
  expect(receipt.unconfirmed).toBe(1)
  expect(asList(receipt).split('\n')).toEqual([
    `safe\ta.jpg\t${hash}`,
    'safe\tb.jpg\t',
    'already there\tc.jpg\told.jpg',
    'not uploaded\td.jpg\tUpload failed · The library has no room left.',
    'not accepted\te.txt\tInvalid file',
  ])
})
