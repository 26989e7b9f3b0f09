import { ClipboardCopy } from 'lucide-react'
import { toast } from 'sonner'
import { Button } from '../../ui/Button.tsx'
import { texts } from '../texts.ts'
import type { UploadItem } from '../upload-items.ts'

/** The result for every file, shown when the upload is finished. */
export function Receipt({ items }: { items: readonly UploadItem[] }) {
  const receipt = createReceipt(items)
  const { stored, unconfirmed, duplicates, incomplete, failed, rejected } = receipt
  const allSafe = failed.length + rejected.length + incomplete.length === 0

  async function copy() {
    try {
      await navigator.clipboard.writeText(toTabSeparated(receipt))
      toast.success(texts.toasts.copied)
    } catch {
      toast.error(texts.toasts.copyFailed)
    }
  }
  return (
    <section aria-label={texts.receipt.title} className="flex flex-col gap-3 rounded-card border border-line p-4">
      <div>
        {failed.length > 0 && <Problems title={texts.receipt.failed({ count: failed.length })} files={failed} />}
        {rejected.length > 0 && (
          <Problems title={texts.receipt.rejected({ count: rejected.length })} files={rejected} />
        )}
        {incomplete.length > 0 && (
          <Problems
            title={texts.receipt.incomplete({ count: incomplete.length })}
            files={incomplete}
            advice={texts.receipt.keepOriginal({ count: incomplete.length })}
          />
        )}
        {stored.length > 0 && (
          // No cheering beside what failed.
          <p className={allSafe ? 'font-semibold text-lead text-ok' : 'mt-2'}>
            {texts.receipt.stored({ count: stored.length })}
          </p>
        )}
        {stored.length > unconfirmed && <p className="text-ink-soft text-small">{texts.receipt.confirmed}</p>}
        {unconfirmed > 0 && <p className="text-small text-warn">{texts.receipt.unconfirmed({ count: unconfirmed })}</p>}
        {duplicates.length > 0 && <p className="mt-1">{texts.receipt.duplicates({ count: duplicates.length })}</p>}
      </div>
      <div>
        <Button icon={<ClipboardCopy aria-hidden="true" className="size-5" />} onClick={() => void copy()}>
          {texts.receipt.copy}
        </Button>
      </div>
    </section>
  )
}

const MAX_LISTED = 5

interface ProblemsProps {
  title: string
  files: readonly Problem[]
  /** What to do about it, where the files are in the library. */
  advice?: string
}

function Problems({ title, files, advice }: ProblemsProps) {
  return (
    <div className={`mt-1 ${advice === undefined ? 'text-danger' : 'text-warn'}`}>
      <p className="font-semibold">{title}</p>
      <ul className="text-small">
        {files.slice(0, MAX_LISTED).map(({ id, name, reason }) => (
          <li key={id} className="wrap-anywhere">
            {name}: {reason}
          </li>
        ))}
        {files.length > MAX_LISTED && <li>{texts.receipt.more({ count: files.length - MAX_LISTED })}</li>}
      </ul>
      {advice !== undefined && <p className="mt-1 text-ink">{advice}</p>}
    </div>
  )
}

export interface Problem {
  id: number
  name: string
  reason: string
}

export interface Receipt {
  stored: readonly { id: number; name: string; hash: string | null }[]
  /** Of the stored files, those without a local hash to compare with the server's. */
  unconfirmed: number
  duplicates: readonly { id: number; name: string; as: string }[]
  /** In the library, but their end is missing: neither safe nor simply there already. */
  incomplete: readonly Problem[]
  failed: readonly Problem[]
  /** Rejected by the picker. Counted separately because the toasts count only files that were to be uploaded. */
  rejected: readonly Problem[]
}

export function createReceipt(items: readonly UploadItem[]): Receipt {
  const whole = items.filter(item => item.incomplete === null)
  const done = whole.filter(item => item.status === 'success')
  const errors = items.filter(item => item.status === 'error')
  return {
    stored: done.map(({ id, name, hash }) => ({ id, name, hash })),
    unconfirmed: done.filter(item => item.hashConfirmed !== true).length,
    duplicates: whole
      .filter(item => item.status === 'duplicate')
      .map(({ id, name, duplicateOf }) => ({ id, name, as: duplicateOf?.name ?? name })),
    incomplete: items.flatMap(({ id, name, incomplete }) =>
      incomplete === null ? [] : { id, name, reason: incomplete },
    ),
    failed: errors.filter(item => !item.rejectedByPicker).map(toNotUploaded),
    rejected: errors.filter(item => item.rejectedByPicker).map(toNotUploaded),
  }
}

function toNotUploaded({ id, name, error, note }: UploadItem): Problem {
  return { id, name, reason: [error, note].filter(Boolean).join(' · ') }
}

/** One line per file with tab-separated columns, to paste into a spreadsheet. */
export function toTabSeparated({ stored, duplicates, incomplete, failed, rejected }: Receipt): string {
  const { results } = texts.receipt
  const lines = [
    ...stored.map(({ name, hash }) => [results.stored, name, hash ?? '']),
    ...duplicates.map(({ name, as }) => [results.duplicate, name, as]),
    ...incomplete.map(({ name, reason }) => [results.incomplete, name, reason]),
    ...failed.map(({ name, reason }) => [results.failed, name, reason]),
    ...rejected.map(({ name, reason }) => [results.rejected, name, reason]),
  ]
  return lines.map(columns => columns.join('\t')).join('\n')
}
