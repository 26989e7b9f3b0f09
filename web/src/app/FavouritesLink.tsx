import { useQuery } from '@tanstack/react-query'
import { Heart } from 'lucide-react'
import { Link } from 'react-router'
import { listMedia } from '#contract/media-list.ts'
import { favouritesPath } from '../gallery/gallery-address.ts'
import { texts as heartTexts } from '../hearts/texts.ts'
import { formatCount } from '../kit/format.ts'
import { useMe } from '../kit/me.tsx'
import { query } from '../kit/queries.ts'
import { texts } from './texts.ts'

/** The way to the person's own favourites, above the folders. */
export function FavouritesLink({ current, onChosen }: { current: boolean; onChosen: () => void }) {
  const me = useMe()
  const filter = { sort: 'date', order: 'desc', limit: 1, ...(me && { hearted_by: me.id }) } as const
  const { data } = useQuery({ ...query(listMedia, { query: filter }), enabled: me !== null, staleTime: 60_000 })
  if (me === null) return null
  return (
    <Link
      to={favouritesPath(me.id)}
      onClick={onChosen}
      aria-current={current ? 'page' : undefined}
      className="folder-line relative flex shrink-0 items-center gap-2 pl-1.5"
    >
      <Heart aria-hidden="true" className={`size-4 shrink-0 ${current ? 'fill-current' : ''}`} />
      <span className="min-w-0 flex-1 truncate">{heartTexts.favourites}</span>{' '}
      {data !== undefined && (
        <span className="folder-count">
          {formatCount(data.count)}
          <span className="sr-only"> {texts.files(data.count)}</span>
        </span>
      )}
    </Link>
  )
}
