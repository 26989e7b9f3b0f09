import { type ReactNode, useId } from 'react'
import { formatCount } from '../kit/format.ts'

export function Section({ heading, count, children }: { heading: string; count?: number; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="flex flex-col gap-3">
      <h2 id={id} className="font-semibold text-lead">
        {heading}
        {count !== undefined && count > 0 && (
          <span className="font-normal text-ink-soft tabular-nums"> {formatCount(count)}</span>
        )}
      </h2>
      {children}
    </section>
  )
}
