import { expect, test } from 'vitest'
import { itemWith } from '../test-support/items.ts'
import type { UploadItem } from './item.ts'
import { ProgressTracker } from './progress.ts'

const MB = 1024 ** 2

test('the bar never goes backwards: not when files join, a file is tried again, or a step begins anew', () => {
  const tracker = new ProgressTracker()
  const a = itemWith({ size: 10 * MB })
  const b = itemWith({ size: 10 * MB })
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
    [{ ...a, status: 'success' }, { ...b, status: 'transcoding', progress: 1 }, itemWith({ size: 100 * MB })],
    [
      { ...a, status: 'success' },
      { ...b, status: 'uploading', progress: 0.5 },
    ],
    [
      { ...a, status: 'success' },
      { ...b, status: 'success' },
    ],
  ]
  const shown = moments.map((batch, i) => tracker.follow(batch, i * 1_000).done)
  expect(shown).toEqual(shown.toSorted((x, y) => x - y))
  expect(shown[3]).toBeGreaterThan(shown[2] ?? 1)
  expect(shown.at(-1)).toBe(1)
})

test('it says which file of how many is at it', () => {
  const tracker = new ProgressTracker()
  const batch = [itemWith({ status: 'success' }), itemWith({ status: 'uploading' }), itemWith()]
  expect(tracker.follow(batch, 0)).toMatchObject({ current: 2, total: 3 })
  const all = batch.map((item): UploadItem => ({ ...item, status: 'success' }))
  expect(tracker.follow(all, 1)).toMatchObject({ current: 3, total: 3 })
})

test('the time left follows the pace, and is not told before there is one', () => {
  const tracker = new ProgressTracker()
  const item = itemWith({ size: 100 * MB, status: 'uploading' })
  const at = (seconds: number) => tracker.follow([{ ...item, progress: seconds / 100 }], seconds * 1_000).timeLeft
  expect([0, 1, 2, 3].map(at)).toEqual([null, null, null, null])
  for (let seconds = 4; seconds < 50; seconds++) at(seconds)
  expect((at(50) ?? 0) / 1_000).toBeGreaterThan(45)
  expect((at(51) ?? 0) / 1_000).toBeLessThan(56)
})

test('the time left does not swing when small and large files alternate', () => {
  const tracker = new ProgressTracker()
  const sizes = Array.from({ length: 24 }, (_, i) => (i % 2 === 0 ? 40 * MB : MB))
  const [bytesPerMs, pauseMs] = [(4 * MB) / 1_000, 1_500]
  let began = 0
  const files = sizes.map(size => {
    const file = { item: itemWith({ size }), began, ended: began + size / bytesPerMs }
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
    const { timeLeft } = tracker.follow(batchAt(now), now)
    if (now > 20_000) estimates.push(((timeLeft ?? 0) + now) / end)
  }
  expect(Math.min(...estimates)).toBeGreaterThan(0.8)
  expect(Math.max(...estimates)).toBeLessThan(1.2)
  const steps = estimates.slice(4).map((estimate, i) => Math.abs(estimate - (estimates[i] ?? 0)))
  expect(Math.max(...steps)).toBeLessThan(0.03)
})

test('no time left is given once nothing has moved for a while', () => {
  const tracker = new ProgressTracker()
  const item = itemWith({ size: 100 * MB, status: 'uploading' })
  const at = (seconds: number) =>
    tracker.follow([{ ...item, progress: Math.min(seconds, 20) / 100 }], seconds * 1_000).timeLeft
  for (let seconds = 0; seconds <= 40; seconds++) at(seconds)
  expect(at(41)).toBeGreaterThan(80_000)
  expect(at(60)).toBeNull()
})
