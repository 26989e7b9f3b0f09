import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'

/** An error message within the page, announced by screen readers. */
export function Notice({ children }: { children: ReactNode }) {
  return (
    <div role="alert" className="flex gap-3 rounded-control border border-danger bg-danger-wash px-4 py-3 text-danger">
      <CircleAlert aria-hidden="true" className="mt-0.5 size-5 shrink-0" />
      <div className="flex min-w-0 flex-col gap-1">{children}</div>
    </div>
  )
}
