import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { listMedia } from '#contract/media-list.ts'
import type { User } from '#contract/people.ts'
import type { Place } from '../kit/feature.ts'
import { filterPath } from '../kit/filter-path.ts'
import { formatCount } from '../kit/format.ts'
import { useMe } from '../kit/me.tsx'
import { query } from '../kit/queries.ts'
import { type PlaceName, places, placesForAlbums } from './features.ts'
import { texts } from './texts.ts'

interface Props {
  current: PlaceName | null
  onChosen: () => void
}

/** What is beside the folders. */
export function Places({ current, onChosen }: Props) {
  const me = useMe()
  if (me === null) return null
  return (
    <div className="flex shrink-0 flex-col">
      {Object.entries<Place>(places).map(([name, place]) => (
        <PlaceLink key={name} place={place} me={me} current={current === name} onChosen={onChosen} />
      ))}
    </div>
  )
}

/** The same as a row of links. */
export function PlacesRow() {
  const me = useMe()
  if (me === null) return null
  return (
    <nav
      aria-label={texts.morePlaces}
      className="mb-6 grid grid-cols-[repeat(auto-fit,minmax(min(9.5rem,100%),1fr))] gap-2 sm:flex sm:flex-wrap"
    >
      {placesForAlbums.map(({ name, icon: Icon, to }) => (
        <Link
          key={name}
          to={pathOf(to, me)}
          className="inline-flex min-h-touch min-w-0 items-center gap-2 rounded-control border border-edge bg-raised px-4 font-semibold hover:bg-sunken"
        >
          <Icon aria-hidden="true" className="size-5 shrink-0 text-accent" />
          <span className="min-w-0 truncate">{name}</span>
        </Link>
      ))}
    </nav>
  )
}

function pathOf(to: Place['to'], me: User): string {
  return typeof to === 'string' ? to : filterPath(to(me))
}

interface LinkProps {
  place: Place
  me: User
  current: boolean
  onChosen: () => void
}

function PlaceLink({ place, me, current, onChosen }: LinkProps) {
  const { name, icon: Icon, to, fills = false, hiddenIfEmpty = false } = place
  const count = useFileCount(to, me)
  if (hiddenIfEmpty && !current && !count) return null
  return (
    <Link
      to={pathOf(to, me)}
      onClick={onChosen}
      aria-current={current ? 'page' : undefined}
      className="folder-line relative flex shrink-0 items-center gap-2 pl-1.5"
    >
      <Icon aria-hidden="true" className={`size-4 shrink-0 ${fills && current ? 'fill-current' : ''}`} />
      <span className="min-w-0 flex-1 truncate">{name}</span>{' '}
      {count !== undefined && (
        <span className="folder-count">
          {formatCount(count)}
          <span className="sr-only"> {texts.files({ count })}</span>
        </span>
      )}
    </Link>
  )
}

/** Undefined for pages, and until it is loaded. */
function useFileCount(to: Place['to'], me: User): number | undefined {
  const filter = typeof to === 'string' ? undefined : to(me)
  const counted = query(listMedia, { query: { sort: 'date', order: 'desc', limit: 1, ...filter } })
  const { data } = useQuery({ ...counted, enabled: filter !== undefined, staleTime: 60_000 })
  return filter && data?.count
}
