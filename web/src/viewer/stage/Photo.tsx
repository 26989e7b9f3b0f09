import { type SyntheticEvent, useEffect, useEffectEvent, useState } from 'react'
import type { MediaFile } from '#contract/media.ts'
import { useReachable } from '../../kit/reachability.ts'
import { rotatedStyle, type Size } from '../../media/rotated.ts'
import { blurredPicture } from '../../media/thumbhash.ts'
import { useIsMounted } from '../../ui/hooks.ts'
import { texts } from '../texts.ts'
import { imageUrlFor, isSameImage, mayBeTransparent } from './image-source.ts'
import { useMediaSource } from './media-source.ts'
import { NotReady } from './NotReady.tsx'
import { isPrefetched } from './prefetch-images.ts'
import { rotationOfImage } from './rotation.ts'
import { SmallCopy } from './SmallCopy.tsx'

interface Props {
  file: MediaFile
  /** Alternative text. */
  alternative: string
  /** Its size on the screen at 1×, as saved. */
  box: Size
  /** Its longer side on the screen, in device pixels. */
  pixels: number
  /** Shows an animated image as a still. */
  still: boolean
  /** The picture of its tile, which the browser has already. */
  tileUrl: string | undefined
  refresh: () => Promise<MediaFile | undefined>
  /** Called when the sharp image is displayed, or none can be. */
  onShown: () => void
  onDownload: () => void
}

/**
 * Shows the picture of the tile first, or else the blurred placeholder and the thumbnail, then the variant that fits, and the full-size file when
 * zoomed in. Each stays until the next is decoded. Mounted once per file, so that a late image never appears for
 * another file.
 */
export function Photo({ file, alternative, box, pixels, still, tileUrl, refresh, onShown, onDownload }: Props) {
  const imageUrl = imageUrlFor(file, pixels, { still })
  const source = useMediaSource({ id: file.id, url: imageUrl, refresh })
  const url = source.blobUrl ?? imageUrl
  const [decoded, setDecoded] = useState(() => (url !== undefined && isPrefetched(url) ? imageOf(url) : undefined))
  const best = decoded?.address
  const top = isSameImage(best, url) ? best : url
  // The tile may show the picture before a rotation was saved.
  const tile = [file.thumbnail_url, file.variant_urls?.mobile].some(known => isSameImage(tileUrl, known ?? undefined))
    ? tileUrl
    : undefined
  const thumbnail = tile ?? file.thumbnail_url
  const placeholder = decoded ?? (thumbnail === null ? undefined : imageOf(thumbnail))
  const isMounted = useIsMounted()
  const reachable = useReachable()

  const shown = useEffectEvent(onShown)
  const finished = source.failed || (top !== undefined && top === best)
  useEffect(() => {
    if (finished) shown()
  }, [finished])

  async function onLoad({ currentTarget }: SyntheticEvent<HTMLImageElement>) {
    const image = imageOf(currentTarget.getAttribute('src') ?? '')
    try {
      await currentTarget.decode()
      if (file.status === 'failed') await expectDrawable(currentTarget)
    } catch {
      // An element that was replaced is no error.
      if (isMounted() && currentTarget.isConnected) source.onError()
      return
    }
    if (isMounted()) setDecoded(image)
  }

  /** With the rotation of its pixels, which those of the next version may not have. */
  function imageOf(address: string) {
    return { address, rotation: rotationOfImage(file, address) }
  }
  const saved = file.rotation?.saved ?? 0
  const rotated = (rotation: number) => rotatedStyle(box, saved - rotation)
  const blurred = file.thumbhash === null ? undefined : blurredPicture(file.thumbhash)
  return (
    <div className="absolute inset-0">
      {mayBeTransparent(file) && file.status !== 'failed' && !source.failed && <div className="light-ground" />}
      {best === undefined && tile === undefined && blurred !== undefined && (
        <img src={blurred} alt="" draggable={false} className="blurred" style={rotated(file.rotation?.variants ?? 0)} />
      )}
      {placeholder !== undefined && placeholder.address !== top && (
        <img
          key={placeholder.address}
          src={placeholder.address}
          alt=""
          draggable={false}
          decoding="sync"
          className="picture"
          style={rotated(placeholder.rotation)}
        />
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
          style={rotated(rotationOfImage(file, top))}
        />
      )}
      {source.failed &&
        (file.status === 'failed' ? (
          <NotReady file={file} onDownload={onDownload} />
        ) : (
          <FallbackText hasCopy={!reachable && (placeholder !== undefined || blurred !== undefined)} />
        ))}
    </div>
  )
}

/** Below it is what this browser has of the photo, if the server cannot be reached. */
function FallbackText({ hasCopy }: { hasCopy: boolean }) {
  return hasCopy ? <SmallCopy /> : <p className="stage-message">{texts.notShown}</p>
}

/**
 * Chromium reports a truncated AVIF or WebP as loaded and decoded, although nothing of it can be drawn. Only for files
 * that the server could not read, because this decodes the image once more.
 */
async function expectDrawable(image: HTMLImageElement): Promise<void> {
  const bitmap = await createImageBitmap(image, { resizeWidth: 16, resizeHeight: 16 })
  bitmap.close()
}
