import type { UseQueryResult } from '@tanstack/react-query'
import { BookImage, X } from 'lucide-react'
import { Link } from 'react-router'
import { useCan } from '../kit/me.tsx'
import { texts as kitTexts } from '../kit/texts.ts'
import { filesAndBelow } from './counts-in-words.ts'
import { FilterChips } from './FilterChips.tsx'
import { type ListTimeline, useFilesBelow } from './files/queries.ts'
import { useFavouritesName } from './filter-labels.ts'
import {
  type ChangeAddress,
  favouritesOf,
  folderOf,
  type GalleryAddress,
  isFiltered,
  isRecentPlace,
  isUndatedPlace,
  withoutFilters,
} from './gallery-address.ts'
import { texts } from './texts.ts'
import { AsWords } from './understood/AsWords.tsx'

interface HeadingProps {
  address: GalleryAddress
  /** Name of the open folder; null if it was deleted, undefined if none is open or it is not loaded yet. */
  folder: string | null | undefined
  count: number | undefined
}

/** What the list shows, and how many files. */
export function ListHeading({ address, folder, count }: HeadingProps) {
  const favourites = useFavouritesName(favouritesOf(address))
  const name = favourites ?? headingOf(address, folder)
  const mayEdit = useCan('media.edit')
  const below = useFilesBelow(isFiltered(address) ? null : folderOf(address))
  // The page of an album says its title and the number of files above.
  if (address.album !== null) return <h2 className="sr-only">{name}</h2>
  const oneByOne = isUndatedPlace(address) && mayEdit && count !== undefined && count > 0
  return (
    <h2 className="flex min-w-0 items-baseline gap-x-2 font-semibold text-lead leading-tight max-[18rem]:flex-wrap lg:max-w-full lg:shrink-0">
      <bdi className={oneByOne ? 'shrink-0' : 'truncate'} title={name}>
        {name}
      </bdi>{' '}
      {/* On small screens the name has the room first. Tablets have none beside the link; the folders say the number, too. */}
      {count !== undefined && (
        <span
          className={`flex-1 truncate font-normal font-sans text-ink-soft text-small lg:flex-none ${oneByOne ? 'sm:max-lg:hidden' : ''}`}
        >
          {below ? filesAndBelow(count, below) : kitTexts.files({ count })}
        </span>
      )}
      {oneByOne && (
        <Link
          to="/undated"
          className="truncate font-sans font-semibold text-accent text-small underline underline-offset-4"
        >
          {texts.undated.oneByOne}
        </Link>
      )}
    </h2>
  )
}

function headingOf(address: GalleryAddress, folder: string | null | undefined): string {
  if (address.album !== null) return texts.inAlbum
  if (address.filter.bounds !== undefined) return texts.onMap
  if (isUndatedPlace(address)) return texts.undated.heading
  if (isRecentPlace(address)) return texts.recent
  const { folder_id } = address.filter
  if (folder_id === undefined) return texts.allFiles
  const name = folder ?? '…'
  return folder_id === 'root' ? name : texts.inFolder({ folder: name })
}

interface BannerProps {
  address: GalleryAddress
  change: ChangeAddress
  timeline: UseQueryResult<ListTimeline>
  /** Saves the filter as an album; absent where there is none, or the person may not. */
  onSave: (() => void) | undefined
}

/** Says that a filter hides files and how many match, and clears it. Stays in view while the files scroll. */
export function FilterBanner({ address, change, timeline, onSave }: BannerProps) {
  const { search = '', type: kind = 'other' } = address.filter
  const { found, foundFor, notCounted } = texts.banner
  const count = timeline.isError ? null : timeline.isPlaceholderData ? undefined : timeline.data?.total
  const foundText = (count: number) => (search === '' ? found({ kind, count }) : foundFor({ kind, count, search }))
  const text = count === undefined ? texts.loading : count === null ? notCounted : foundText(count)
  return (
    <div role="status" className="filter-banner">
      {isFiltered(address) && (
        <>
          {/* The search field shows the words that were searched. */}
          {count == null || search === '' ? (
            <p>{text}</p>
          ) : (
            <p>
              <span className="sr-only">{text}</span>
              <span aria-hidden="true">{found({ kind, count })}</span>
            </p>
          )}
          <FilterChips address={address} change={change} />
          <AsWords address={address} change={change} />
          <button type="button" onClick={() => change(withoutFilters(address))} className="chip chip-clear">
            <X aria-hidden="true" className="size-4" />
            {texts.banner.clear}
          </button>
        </>
      )}
      {onSave !== undefined && (
        <button type="button" onClick={onSave} className="chip chip-clear">
          <BookImage aria-hidden="true" className="size-4" />
          {texts.banner.save}
        </button>
      )}
    </div>
  )
}
