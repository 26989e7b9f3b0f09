import { expect, test } from 'vitest'
import { createReceipt, toTabSeparated } from './dialog/Receipt.tsx'
import { camera, itemFacts, position, statusText, takenOn, timeLeftText } from './item-text.ts'
import { createTestItem } from './test-support/items.ts'
import { texts } from './texts.ts'
import type { UploadItem } from './upload-items.ts'

test('every status has its text', () => {
  const text = (change: Partial<UploadItem>) => statusText(createTestItem(change))
  expect(text({})).toBe('Waiting')
  expect(text({ inspected: true })).toBe('Ready')
  expect(text({ status: 'extracting' })).toBe('Reading date and place…')
  expect(text({ status: 'hashing', progress: 0.5 })).toBe('Reading… 50%')
  expect(text({ status: 'checking' })).toBe('Checking for duplicates…')
  expect(text({ status: 'processing' })).toBe('Processing…')
  expect(text({ status: 'transcoding', progress: 0.419 })).toBe('Converting… 41%')
  expect(text({ status: 'uploading', progress: 1 })).toBe('Uploading… 100%')
  expect(text({ status: 'uploading', offline: true })).toBe('Waiting for the connection…')
  expect(text({ status: 'success' })).toBe('Uploaded')
  expect(text({ status: 'error', error: 'Upload failed' })).toBe('Upload failed')
  const twin = { name: 'b.jpg', where: 'selection' } as const
  expect(text({ status: 'duplicate', duplicateOf: twin })).toContain('“b.jpg” in this selection')
})

test('the remaining time is rounded to minutes and hours', () => {
  const text = (minutes: number | null) =>
    timeLeftText({ done: 0, current: 1, total: 1, timeLeft: minutes === null ? null : minutes * 60_000 })
  expect([null, 0.5, 1.2, 3, 89, 120].map(text)).toEqual([
    null,
    'Less than a minute left',
    'About a minute left',
    'About 3 minutes left',
    'About 89 minutes left',
    'About 2 hours left',
  ])
})

test('counts use singular and plural', () => {
  expect(texts.footer.upload({ count: 1 })).toBe('Upload 1 File')
  expect(texts.footer.upload({ count: 40 })).toBe('Upload 40 Files')
  expect(texts.footer.processed({ done: 3, total: 40 })).toBe('3 of 40 files processed')
  expect(texts.toasts.allDone({ count: 2 })).toBe('Successfully processed 2 files')
  expect(texts.toasts.someFailed({ done: 2, failed: 1 })).toBe('Processed 2 files, 1 failed')
  expect(texts.toasts.allFailed({ count: 3 })).toBe('Failed to process 3 files')
})

test('the receipt groups files by result and can be copied as lines', () => {
  const hash = 'f'.repeat(64)
  const receipt = createReceipt([
    createTestItem({ name: 'a.jpg', status: 'success', hash, hashConfirmed: true }),
    createTestItem({ name: 'b.jpg', status: 'success' }),
    createTestItem({ name: 'c.jpg', status: 'duplicate', duplicateOf: { name: 'old.jpg', where: 'library' } }),
    createTestItem({
      name: 'cut.heic',
      status: 'success',
      hash,
      hashConfirmed: true,
      incomplete: 'Its end is missing.',
    }),
    createTestItem({ name: 'same.heic', status: 'duplicate', incomplete: 'Its end is missing there too.' }),
    createTestItem({ name: 'd.jpg', status: 'error', error: 'Upload failed', note: 'The library has no room left.' }),
    createTestItem({ name: 'e.txt', status: 'error', error: 'Invalid file', rejectedByPicker: true }),
  ])
  expect(receipt.unconfirmed).toBe(1)
  expect(toTabSeparated(receipt).split('\n')).toEqual([
    `safe\ta.jpg\t${hash}`,
    'safe\tb.jpg\t',
    'already there\tc.jpg\told.jpg',
    'incomplete\tcut.heic\tIts end is missing.',
    'incomplete\tsame.heic\tIts end is missing there too.',
    'not uploaded\td.jpg\tUpload failed · The library has no room left.',
    'not accepted\te.txt\tInvalid file',
  ])
})

test('the date taken is not shifted by time zones', () => {
  expect(takenOn({ dateTimeOriginal: '2024-06-14T23:30:00+09:00' }, 'en-GB')).toBe('14 Jun 2024, 23:30')
  expect(takenOn({ dateTimeDigitized: '2024-06-14T08:05:00' }, 'en-GB')).toBe('14 Jun 2024, 08:05')
  expect(takenOn({ dateTimeOriginal: 'yesterday' })).toBeUndefined()
})

test('a position is written in degrees with its hemispheres', () => {
  expect(position({ latitude: 52.52, longitude: 13.405 })).toBe('52.5200° N, 13.4050° E')
  expect(position({ latitude: -33.8688, longitude: -70.66 })).toBe('33.8688° S, 70.6600° W')
  expect(position({ latitude: 52.52 })).toBeUndefined()
})

test('the camera is summarised in one line without repeating its maker', () => {
  const shot = { make: 'Canon', model: 'Canon EOS R5', fNumber: 2.8, exposureTime: 1 / 250, iso: 100 }
  expect(camera(shot)).toBe('Canon EOS R5 · f/2.8 · 1/250 s · ISO 100')
  expect(camera({ make: 'NIKON CORPORATION', model: 'NIKON D850' })).toBe('NIKON D850')
  expect(camera({ make: 'Apple', model: 'iPhone 15', exposureTime: 2 })).toBe('Apple iPhone 15 · 2 s')
  expect(camera({})).toBeUndefined()
})

test('a row shows size and date, and with details all that is known', () => {
  expect(itemFacts(createTestItem({ size: 2_500_000 }), { details: true })).toEqual(['2.4 MB'])
  const item = createTestItem({
    metadata: { dateTimeOriginal: '2024-06-14T12:30:00', latitude: 1, longitude: 2, model: 'X100' },
  })
  const date = expect.stringContaining('2024')
  expect(itemFacts(item, { details: false })).toEqual(['10 Bytes', date])
  expect(itemFacts(item, { details: true })).toEqual(['10 Bytes', date, '1.0000° N, 2.0000° E', 'X100'])
})
