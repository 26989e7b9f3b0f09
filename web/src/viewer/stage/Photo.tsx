import { type SyntheticEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { MediaFile } from '#contract/media.ts'
import { blurredPicture } from '../../media/thumbhash.ts'
import { texts } from '../texts.ts'
import { imageUrlFor, isSameImage, mayBeTransparent } from './image-source.ts'
import { useMediaSource } from './media-source.ts'
import { NotReady } from './NotReady.tsx'
import { isPrefetched } from './prefetch-images.ts'

interface Props {
  file: MediaFile
  /** Alternative text. */
  alternative: string
  /** Its longer side on the screen, in device pixels. */
  pixels: number
  /** Shows an animated image as a still. */
  still: boolean
  refresh: () => Promise<MediaFile | undefined>
  /** Called when the sharp image is displayed, or none can be. */
  onShown: () => void
  onDownload: () => void
}

/**
 * Shows the blurred placeholder first, then the thumbnail, then the variant that fits, and the full-size file when
 * zoomed in. Each stays until the next is decoded. Mounted once per file, so that a late image never appears for
 * another file.
 */
export function Photo({ file, alternative, pixels, still, refresh, onShown, onDownload }: Props) {
  const imageUrl = imageUrlFor(file, pixels, { still })
  const source = useMediaSource({ id: file.id, url: imageUrl, refresh })
  const url = source.blobUrl ?? imageUrl
  const [best, setBest] = useState(() => (url !== undefined && isPrefetched(url) ? url : undefined))
  const top = isSameImage(best, url) ? best : url
  const placeholder = best ?? file.thumbnail_url ?? undefined
  const mounted = useMounted()

  const shown = useEffectEvent(onShown)
  const finished = source.failed || (top !== undefined && top === best)
  useEffect(() => {
    if (finished) shown()
  }, [finished])

  async function onLoad({ currentTarget }: SyntheticEvent<HTMLImageElement>) {
    const address = currentTarget.getAttribute('src') ?? undefined
    await currentTarget.decode().catch(() => undefined)
    if (mounted.current) setBest(address)
  }
  const blurred = file.thumbhash === null ? undefined : blurredPicture(file.thumbhash)
  return (
    <div className="absolute inset-0">
      {mayBeTransparent(file) && file.status !== 'failed' && !source.failed && <div className="light-ground" />}
      {best === undefined && blurred !== undefined && (
        <div className="absolute inset-0" style={{ background: `center / 100% 100% url(${blurred})` }} />
      )}
      {placeholder !== undefined && placeholder !== top && (
        <img key={placeholder} src={placeholder} alt="" draggable={false} className="picture" />
      )}
      {top !== undefined && !source.failed && (
        <img
          key={`${top} ${source.attempt}`}
          src={top}
          alt={alternative}
          draggable={false}
          decoding={top === best ? 'sync' : 'async'}
          data-shown={top === best || undefined}
          onLoad={event => void onLoad(event)}
          onError={source.onError}
          className={`picture ${top === best ? '' : 'opacity-0'}`}
        />
      )}
      {source.failed &&
        (file.status === 'failed' ? (
          <NotReady file={file} onDownload={onDownload} />
        ) : (
          <p className="stage-message">{texts.notShown}</p>
        ))}
    </div>
  )
}

function useMounted() {
  const mounted = useRef(true)
  useEffect(() => {
    mounted.current = true
    return () => {
      mounted.current = false
    }
  }, [])
  return mounted
}
