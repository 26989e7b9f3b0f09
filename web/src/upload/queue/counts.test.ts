import { expect, test } from 'vitest'
import { itemWith } from '../test-support/items.ts'
import { countItems, insightsOf, resultOf } from './counts.ts'

const MB = 1024 ** 2

test('every item counts once, under what it is', () => {
  const items = [
    itemWith(),
    itemWith({ status: 'hashing' }),
    itemWith({ status: 'uploading' }),
    itemWith({ status: 'duplicate' }),
    itemWith({ status: 'success' }),
    itemWith({ status: 'error' }),
  ]
  expect(countItems(items)).toEqual({
    total: 6,
    ready: 1,
    busy: 2,
    duplicates: 1,
    uploaded: 1,
    failed: 1,
    rejected: 0,
    processed: 3,
    toUpload: 3,
  })
})

test('the insights tell small, optimal and large files apart at their bounds, and leave out what is not sent', () => {
  const sizes = [MB - 1, MB, 20 * MB - 1, 20 * MB, 200 * MB, 200 * MB + 1, 500 * MB, 500 * MB + 1]
  const items = sizes.map(size => itemWith({ size }))
  const insights = insightsOf([
    ...items,
    itemWith({ size: 7, status: 'duplicate' }),
    itemWith({ size: 7, status: 'error', rejected: true }),
  ])
  expect(insights).toEqual({
    small: 1,
    optimal: 2,
    large: 1,
    batchSize: sizes.reduce((sum, size) => sum + size, 0),
  })
})

test('skipped and rejected files count in no result', () => {
  const batch = [
    itemWith({ status: 'success' }),
    itemWith({ status: 'success' }),
    itemWith({ status: 'duplicate' }),
    itemWith({ status: 'error' }),
    itemWith({ status: 'error', rejected: true }),
  ]
  expect(resultOf(batch)).toEqual({ succeeded: 2, failed: 1 })
})
