import { useQueryClient } from '@tanstack/react-query'
import { ImageOff, Play } from 'lucide-react'
import { useState } from 'react'
import type { SharedFile } from '#contract/chat.ts'
import { getMedia } from '#contract/media.ts'
import { HeartButton, useHeart } from '../../hearts/HeartButton.tsx'
import { useSetHeart } from '../../hearts/hearts.ts'
import { query } from '../../kit/queries.ts'
import { backgroundColour, blurredPicture } from '../../media/thumbhash.ts'
import { texts } from '../texts.ts'

interface Props {
  /** Null: deleted since it was sent. */
  media: SharedFile | null
  onOpen: (id: number) => void
}

/** A shared photo or video. Its size is reserved before the picture loads, so that nothing jumps. */
export function PhotoCard({ media, onOpen }: Props) {
  if (media === null) return <p className="text-ink-soft text-small italic">{texts.conversation.photoGone}</p>
  const { id, original_name, file_type, thumbhash } = media
  const blurred = thumbhash === null ? undefined : blurredPicture(thumbhash)
  const backgroundColor = thumbhash === null ? undefined : backgroundColour(thumbhash)
  return (
    <div className="relative -mx-1 max-w-full">
      <button
        type="button"
        title={original_name}
        onClick={() => onOpen(id)}
        style={{ ...boxOf(media), backgroundColor, ...(blurred && { backgroundImage: `url(${blurred})` }) }}
        className="relative block max-w-full overflow-hidden rounded-control bg-center bg-cover bg-sunken"
      >
        <span className="sr-only">{texts.conversation.openPhoto({ name: original_name })}</span>
        <Picture media={media} />
        {file_type === 'video' && (
          <span className="absolute inset-0 m-auto grid size-11 place-items-center rounded-full bg-scrim text-paper">
            <Play aria-hidden="true" className="size-5 fill-current" />
          </span>
        )}
      </button>
      <PhotoHeart fileId={id} />
    </div>
  )
}

/** In a corner of the photo, with the number of people who love it. */
function PhotoHeart({ fileId }: { fileId: number }) {
  const setHeart = useSetHeart()
  const { hearted, count, act, lovedBy, label } = useHeart(fileId)
  if (setHeart === undefined) return null
  return (
    <HeartButton
      hearts={count}
      hearted={hearted}
      aria-label={label}
      title={lovedBy ?? act}
      onClick={() => setHeart(fileId, !hearted)}
      onPhoto
      className="photo-heart absolute bottom-0 left-0"
    />
  )
}

/** Signed URLs expire while a page is open, so a failed image is retried once with a refreshed URL. */
function Picture({ media: { id, thumbnail_url } }: { media: SharedFile }) {
  const client = useQueryClient()
  const [fresh, setFresh] = useState<string | null>()
  const src = fresh === undefined ? thumbnail_url : fresh

  async function refresh() {
    if (fresh !== undefined) return setFresh(null)
    try {
      const file = await client.fetchQuery({ ...query(getMedia, { params: { id } }), staleTime: 0 })
      setFresh(file.thumbnail_url)
    } catch {
      // Show that there is no preview, whatever the error.
      setFresh(null)
    }
  }
  if (src === null) {
    return (
      <span className="absolute inset-0 flex flex-col items-center justify-center gap-1 bg-sunken text-fine text-ink-soft">
        <ImageOff aria-hidden="true" className="size-6" />
        {texts.conversation.noPreview}
      </span>
    )
  }
  return (
    <img
      key={src}
      src={src}
      alt=""
      onError={() => void refresh()}
      className="absolute inset-0 size-full object-cover"
    />
  )
}

const LONGEST = 240
const SHORTEST = 96

function boxOf({ width, height }: SharedFile): { width: number; height: number } {
  if (width === null || height === null) return { width: LONGEST, height: (LONGEST * 3) / 4 }
  const scale = LONGEST / Math.max(width, height)
  return { width: Math.max(SHORTEST, width * scale), height: Math.max(SHORTEST, height * scale) }
}
