import { useQuery } from '@tanstack/react-query'
import { BookImage, CalendarOff, Heart, History, type LucideIcon, MapIcon, MapPin } from 'lucide-react'
import { Link } from 'react-router'
import { listMedia } from '#contract/media-list.ts'
import { favouritesPath, undatedPath } from '../gallery/gallery-address.ts'
import { texts as heartTexts } from '../hearts/texts.ts'
import { formatCount } from '../kit/format.ts'
import { useMe } from '../kit/me.tsx'
import { query } from '../kit/queries.ts'
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

/** The same as a row of links, for the page of albums, which has no panel beside it. */
export function PlacesRow() {
  const me = useMe()
  const places = [
    ...(me === null ? [] : [{ to: favouritesPath(me.id), icon: Heart, name: heartTexts.favourites }]),
    { to: '/memories', icon: History, name: texts.memories },
    { to: '/map', icon: MapIcon, name: texts.map },
    { to: '/places', icon: MapPin, name: texts.places },
  ]
  return (
    <nav
      aria-label={texts.morePlaces}
      className="mb-6 grid grid-cols-[repeat(auto-fit,minmax(min(9.5rem,100%),1fr))] gap-2 sm:flex sm:flex-wrap"
    >
      {places.map(({ to, icon: Icon, name }) => (
        <Link
          key={to}
          to={to}
          className="inline-flex min-h-touch min-w-0 items-center gap-2 rounded-control border border-edge bg-raised px-4 font-semibold hover:bg-sunken"
        >
          <Icon aria-hidden="true" className="size-5 shrink-0 text-accent" />
          <span className="min-w-0 truncate">{name}</span>
        </Link>
      ))}
    </nav>
  )
}

interface LinkProps {
  to: string
  icon: LucideIcon
  /** Whether the icon is filled while this is the current page. */
  fills?: boolean
  current: boolean
  /** Of the files; shown once it is loaded. */
  count?: number | undefined
  onChosen: () => void
  children: string
}

function PlaceLink({ to, icon: Icon, fills = false, current, count, onChosen, children }: LinkProps) {
  return (
    <Link
      to={to}
      onClick={onChosen}
      aria-current={current ? 'page' : undefined}
      className="folder-line relative flex shrink-0 items-center gap-2 pl-1.5"
    >
      <Icon aria-hidden="true" className={`size-4 shrink-0 ${fills && current ? 'fill-current' : ''}`} />
      <span className="min-w-0 flex-1 truncate">{children}</span>{' '}
      {count !== undefined && (
        <span className="folder-count">
          {formatCount(count)}
          <span className="sr-only"> {texts.files(count)}</span>
        </span>
      )}
    </Link>
  )
}

type SpecialLinkProps = Pick<LinkProps, 'current' | 'onChosen'>

const countQuery = { sort: 'date', order: 'desc', limit: 1 } as const

/** The person's own favourites. */
function FavouritesLink(props: SpecialLinkProps) {
  const me = useMe()
  const filter = { ...countQuery, ...(me && { hearted_by: me.id }) }
  const { data } = useQuery({ ...query(listMedia, { query: filter }), enabled: me !== null, staleTime: 60_000 })
  if (me === null) return null
  return (
    <PlaceLink to={favouritesPath(me.id)} icon={Heart} fills count={data?.count} {...props}>
      {heartTexts.favourites}
    </PlaceLink>
  )
}

/** Only while there are such files. */
function UndatedLink(props: SpecialLinkProps) {
  const { data } = useQuery({
    ...query(listMedia, { query: { ...countQuery, undated: 'true' } }),
    staleTime: 60_000,
  })
  if (!props.current && !data?.count) return null
  return (
    <PlaceLink to={undatedPath} icon={CalendarOff} count={data?.count} {...props}>
      {texts.undated}
    </PlaceLink>
  )
}
