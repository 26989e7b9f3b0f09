import './albums.css'
import { BookImage } from 'lucide-react'
import { useState } from 'react'
import type { Album } from '#contract/albums.ts'
import { backgroundColour } from '../media/thumbhash.ts'

interface Props {
  album: Album
  /** The larger picture, in its true proportions. */
  large?: boolean
  className?: string
}

export function AlbumCover({ album: { cover }, large = false, className = '' }: Props) {
  const [failedUrl, setFailedUrl] = useState<string | null>(null)
  const colour = cover?.thumbhash == null ? undefined : backgroundColour(cover.thumbhash)
  const url = cover && (large ? cover.website_url : cover.thumbnail_url)
  return (
    <span className={`album-cover ${className}`} style={colour === undefined ? undefined : { backgroundColor: colour }}>
      {url === null || url === failedUrl ? (
        <BookImage aria-hidden="true" className="size-1/3 max-h-10 text-ink-soft" />
      ) : (
        <img
          src={url}
          alt=""
          loading={large ? 'eager' : 'lazy'}
          draggable={false}
          onError={() => setFailedUrl(url)}
          className="size-full object-cover"
        />
      )}
    </span>
  )
}
