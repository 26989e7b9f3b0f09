import type { AdminStats } from '#contract/people.ts'
import { formatCount } from '../kit/format.ts'
import { texts } from './texts.ts'

/** How many people stand where, like the first lines of a ledger. */
export function CountCards({ stats }: { stats: AdminStats }) {
  return (
    <ul className="mb-8 grid grid-cols-[repeat(auto-fit,minmax(min(100%,8.5rem),1fr))] gap-px overflow-hidden rounded-card border border-line bg-line">
      <Card label={texts.pending.label} value={formatCount(stats.pendingUserCount)} />
      <Card label={texts.approved.label} value={formatCount(stats.approvedUserCount)} />
      <Card label={texts.denied.label} value={formatCount(stats.deniedUserCount)} />
      <Card label={texts.role.label} value={texts.role.value} />
    </ul>
  )
}

function Card({ label, value }: { label: string; value: string }) {
  return (
    <li className="wrap-anywhere bg-raised px-4 py-4 sm:px-6">
      <span className="block text-small text-ink-soft">{label}</span>{' '}
      <span className="block font-semibold font-serif text-heading">{value}</span>
    </li>
  )
}
