import { CircleAlert, CircleCheck, CopyCheck, RotateCcw, TriangleAlert, X } from 'lucide-react'
import { memo, type RefObject, useRef } from 'react'
import { useKeepFocus } from '../../ui/hooks.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { Spinner } from '../../ui/Spinner.tsx'
import { useVirtualRows } from '../../ui/use-virtual-rows.ts'
import { itemFacts, statusText } from '../item-text.ts'
import { ProgressBar } from '../ProgressBar.tsx'
import { texts } from '../texts.ts'
import { isBusy, isRemovable, isRetryable, type UploadItem } from '../upload-items.ts'
import type { UploadQueue } from '../upload-queue.ts'
import { Preview } from './Preview.tsx'
import { useShowDetails } from './UploadDetails.tsx'

interface Props {
  queue: UploadQueue
  items: readonly UploadItem[]
  /** The scrolling element that contains the list. */
  scroller: RefObject<HTMLDivElement | null>
}

/** Virtualised: only visible rows are rendered. */
export function UploadRows({ queue, items, scroller }: Props) {
  const list = useRef<HTMLUListElement>(null)
  const [details] = useShowDetails()
  const { first, end, rowHeight } = useVirtualRows(items.length, scroller, list, 96)
  const keepFocus = useKeepFocus<HTMLDivElement>()
  return (
    <div {...keepFocus} className="shrink-0 focus-visible:outline-none">
      <ul
        ref={list}
        aria-label={texts.list}
        data-details={details || undefined}
        className="upload-rows relative shrink-0 border-line border-t"
        style={{ height: items.length * rowHeight }}
      >
        {items.slice(first, end).map((item, index) => (
          <li
            key={item.id}
            aria-setsize={items.length}
            aria-posinset={first + index + 1}
            className="upload-row absolute inset-x-0 border-line border-b"
            style={{ top: (first + index) * rowHeight }}
          >
            <UploadRow item={item} queue={queue} details={details} />
          </li>
        ))}
      </ul>
    </div>
  )
}

interface RowProps {
  item: UploadItem
  queue: UploadQueue
  /** Also shows place and camera, and how far each step is. */
  details: boolean
}

/** Memoised: renders only when its own item changes. */
const UploadRow = memo(function Row({ item, queue, details }: RowProps) {
  const facts = itemFacts(item, { details }).join(' · ')
  return (
    <div className="flex h-full items-center gap-3 py-2">
      <Preview file={item.file} thumbnail={item.thumbnail} />
      <div className="flex min-w-0 flex-1 flex-col justify-center gap-0.5">
        <p className="truncate font-semibold" title={item.name} dir="auto">
          {item.name}
          {item.motion && !item.clipIsSeparate && (
            <span className="ml-2 font-normal text-fine text-ink-soft">{texts.livePhoto}</span>
          )}
        </p>
        <p
          className={`text-fine text-ink-soft ${details ? 'line-clamp-2 sm:line-clamp-1' : 'line-clamp-1'}`}
          title={facts}
        >
          {facts}
        </p>
        <StatusLine item={item} />
        {details && isBusy(item) && <ProgressBar label={texts.progressOf({ name: item.name })} done={item.progress} />}
      </div>
      <div className="flex shrink-0">
        {isRetryable(item) && (
          <IconButton label={texts.retryOf({ name: item.name })} onClick={() => queue.retry(item.id)}>
            <RotateCcw aria-hidden="true" className="size-5" />
          </IconButton>
        )}
        {isRemovable(item) && (
          <IconButton label={texts.remove({ name: item.name })} onClick={() => queue.remove(item.id)}>
            <X aria-hidden="true" className="size-5" />
          </IconButton>
        )}
      </div>
    </div>
  )
})

function StatusLine({ item }: { item: UploadItem }) {
  // Why the browser could not prepare a file no longer matters once it is uploaded; what happened to a clip does.
  const isAboutClip = item.onlyClipIsNew || item.clipIsSeparate
  const note = item.status === 'success' && !isAboutClip ? null : item.note
  const text = [statusText(item), item.incomplete, note].filter(Boolean).join(' · ')
  const colour = item.incomplete === null ? statusColours[item.status] : 'text-warn'
  return (
    <p className={`flex items-start gap-1.5 text-fine ${colour ?? 'text-ink-soft'}`} title={text}>
      <StatusIcon item={item} />
      <span className="line-clamp-2 sm:line-clamp-1">{text}</span>
    </p>
  )
}

const statusColours: Partial<Record<UploadItem['status'], string>> = {
  error: 'text-danger',
  success: 'text-ok',
  duplicate: 'text-warn',
}

function StatusIcon({ item }: { item: UploadItem }) {
  const look = 'mt-px size-4 shrink-0'
  if (isBusy(item)) {
    return (
      <span className={`text-accent ${look}`}>
        <Spinner size="small" />
      </span>
    )
  }
  if (item.incomplete !== null) return <TriangleAlert aria-hidden="true" className={look} />
  if (item.status === 'success') return <CircleCheck aria-hidden="true" className={look} />
  if (item.status === 'error') return <CircleAlert aria-hidden="true" className={look} />
  if (item.status === 'duplicate') return <CopyCheck aria-hidden="true" className={look} />
  return null
}
