import { type SyntheticEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { MediaFile } from '#contract/media.ts'
import { blurredPicture } from '../../kit/thumbhash.ts'
import { texts } from '../texts.ts'
import { NotReady } from './NotReady.tsx'
import { isPreloaded } from './preloaded.ts'
import { mayBeTransparent, pictureFor, samePicture } from './sources.ts'
import { useFallback } from './useFallback.ts'

interface Props {
  file: MediaFile
  /** What it shows, for those who cannot see it. */
  alternative: string
  /** The longer side it takes on the screen now, in device pixels. */
  pixels: number
  /** What moves is to stand still. */
  still: boolean
  refresh: () => Promise<MediaFile | undefined>
  /** The picture stands there, sharp; or nothing better will come. */
  onShown: () => void
  onDownload: () => void
}

/**
 * A photo that is never blank: first its blur, then the thumbnail, then the picture that fits, and the full-size file
 * once somebody looks closer. Each stays until the next is decoded. Made anew for each file, so that what arrives late
 * can never stand under another photo's name.
 */
export function Photo({ file, alternative, pixels, still, refresh, onShown, onDownload }: Props) {
  const picture = pictureFor(file, pixels, { still })
  const fallback = useFallback({ id: file.id, address: picture, refresh })
  const wanted = fallback.bytes ?? picture
  const [best, setBest] = useState(() => (wanted !== undefined && isPreloaded(wanted) ? wanted : undefined))
  const top = samePicture(best, wanted) ? best : wanted
  const below = best ?? file.thumbnail_url ?? undefined
  const mounted = useMounted()

  const shown = useEffectEvent(onShown)
  const settled = fallback.failed || (top !== undefined && top === best)
  useEffect(() => {
    if (settled) shown()
  }, [settled])

  async function onLoad({ currentTarget }: SyntheticEvent<HTMLImageElement>) {
    const address = currentTarget.getAttribute('src') ?? undefined
    await currentTarget.decode().catch(() => undefined)
    if (mounted.current) setBest(address)
  }
  const blurred = file.thumbhash === null ? undefined : blurredPicture(file.thumbhash)
  return (
    <div className="absolute inset-0">
      {mayBeTransparent(file) && file.status !== 'failed' && !fallback.failed && <div className="light-ground" />}
      {best === undefined && blurred !== undefined && (
        <div className="absolute inset-0" style={{ background: `center / 100% 100% url(${blurred})` }} />
      )}
      {below !== undefined && below !== top && (
        <img key={below} src={below} alt="" draggable={false} className="picture" />
      )}
      {top !== undefined && !fallback.failed && (
        <img
          key={`${top} ${fallback.attempt}`}
          src={top}
          alt={alternative}
          draggable={false}
          decoding={top === best ? 'sync' : 'async'}
          data-shown={top === best || undefined}
          onLoad={event => void onLoad(event)}
          onError={fallback.onError}
          className={`picture ${top === best ? '' : 'opacity-0'}`}
        />
      )}
      {fallback.failed &&
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
