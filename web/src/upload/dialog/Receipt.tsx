import { ClipboardCopy } from 'lucide-react'
import { toast } from 'sonner'
import { Button } from '../../ui/Button.tsx'
import type { UploadItem } from '../queue/item.ts'
import { asList, receiptOf, type Unsent } from '../receipt.ts'
import { texts } from '../texts.ts'

/** What became of every file, when all is done. */
export function Receipt({ items }: { items: readonly UploadItem[] }) {
  const receipt = receiptOf(items)
  const { safe, unconfirmed, alreadyThere, failed, rejected } = receipt

  async function copy() {
    try {
      await navigator.clipboard.writeText(asList(receipt))
      toast.success(texts.toasts.copied)
    } catch {
      toast.error(texts.toasts.copyFailed)
    }
  }
  return (
    <section aria-label={texts.receipt.title} className="flex flex-col gap-3 rounded-card border border-line p-4">
      <div>
        {safe.length > 0 && <p className="font-semibold text-lead text-ok">{texts.receipt.safe(safe.length)}</p>}
        {safe.length > unconfirmed && <p className="text-ink-soft text-small">{texts.receipt.confirmed}</p>}
        {unconfirmed > 0 && <p className="text-small text-warn">{texts.receipt.unconfirmed(unconfirmed)}</p>}
        {alreadyThere.length > 0 && <p className="mt-1">{texts.receipt.alreadyThere(alreadyThere.length)}</p>}
        {failed.length > 0 && <NotUploaded title={texts.receipt.failed(failed.length)} files={failed} />}
        {rejected.length > 0 && <NotUploaded title={texts.receipt.rejected(rejected.length)} files={rejected} />}
      </div>
      <div>
        <Button icon={<ClipboardCopy aria-hidden="true" className="size-5" />} onClick={() => void copy()}>
          {texts.receipt.copy}
        </Button>
      </div>
    </section>
  )
}

/** The rows below name the others too. */
const NAMED = 5

function NotUploaded({ title, files }: { title: string; files: readonly Unsent[] }) {
  return (
    <div className="mt-1 text-danger">
      <p className="font-semibold">{title}</p>
      <ul className="text-small">
        {files.slice(0, NAMED).map(({ id, name, reason }) => (
          <li key={id} className="wrap-anywhere">
            {name}: {reason}
          </li>
        ))}
        {files.length > NAMED && <li>{texts.left.more(files.length - NAMED)}</li>}
      </ul>
    </div>
  )
}
