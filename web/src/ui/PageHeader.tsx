import type { ReactNode } from 'react'

interface Props {
  heading: string
  subtitle: string
  /** What can be done with the whole page. */
  actions?: ReactNode
}

/** The heading that every page opens with. */
export function PageHeader({ heading, subtitle, actions }: Props) {
  return (
    <header className="mb-8 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
      <div className="flex flex-col gap-1">
        <h1 className="font-semibold text-heading sm:text-title">{heading}</h1>
        <p className="text-ink-soft">{subtitle}</p>
      </div>
      {actions}
    </header>
  )
}
