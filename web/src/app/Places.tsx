import { BookImage } from 'lucide-react'
import { Link } from 'react-router'
import { FavouritesLink } from './FavouritesLink.tsx'
import { texts } from './texts.ts'

interface Props {
  current: 'favourites' | 'albums' | null
  onChosen: () => void
}

/** What is beside the folders. */
export function Places({ current, onChosen }: Props) {
  return (
    <div className="flex shrink-0 flex-col">
      <FavouritesLink current={current === 'favourites'} onChosen={onChosen} />
      <Link
        to="/albums"
        onClick={onChosen}
        aria-current={current === 'albums' ? 'page' : undefined}
        className="folder-line relative flex shrink-0 items-center gap-2 pl-1.5"
      >
        <BookImage aria-hidden="true" className="size-4 shrink-0" />
        {texts.albums}
      </Link>
    </div>
  )
}
