import { formatCount } from '../../kit/format.ts'
import type { Counts } from '../queue/counts.ts'
import { texts } from '../texts.ts'

export function Summary({ counts }: { counts: Counts }) {
  const { total, ready, duplicates, uploaded } = counts
  const figures = [
    [texts.summary.total, total],
    [texts.summary.ready, ready],
    [texts.summary.duplicates, duplicates],
    [texts.summary.uploaded, uploaded],
  ] as const
  return (
    <dl aria-label={texts.summary.label} className="grid grid-cols-4 gap-1.5 sm:gap-2">
      {figures.map(([label, count]) => (
        <div key={label} className="flex flex-col-reverse justify-end rounded-control bg-sunken px-2 py-2 sm:px-3">
          <dt className="text-fine text-ink-soft leading-tight">{label}</dt>
          <dd className="font-semibold text-lead">{formatCount(count)}</dd>
        </div>
      ))}
    </dl>
  )
}
