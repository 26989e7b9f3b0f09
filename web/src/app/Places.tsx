import { BookImage, type LucideIcon, MapIcon } from 'lucide-react'
import { Link } from 'react-router'
import { FavouritesLink } from './FavouritesLink.tsx'
import { texts } from './texts.ts'

interface Props {
  current: 'favourites' | 'albums' | 'map' | null
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
