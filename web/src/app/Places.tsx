import { useQuery } from '@tanstack/react-query'
import { BookImage, CalendarOff, History, type LucideIcon, MapIcon, MapPin } from 'lucide-react'
import { Link } from 'react-router'
import { listMedia } from '#contract/media-list.ts'
import { undatedPath } from '../gallery/gallery-address.ts'
import { formatCount } from '../kit/format.ts'
import { query } from '../kit/queries.ts'
import { FavouritesLink } from './FavouritesLink.tsx'
import { texts } from './texts.ts'

interface Props {
  current: 'favourites' | 'albums' | 'map' | 'places' | 'undated' | null
  onChosen: () => void
}

/** What is beside the folders. */
export function Places({ current, onChosen }: Props) {
  return (
    <div className="flex shrink-0 flex-col">
      <FavouritesLink current={current === 'favourites'} onChosen={onChosen} />
      <PlaceLink to="/albums" icon={BookImage} current={current === 'albums'} onChosen={onChosen}>
        {texts.albums}
      </PlaceLink>
      <PlaceLink to="/map" icon={MapIcon} current={current === 'map'} onChosen={onChosen}>
        {texts.map}
      </PlaceLink>
      <PlaceLink to="/places" icon={MapPin} current={current === 'places'} onChosen={onChosen}>
        {texts.places}
      </PlaceLink>
      <PlaceLink to="/memories" icon={History} current={false} onChosen={onChosen}>
        {texts.memories}
      </PlaceLink>
      <UndatedLink current={current === 'undated'} onChosen={onChosen} />
    </div>
  )
}

interface LinkProps {
  to: string
  icon: LucideIcon
  current: boolean
  onChosen: () => void
  children: string
}

function PlaceLink({ to, icon: Icon, current, onChosen, children }: LinkProps) {
  return (
    <Link
      to={to}
      onClick={onChosen}
      aria-current={current ? 'page' : undefined}
      className="folder-line relative flex shrink-0 items-center gap-2 pl-1.5"
    >
      <Icon aria-hidden="true" className="size-4 shrink-0" />
      {children}
    </Link>
  )
}

const undated = { sort: 'date', order: 'desc', limit: 1, undated: 'true' } as const

/** Only while there are such files. */
function UndatedLink({ current, onChosen }: { current: boolean; onChosen: () => void }) {
  const { data } = useQuery({ ...query(listMedia, { query: undated }), staleTime: 60_000 })
  if (!current && !data?.count) return null
  return (
    <Link
      to={undatedPath}
      onClick={onChosen}
      aria-current={current ? 'page' : undefined}
      className="folder-line relative flex shrink-0 items-center gap-2 pl-1.5"
    >
      <CalendarOff aria-hidden="true" className="size-4 shrink-0" />
      <span className="min-w-0 flex-1 truncate">{texts.undated}</span>{' '}
      {data !== undefined && (
        <span className="folder-count">
          {formatCount(data.count)}
          <span className="sr-only"> {texts.files(data.count)}</span>
        </span>
      )}
    </Link>
  )
}
