import type { ReactNode } from 'react'

interface StatProps {
  name: string
  more?: string | undefined
  warn?: boolean
  title?: string
  children: ReactNode
}

/** A figure with its name. */
export function Stat({ name, more, warn = false, title, children }: StatProps) {
  return (
    <div className="wrap-anywhere min-w-0">
      <dt className="text-ink-soft text-small">{name}</dt>
      <dd title={title}>
        <span className={`inline-block font-semibold tabular-nums first-letter:uppercase ${warn ? 'text-danger' : ''}`}>
          {children}
        </span>
        {more !== undefined && <span className="block text-fine text-ink-soft">{more}</span>}
      </dd>
    </div>
  )
}
