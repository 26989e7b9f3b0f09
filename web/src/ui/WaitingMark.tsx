import { Clock } from 'lucide-react'

/** Beside what is not sent yet; the label may be hidden where there is no room. */
export function WaitingMark({ label, short = false }: { label: string; short?: boolean }) {
  return (
    <span className="inline-flex items-center gap-1 align-middle text-fine">
      <Clock aria-hidden="true" className={`size-3.5 shrink-0 ${short ? 'ml-1' : ''}`} />
      <span className={short ? 'sr-only' : ''}>{label}</span>
    </span>
  )
}
