import { useQuery } from '@tanstack/react-query'
import { CalendarOff, Heart, History, type LucideIcon, Sparkles, X } from 'lucide-react'
import { dateFormat } from '../kit/format.ts'
import { useFavouritesName } from './favourites.ts'
import { formatFilterDate } from './format.ts'
import {
  type ChangeAddress,
  type ChipField,
  chipFields,
  favouritesOf,
  type GalleryAddress,
  isUndatedPlace,
} from './gallery-address.ts'
import { suggestionIcons, suggestionsQuery } from './suggestions.ts'
import { texts } from './texts.ts'

/** The chosen suggestions. Each can be removed. */
export function FilterChips({ address, change }: { address: GalleryAddress; change: ChangeAddress }) {
  const chosen = chipFields.filter(field => address[field] !== null)
  // Tags and people are stored by id; the suggestions know their names.
  const needsNames = chosen.some(field => field === 'tag' || field === 'uploader')
  const { data } = useQuery({ ...suggestionsQuery, enabled: needsNames })
  const heartedBy = address.heartedBy === favouritesOf(address) ? null : address.heartedBy
  const favourites = useFavouritesName(heartedBy)
  const undated = address.undated && !isUndatedPlace(address)
  const { memory, newSince } = address
  const isPersonal = memory !== null || newSince !== null
  if (chosen.length === 0 && favourites === undefined && !undated && !isPersonal) return null
  return (
    <ul aria-label={texts.suggestions.chosen} className="contents">
      {chosen.map(field => {
        const Icon = suggestionIcons[field]
        const label = labelOf(field)
        return (
          <li key={field} className="min-w-0 max-w-full sm:max-w-48">
            <button
              type="button"
              className="chip chip-chosen"
              aria-label={texts.suggestions.remove(texts.suggestions.kinds[field], label)}
              title={texts.suggestions.remove(texts.suggestions.kinds[field], label)}
              onClick={() => change({ [field]: null })}
            >
              <Icon aria-hidden="true" className="size-4 shrink-0" />
              <bdi className="truncate">{label}</bdi>
              <X aria-hidden="true" className="size-4 shrink-0" />
            </button>
          </li>
        )
      })}
      {undated && (
        <li>
          <button
            type="button"
            className="chip chip-chosen"
            aria-label={texts.undated.remove}
            title={texts.undated.remove}
            onClick={() => change({ undated: false })}
          >
            <CalendarOff aria-hidden="true" className="size-4 shrink-0" />
            {texts.undated.heading}
            <X aria-hidden="true" className="size-4 shrink-0" />
          </button>
        </li>
      )}
      {favourites !== undefined && (
        <Chip icon={Heart} label={favourites} onRemove={() => change({ heartedBy: null })} />
      )}
      {memory !== null && (
        <Chip
          icon={History}
          label={texts.memory(formatFilterDate(memory))}
          onRemove={() => change({ memory: null, file: null })}
        />
      )}
      {newSince !== null && (
        <Chip
          icon={Sparkles}
          label={texts.newSince(formatMoment(newSince))}
          onRemove={() => change({ newSince: null })}
        />
      )}
    </ul>
  )

  function labelOf(field: ChipField): string {
    const value = address[field]
    if (field === 'date') return formatFilterDate(String(value))
    if (field !== 'tag' && field !== 'uploader') return String(value)
    return data?.[field].find(suggestion => suggestion.value === value)?.label ?? texts.suggestions.kinds[field]
  }
}

function Chip({ icon: Icon, label, onRemove }: { icon: LucideIcon; label: string; onRemove: () => void }) {
  return (
    <li className="min-w-0 max-w-full sm:max-w-64">
      <button
        type="button"
        className="chip chip-chosen"
        aria-label={texts.favourites.remove(label)}
        title={texts.favourites.remove(label)}
        onClick={onRemove}
      >
        <Icon aria-hidden="true" className="size-4 shrink-0" />
        <bdi className="truncate">{label}</bdi>
        <X aria-hidden="true" className="size-4 shrink-0" />
      </button>
    </li>
  )
}

function formatMoment(moment: string): string {
  return dateFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(moment))
}
