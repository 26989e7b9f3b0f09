import type { UploadItem } from './queue/item.ts'
import { texts } from './texts.ts'

export interface Unsent {
  id: number
  name: string
  reason: string
}

export interface Receipt {
  safe: readonly { id: number; name: string; hash: string | null }[]
  /** Of the safe ones, those without a hash of ours to compare the server's with. */
  unconfirmed: number
  alreadyThere: readonly { id: number; name: string; as: string }[]
  failed: readonly Unsent[]
  /** Rejected by the picker. The toasts count only what was to be uploaded, so these are counted separately. */
  rejected: readonly Unsent[]
}

export function receiptOf(items: readonly UploadItem[]): Receipt {
  const done = items.filter(item => item.status === 'success')
  const errors = items.filter(item => item.status === 'error')
  return {
    safe: done.map(({ id, name, hash }) => ({ id, name, hash })),
    unconfirmed: done.filter(item => item.confirmed !== true).length,
    alreadyThere: items
      .filter(item => item.status === 'duplicate')
      .map(({ id, name, duplicateOf }) => ({ id, name, as: duplicateOf?.name ?? name })),
    failed: errors.filter(item => !item.rejected).map(unsent),
    rejected: errors.filter(item => item.rejected).map(unsent),
  }
}

function unsent({ id, name, error, note }: UploadItem): Unsent {
  return { id, name, reason: [error, note].filter(Boolean).join(' · ') }
}

/** One line per file, its columns apart by tabs: it can be read as it is, and put into a table. */
export function asList({ safe, alreadyThere, failed, rejected }: Receipt): string {
  const { lines } = texts.receipt
  return [
    ...safe.map(({ name, hash }) => lines.safe(name, hash)),
    ...alreadyThere.map(({ name, as }) => lines.alreadyThere(name, as)),
    ...failed.map(({ name, reason }) => lines.failed(name, reason)),
    ...rejected.map(({ name, reason }) => lines.rejected(name, reason)),
  ].join('\n')
}
