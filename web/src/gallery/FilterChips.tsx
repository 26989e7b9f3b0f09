import { X } from 'lucide-react'
import { useChips } from './filter-labels.ts'
import type { ChangeAddress, GalleryAddress } from './gallery-address.ts'
import { texts } from './texts.ts'
import { UnderstoodChips } from './understood/UnderstoodChips.tsx'
import { useUnderstoodSearch } from './understood/understood-search.ts'

/** The chosen filters, and those that the words of the search name. Each can be removed. */
export function FilterChips({ address, change }: { address: GalleryAddress; change: ChangeAddress }) {
  const chips = useChips(address)
  const { parts } = useUnderstoodSearch(address)
  if (chips.length + parts.length === 0) return null
  return (
    <ul aria-label={texts.suggestions.chosen} className="contents">
      {chips.map(({ name, icon: Icon, label, remove }) => (
        <li key={name} className="min-w-0 max-w-full sm:max-w-64">
          <button
            type="button"
            className="chip chip-chosen"
            aria-label={remove}
            title={remove}
            onClick={() => change({ filter: { [name]: undefined } })}
          >
            <Icon aria-hidden="true" className="size-4 shrink-0" />
            <bdi className="truncate">{label}</bdi>
            <X aria-hidden="true" className="size-4 shrink-0" />
          </button>
        </li>
      ))}
      <UnderstoodChips address={address} change={change} />
    </ul>
  )
}
