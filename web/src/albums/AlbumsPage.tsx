import './albums.css'
import { Plus, Sparkles } from 'lucide-react'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import type { Album } from '#contract/albums.ts'
import { formatPhotos } from '../kit/format.ts'
import { useCan } from '../kit/me.tsx'
import { usePageTitle } from '../kit/page-title.ts'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { LoadingOrError } from '../ui/LoadingOrError.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { ScrollSentinel } from '../ui/ScrollSentinel.tsx'
import { AlbumCover } from './AlbumCover.tsx'
import { NewAlbumDialog } from './AlbumDialogs.tsx'
import { albumPath } from './album-path.ts'
import { formatDates } from './format.ts'
import { useAlbums } from './queries.ts'
import { texts } from './texts.ts'

/** All albums, as cards. */
export function AlbumsPage() {
  usePageTitle(texts.page)
  const [creating, setCreating] = useState(false)
  const navigate = useNavigate()
  const mayMake = useCan('albums.edit')
  const albums = useAlbums()
  const newButton = mayMake && (
    <Button variant="primary" icon={<Plus aria-hidden="true" className="size-5" />} onClick={() => setCreating(true)}>
      {texts.create.label}
    </Button>
  )
  const all = albums.data?.pages.flat()
  return (
    <>
      <div className="flex flex-wrap items-start justify-between gap-x-4">
        <PageHeader heading={texts.heading} subtitle={texts.subtitle} />
        {all !== undefined && all.length > 0 && <div className="mb-5">{newButton}</div>}
      </div>
      {all === undefined ? (
        <LoadingOrError query={albums} texts={texts} />
      ) : all.length === 0 ? (
        <EmptyState title={texts.empty.title} text={mayMake ? texts.empty.text : texts.empty.forViewers}>
          {newButton}
        </EmptyState>
      ) : (
        <ul aria-label={texts.list} className="album-cards">
          {all.map(album => (
            <li key={album.id}>
              <Card album={album} />
            </li>
          ))}
        </ul>
      )}
      {albums.hasNextPage && !albums.isFetchingNextPage && (
        <ScrollSentinel key={all?.length} margin={1_000} onVisible={() => void albums.fetchNextPage()} />
      )}
      {creating && (
        <NewAlbumDialog onClose={() => setCreating(false)} onCreated={({ id }) => void navigate(albumPath(id))} />
      )}
    </>
  )
}

function Card({ album }: { album: Album }) {
  const { id, title, file_count, search } = album
  return (
    <Link to={albumPath(id)} className="album-card">
      <AlbumCover album={album} className="aspect-[4/3] w-full" />
      <span className="mt-2 line-clamp-2 font-semibold font-serif text-body" dir="auto">
        {title}
      </span>{' '}
      <span className="flex items-center gap-1.5 text-fine text-ink-soft">
        {search !== null && <Sparkles aria-label={texts.smart} className="size-3.5 shrink-0" />}
        <span className="line-clamp-2">
          {[formatPhotos(file_count), formatDates(album)].filter(Boolean).join(' · ')}
        </span>
      </span>
    </Link>
  )
}
