import { useQuery } from '@tanstack/react-query'
import { Link, NavLink } from 'react-router'
import { listMedia } from '#contract/media-list.ts'
import type { User } from '#contract/people.ts'
import type { Place } from '../kit/feature.ts'
import { filterPath } from '../kit/filter-path.ts'
import { formatCount } from '../kit/format.ts'
import { useMe } from '../kit/me.tsx'
import { query } from '../kit/queries.ts'
import { MenuLink } from '../ui/Menu.tsx'
import { type PlaceName, places } from './features.ts'
import { texts } from './texts.ts'
import { useCurrentPlace } from './use-current-place.ts'

/** The entries of the navigation, in the rail. */
export function PlaceLinks({ places: names }: { places: readonly PlaceName[] }) {
  const me = useMe()
  const current = useCurrentPlace().name
  if (me === null) return null
  return (
    <div className="flex shrink-0 flex-col">
      {names.map(name => (
        <PlaceLink key={name} place={places[name]} me={me} current={current === name} />
      ))}
    </div>
  )
}

/** The same in the menu of a phone. */
export function PlacesInMenu({ places: names }: { places: readonly PlaceName[] }) {
  const me = useMe()
  const current = useCurrentPlace().name
  return (
    me !== null && names.map(name => <PlaceInMenu key={name} place={places[name]} me={me} current={current === name} />)
  )
}

function pathOf(to: Place['to'], me: User): string {
  return typeof to === 'string' ? to : filterPath(to(me))
}

interface LinkProps {
  place: Place
  me: User
  current: boolean
}

function PlaceLink({ place, me, current }: LinkProps) {
  const { name, icon: Icon, to, fills = false } = place
  const { count, hidden } = usePlaceCount(place, me)
  if (hidden && !current) return null
  return (
    <Link
      to={pathOf(to, me)}
      aria-current={current ? 'page' : undefined}
      className="folder-line relative flex shrink-0 items-center gap-2.5 pl-2.5"
    >
      <Icon aria-hidden="true" className={`size-4.5 shrink-0 ${fills && current ? 'fill-current' : ''}`} />
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

function PlaceInMenu({ place, me, current }: LinkProps) {
  const { name, icon: Icon, to } = place
  const { hidden } = usePlaceCount(place, me)
  if (hidden && !current) return null
  const link = <NavLink to={pathOf(to, me)} aria-current={current ? 'page' : 'false'} />
  return (
    <MenuLink link={link} icon={<Icon aria-hidden="true" className="size-5" />}>
      {name}
    </MenuLink>
  )
}

const useNothing = () => undefined

/** The count is undefined for pages, and until it is loaded. */
function usePlaceCount({ to, hiddenIfEmpty = false, useIsEmpty = useNothing }: Place, me: User) {
  const filter = typeof to === 'string' ? undefined : to(me)
  const counted = query(listMedia, { query: { sort: 'date', order: 'desc', limit: 1, ...filter } })
  const { data } = useQuery({ ...counted, enabled: filter !== undefined, staleTime: 60_000 })
  const isEmpty = useIsEmpty() ?? (filter === undefined ? undefined : !data?.count)
  return { count: filter && data?.count, hidden: hiddenIfEmpty && isEmpty !== false }
}
