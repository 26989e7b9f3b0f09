import { expect, test } from 'vitest'
import { createTestItem } from './test-support/items.ts'
import { texts } from './texts.ts'
import type { UploadItem } from './upload-items.ts'
import { countItems, insightsOf, isCompleteSuccess, ProgressTracker, resultOf } from './upload-progress.ts'

test('progress never decreases when files are added, retried or prepared again', () => {
  const tracker = new ProgressTracker()
  const a = createTestItem({ size: 10 * MB })
  const b = createTestItem({ size: 10 * MB })
  const moments: UploadItem[][] = [
    [a, b],
    [{ ...a, status: 'processing' }, b],
    [{ ...a, status: 'uploading', progress: 0 }, b],
    [{ ...a, status: 'uploading', progress: 0.9 }, b],
    [{ ...a, status: 'error' }, b],
    [{ ...a, status: 'pending' }, b],
    [
      { ...a, status: 'uploading', progress: 0.1 },
      { ...b, status: 'transcoding', progress: 0.5 },
    ],
    [{ ...a, status: 'success' }, { ...b, status: 'transcoding', progress: 1 }, createTestItem({ size: 100 * MB })],
    [
      { ...a, status: 'success' },
      { ...b, status: 'uploading', progress: 0.5 },
    ],
    [
      { ...a, status: 'success' },
      { ...b, status: 'success' },
    ],
  ]
  const shown = moments.map((batch, i) => tracker.update(batch, i * 1_000).done)
  expect(shown).toEqual(shown.toSorted((x, y) => x - y))
  expect(shown[3]).toBeGreaterThan(shown[2] ?? 1)
  expect(shown.at(-1)).toBe(1)
})

test('the current file and the total are counted', () => {
  const tracker = new ProgressTracker()
  const batch = [createTestItem({ status: 'success' }), createTestItem({ status: 'uploading' }), createTestItem()]
  expect(tracker.update(batch, 0)).toMatchObject({ current: 2, total: 3 })
  const all = batch.map((item): UploadItem => ({ ...item, status: 'success' }))
  expect(tracker.update(all, 1)).toMatchObject({ current: 3, total: 3 })
})

test('the remaining time is estimated from recent speed, once there is enough data', () => {
  const tracker = new ProgressTracker()
  const item = createTestItem({ size: 100 * MB, status: 'uploading' })
  const at = (seconds: number) => tracker.update([{ ...item, progress: seconds / 100 }], seconds * 1_000).timeLeft
  expect([0, 1, 2, 3].map(at)).toEqual([null, null, null, null])
  for (let seconds = 4; seconds < 50; seconds++) at(seconds)
  expect((at(50) ?? 0) / 1_000).toBeGreaterThan(45)
  expect((at(51) ?? 0) / 1_000).toBeLessThan(56)
})

const MB = 1024 ** 2

test('the remaining time is stable when small and large files alternate', () => {
  const tracker = new ProgressTracker()
  const sizes = Array.from({ length: 24 }, (_, i) => (i % 2 === 0 ? 40 * MB : MB))
  const [bytesPerMs, pauseMs] = [(4 * MB) / 1_000, 1_500]
  let began = 0
  const files = sizes.map(size => {
    const file = { item: createTestItem({ size }), began, ended: began + size / bytesPerMs }
    began = file.ended + pauseMs
    return file
  })
  const end = began
  /** Progress is reported once a second, as a connection does that sends in bursts. */
  const batchAt = (now: number) =>
    files.map(({ item, began, ended }): UploadItem => {
      if (now >= ended) return { ...item, status: 'success' }
      const progress = Math.floor((now - began) / 1_000) / ((ended - began) / 1_000)
      return now < began ? item : { ...item, status: 'uploading', progress }
    })

  const estimates: number[] = []
  for (let now = 0; now < end * 0.9; now += 250) {
    const { timeLeft } = tracker.update(batchAt(now), now)
    if (now > 20_000) estimates.push(((timeLeft ?? 0) + now) / end)
  }
  expect(Math.min(...estimates)).toBeGreaterThan(0.8)
  expect(Math.max(...estimates)).toBeLessThan(1.2)
  const steps = estimates.slice(4).map((estimate, i) => Math.abs(estimate - (estimates[i] ?? 0)))
  expect(Math.max(...steps)).toBeLessThan(0.03)
})

test('no remaining time is shown after a stall', () => {
  const tracker = new ProgressTracker()
  const item = createTestItem({ size: 100 * MB, status: 'uploading' })
  const at = (seconds: number) =>
    tracker.update([{ ...item, progress: Math.min(seconds, 20) / 100 }], seconds * 1_000).timeLeft
  for (let seconds = 0; seconds <= 40; seconds++) at(seconds)
  expect(at(41)).toBeGreaterThan(80_000)
  expect(at(60)).toBeNull()
})

test('every item is counted once under its status', () => {
  const items = [
    createTestItem(),
    createTestItem({ status: 'hashing' }),
    createTestItem({ status: 'uploading' }),
    createTestItem({ status: 'duplicate' }),
    createTestItem({ status: 'success' }),
    createTestItem({ status: 'success', incomplete: 'Its end is missing.' }),
    createTestItem({ status: 'error' }),
    createTestItem({ status: 'error', rejectedByPicker: true }),
  ]
  expect(countItems(items)).toEqual({
    total: 8,
    ready: 1,
    busy: 2,
    duplicates: 1,
    uploaded: 2,
    failed: 1,
    rejected: 1,
    incomplete: 1,
    processed: 5,
    toUpload: 3,
  })
})

test('files are counted by size class, without those that are not sent', () => {
  const sizes = [MB - 1, MB, 20 * MB - 1, 20 * MB, 200 * MB, 200 * MB + 1, 500 * MB, 500 * MB + 1]
  const items = sizes.map(size => createTestItem({ size }))
  const insights = insightsOf([
    ...items,
    createTestItem({ size: 7, status: 'duplicate' }),
    createTestItem({ size: 7, status: 'error', rejectedByPicker: true }),
  ])
  expect(insights).toEqual({
    small: 1,
    optimal: 2,
    large: 1,
    batchSize: sizes.reduce((sum, size) => sum + size, 0),
  })
})

test('a file that failed, was rejected or is incomplete is no complete success', () => {
  const uploaded = [createTestItem({ status: 'success' }), createTestItem({ status: 'duplicate' })]
  expect(isCompleteSuccess(uploaded)).toBe(true)
  expect(isCompleteSuccess([...uploaded, createTestItem({ status: 'error' })])).toBe(false)
  expect(isCompleteSuccess([...uploaded, createTestItem({ status: 'error', rejectedByPicker: true })])).toBe(false)
  expect(isCompleteSuccess([...uploaded, createTestItem({ status: 'success', incomplete: 'Cut off.' })])).toBe(false)
})

test('skipped and rejected files are not part of the result', () => {
  const batch = [
    createTestItem({ status: 'success' }),
    createTestItem({ status: 'success' }),
    createTestItem({ status: 'duplicate' }),
    createTestItem({ status: 'error' }),
    createTestItem({ status: 'error', rejectedByPicker: true }),
  ]
  expect(resultOf(batch)).toEqual({ succeeded: 2, failed: 1, incomplete: 0 })
  // What is announced has the same figures as the toast.
  expect(texts.overall.finished(countItems(batch))).toBe(
    'Finished: 2 files uploaded, 1 already in the library, 1 failed, 1 not accepted',
  )
})
