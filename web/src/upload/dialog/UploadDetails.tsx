import { ChevronRight } from 'lucide-react'
import { type ReactNode, useSyncExternalStore } from 'react'
import { formatCount, numberFormat } from '../../kit/format.ts'
import { texts } from '../texts.ts'
import type { UploadItem } from '../upload-items.ts'
import { type Counts, insightsOf } from '../upload-progress.ts'

/** Whether the details are shown is remembered on this device. */
const KEY = 'upload_details'
const watchers = new Set<() => void>()

export function useShowDetails(): [shown: boolean, show: (shown: boolean) => void] {
  const shown = useSyncExternalStore(subscribe, () => localStorage.getItem(KEY) === '1')
  return [shown, show]
}

function subscribe(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

function show(shown: boolean): void {
  localStorage.setItem(KEY, shown ? '1' : '0')
  for (const watcher of watchers) watcher()
}

/** What most people need not see: processing option, storage insights, and in the rows place, camera and progress. */
export function UploadDetails({ children }: { children: ReactNode }) {
  const [shown, show] = useShowDetails()
  return (
    <details
      open={shown}
      onToggle={event => event.currentTarget.open !== shown && show(event.currentTarget.open)}
      className="group rounded-control border border-line"
    >
      <summary className="flex min-h-touch cursor-pointer list-none items-center gap-2 rounded-control px-3 font-semibold text-small [&::-webkit-details-marker]:hidden">
        <ChevronRight
          aria-hidden="true"
          className="size-4 shrink-0 motion-quick transition-transform group-open:rotate-90"
        />
        {texts.details}
      </summary>
      <div className="flex flex-col gap-5 px-4 pb-4">{children}</div>
    </details>
  )
}

export function Summary({ counts }: { counts: Counts }) {
  const { total, ready, duplicates, uploaded } = counts
  const stats = [
    [texts.summary.total, total],
    [texts.summary.ready, ready],
    [texts.summary.duplicates, duplicates],
    [texts.summary.uploaded, uploaded],
  ] as const
  return (
    <dl aria-label={texts.summary.label} className="grid grid-cols-4 gap-1.5 sm:gap-2">
      {stats.map(([label, count]) => (
        <div key={label} className="flex flex-col-reverse justify-end rounded-control bg-sunken px-2 py-2 sm:px-3">
          <dt className="text-fine text-ink-soft leading-tight">{label}</dt>
          <dd className="font-semibold text-lead">{formatCount(count)}</dd>
        </div>
      ))}
    </dl>
  )
}

export function Insights({ items }: { items: readonly UploadItem[] }) {
  const { optimal, small, large, batchSize } = insightsOf(items)
  const { title, size, note, ...labels } = texts.insights
  return (
    <section aria-label={title} className="text-small">
      <h3 className="mb-1 font-sans font-semibold">{title}</h3>
      <dl className="grid gap-x-6 gap-y-0.5 sm:grid-cols-2">
        <Stat label={labels.optimal} value={formatCount(optimal)} />
        <Stat label={labels.small} value={formatCount(small)} />
        <Stat label={labels.large} value={formatCount(large)} />
        <Stat label={labels.batch} value={size({ megabytes: toMegabytes(batchSize) })} />
      </dl>
      <p className="mt-1 text-fine text-ink-soft">{note}</p>
    </section>
  )
}

function toMegabytes(bytes: number): string {
  const megabytes = bytes / 1024 ** 2
  const maximumFractionDigits = megabytes < 1 ? 3 : megabytes < 10 ? 1 : 0
  return numberFormat(undefined, { maximumFractionDigits }).format(megabytes)
}

function Stat({ label, value }: { label: string; value: string }) {
  return (
    <div className="flex justify-between gap-3">
      <dt className="text-ink-soft">{label}</dt>
      <dd>{value}</dd>
    </div>
  )
}
