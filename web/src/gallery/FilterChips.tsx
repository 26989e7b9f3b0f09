import { useQuery } from '@tanstack/react-query'
import { CalendarOff, Heart, X } from 'lucide-react'
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
  if (chosen.length === 0 && favourites === undefined && !undated) return null
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
        <li className="min-w-0 max-w-full sm:max-w-48">
          <button
            type="button"
            className="chip chip-chosen"
            aria-label={texts.favourites.remove(favourites)}
            title={texts.favourites.remove(favourites)}
            onClick={() => change({ heartedBy: null })}
          >
            <Heart aria-hidden="true" className="size-4 shrink-0" />
            <bdi className="truncate">{favourites}</bdi>
            <X aria-hidden="true" className="size-4 shrink-0" />
          </button>
        </li>
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
