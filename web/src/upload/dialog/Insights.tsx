import { formatCount } from '../../kit/format.ts'
import { insightsOf } from '../queue/counts.ts'
import type { UploadItem } from '../queue/item.ts'
import { texts } from '../texts.ts'

/** How the sizes of what is to be sent are spread. */
export function Insights({ items }: { items: readonly UploadItem[] }) {
  const { optimal, small, large, batchSize } = insightsOf(items)
  const { title, megabytes, note, ...labels } = texts.insights
  return (
    <section aria-label={title} className="rounded-control border border-line px-4 py-3 text-small">
      <h3 className="mb-1 font-sans font-semibold">{title}</h3>
      <dl className="grid gap-x-6 gap-y-0.5 sm:grid-cols-2">
        <Figure label={labels.optimal} value={formatCount(optimal)} />
        <Figure label={labels.small} value={formatCount(small)} />
        <Figure label={labels.large} value={formatCount(large)} />
        <Figure label={labels.batch} value={megabytes(batchSize)} />
      </dl>
      <p className="mt-1 text-fine text-ink-soft">{note}</p>
    </section>
  )
}

function Figure({ label, value }: { label: string; value: string }) {
  return (
    <div className="flex justify-between gap-3">
      <dt className="text-ink-soft">{label}</dt>
      <dd>{value}</dd>
    </div>
  )
}
