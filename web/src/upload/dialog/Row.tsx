import { CircleAlert, CircleCheck, CopyCheck, Film, Image, RotateCcw, X } from 'lucide-react'
import { memo } from 'react'
import { IconButton } from '../../ui/IconButton.tsx'
import { Spinner } from '../../ui/Spinner.tsx'
import { factsOf } from '../facts.ts'
import { ProgressBar } from '../ProgressBar.tsx'
import { isBusy, isRemovable, isRetryable, type UploadItem } from '../queue/item.ts'
import type { UploadQueue } from '../queue/queue.ts'
import { texts } from '../texts.ts'
import { statusText } from '../words.ts'

interface Props {
  item: UploadItem
  queue: UploadQueue
}

/** One file. It is drawn anew only when its own item changes. */
export const Row = memo(function Row({ item, queue }: Props) {
  const facts = factsOf(item).join(' · ')
  return (
    <div className="flex h-full items-center gap-3 py-2">
      <Sign item={item} />
      <div className="flex min-w-0 flex-1 flex-col justify-center gap-0.5">
        <p className="truncate font-semibold" title={item.name} dir="auto">
          {item.name}
          {item.motion && !item.clipIsSeparate && (
            <span className="ml-2 font-normal text-fine text-ink-soft">{texts.livePhoto}</span>
          )}
        </p>
        <p className="line-clamp-2 text-fine text-ink-soft sm:line-clamp-1" title={facts}>
          {facts}
        </p>
        <StatusLine item={item} />
        {isBusy(item) && <ProgressBar label={texts.progressOf(item.name)} done={item.progress} />}
      </div>
      <div className="flex shrink-0">
        {isRetryable(item) && (
          <IconButton label={texts.retryOf(item.name)} onClick={() => queue.retry(item.id)}>
            <RotateCcw aria-hidden="true" className="size-5" />
          </IconButton>
        )}
        {isRemovable(item) && (
          <IconButton label={texts.remove(item.name)} onClick={() => queue.remove(item.id)}>
            <X aria-hidden="true" className="size-5" />
          </IconButton>
        )}
      </div>
    </div>
  )
})

function StatusLine({ item }: { item: UploadItem }) {
  // Why the browser could not prepare a file no longer matters once the file has arrived; what became of a clip does.
  const isAboutClip = item.onlyClipIsNew || item.clipIsSeparate
  const note = item.status === 'success' && !isAboutClip ? null : item.note
  const text = [statusText(item), note].filter(Boolean).join(' · ')
  return (
    <p className={`line-clamp-2 text-fine sm:line-clamp-1 ${looks[item.status] ?? 'text-ink-soft'}`} title={text}>
      {text}
    </p>
  )
}

const looks: Partial<Record<UploadItem['status'], string>> = {
  error: 'text-danger',
  success: 'text-ok',
  duplicate: 'text-warn',
}

function Sign({ item }: { item: UploadItem }) {
  const look = 'size-6 shrink-0'
  if (isBusy(item)) {
    return (
      <span className={`grid place-items-center text-accent ${look}`}>
        <Spinner size="small" />
      </span>
    )
  }
  if (item.status === 'success') return <CircleCheck aria-hidden="true" className={`${look} text-ok`} />
  if (item.status === 'error') return <CircleAlert aria-hidden="true" className={`${look} text-danger`} />
  if (item.status === 'duplicate') return <CopyCheck aria-hidden="true" className={`${look} text-warn`} />
  const Kind = item.file.type.startsWith('video/') ? Film : Image
  return <Kind aria-hidden="true" className={`${look} text-ink-soft`} />
}
