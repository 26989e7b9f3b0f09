import { uploadDialog } from '#contract/limits.ts'
import { isBusy, sizeOf, type UploadItem } from './item.ts'

export interface Counts {
  total: number
  /** Waiting for their turn, or for the person to press Upload. */
  ready: number
  duplicates: number
  uploaded: number
  failed: number
  /** Refused by the picker; they count among the failed, but nothing was ever to be done about them. */
  rejected: number
  busy: number
  /** Nothing is left to do about them. */
  processed: number
  /** What a press on Upload would send. */
  toUpload: number
}

export function countItems(items: readonly UploadItem[]): Counts {
  const counts = { total: items.length, ready: 0, duplicates: 0, uploaded: 0, failed: 0, rejected: 0, busy: 0 }
  for (const item of items) {
    if (item.status === 'pending') counts.ready++
    else if (item.status === 'duplicate') counts.duplicates++
    else if (item.status === 'success') counts.uploaded++
    else if (item.status === 'error') counts.failed++
    else if (isBusy(item)) counts.busy++
    if (item.rejected) counts.rejected++
  }
  const processed = counts.duplicates + counts.uploaded + counts.failed
  return { ...counts, processed, toUpload: counts.total - processed }
}

export interface Insights {
  small: number
  optimal: number
  large: number
  /** In bytes. */
  batchSize: number
}

/** How the files that are still to be sent are spread over the sizes. */
export function insightsOf(items: readonly UploadItem[]): Insights {
  const { smallBelow, optimalFrom, optimalTo, largeAbove } = uploadDialog.sizes
  const insights = { small: 0, optimal: 0, large: 0, batchSize: 0 }
  for (const item of items) {
    if (item.rejected || item.status === 'duplicate') continue
    const size = sizeOf(item)
    insights.batchSize += size
    if (size < smallBelow) insights.small++
    else if (size > largeAbove) insights.large++
    else if (size >= optimalFrom && size <= optimalTo) insights.optimal++
  }
  return insights
}

export interface BatchResult {
  succeeded: number
  failed: number
}

/** What became of the files that the person wanted uploaded; those that were skipped count neither way. */
export function resultOf(batch: readonly UploadItem[]): BatchResult {
  return {
    succeeded: batch.filter(item => item.status === 'success').length,
    failed: batch.filter(item => item.status === 'error' && !item.rejected).length,
  }
}
