import { useQueryClient } from '@tanstack/react-query'
import { ImageOff, VideoOff } from 'lucide-react'
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { getMedia, type MediaFile, mediaThumbnailPath } from '#contract/media.ts'
import { fetchBlob } from '../kit/api.ts'
import { query } from '../kit/queries.ts'
import { backgroundColour, blurredPicture } from '../kit/thumbhash.ts'
import { pictureFor } from './picture.ts'
import { useSeen } from './seen.ts'
import { texts } from './texts.ts'

interface Props {
  file: MediaFile
  /** The side of the square it fills, in CSS pixels. */
  side: number
}

/** What is shown: the thumbnail; after an error the same from a fresh address; then the full file; then nothing. */
type Stage = 'thumbnail' | 'refreshed' | 'full' | 'none'

/** A file's picture on a square; until it has come, its colour, and soon its blurred picture. Fills a positioned element. */
export function Thumbnail({ file, side }: Props) {
  const holder = useRef<HTMLDivElement>(null)
  const seen = useSeen(holder)
  const { src, stage, onError } = usePicture(file, side)
  const colour = file.thumbhash === null ? undefined : backgroundColour(file.thumbhash)
  useBlurred(holder, file.thumbhash)
  return (
    <div
      ref={holder}
      className="photo group/photo absolute inset-0 overflow-hidden rounded-card bg-center bg-cover bg-sunken"
      style={colour === undefined ? undefined : { backgroundColor: colour }}
    >
      {src === undefined ? (
        file.status === 'ready' && <NoPreview file={file} />
      ) : (
        <img
          // Also from the same address it is loaded anew.
          key={`${stage} ${src}`}
          src={seen ? src : undefined}
          alt=""
          draggable={false}
          decoding="async"
          onLoad={event => event.currentTarget.setAttribute('data-loaded', '')}
          onError={onError}
          className="size-full object-cover opacity-0 motion-quick group-data-blurred/photo:transition-opacity data-loaded:opacity-100"
        />
      )}
    </div>
  )
}

/** To decode a blurred picture takes longer than to load a small one from nearby. */
const BLURRED_AFTER_MS = 150

/** By hand: it comes to many tiles at once, and nothing else of them is drawn anew. */
function useBlurred(holder: RefObject<HTMLElement | null>, thumbhash: string | null): void {
  useEffect(() => {
    if (thumbhash === null) return
    const timer = setTimeout(() => {
      const element = holder.current
      if (element === null || hasCome(element.querySelector('img'))) return
      const blurred = blurredPicture(thumbhash)
      if (blurred === undefined) return
      element.style.backgroundImage = `url(${blurred})`
      element.setAttribute('data-blurred', '')
    }, BLURRED_AFTER_MS)
    return () => clearTimeout(timer)
  }, [holder, thumbhash])
}

/** Also when the page was too busy to hear of it. */
function hasCome(picture: HTMLImageElement | null): boolean {
  return picture?.complete === true && picture.naturalWidth > 0
}

function usePicture(file: MediaFile, side: number) {
  const client = useQueryClient()
  const [stage, setStage] = useState<Stage>('thumbnail')
  const [fresh, setFresh] = useState<MediaFile | null>(null)

  // A picture that is ready but has no signed address is fetched with the session.
  const bytes = useThumbnailBytes(file, stage !== 'full' && stage !== 'none' && lacksAddress(fresh ?? file, side), () =>
    setStage('full'),
  )

  // Signed addresses run out while a page stays open, so the file is fetched anew once.
  async function refresh() {
    try {
      setFresh(await client.fetchQuery({ ...query(getMedia, { params: { id: file.id } }), staleTime: 0 }))
      setStage('refreshed')
    } catch {
      // Whatever keeps the file away, the address of its full picture may still hold.
      setStage('full')
    }
  }

  function onError() {
    if (stage === 'thumbnail') void refresh()
    else setStage(stage === 'refreshed' && file.file_type === 'image' ? 'full' : 'none')
  }
  return { src: bytes ?? addressAt(stage, fresh ?? file, side), stage, onError }
}

function lacksAddress(file: MediaFile, side: number): boolean {
  return file.status === 'ready' && pictureFor(file, side * window.devicePixelRatio) === undefined
}

function useThumbnailBytes({ id }: MediaFile, wanted: boolean, onFailed: () => void): string | undefined {
  const [bytes, setBytes] = useState<string>()
  const failed = useEffectEvent(onFailed)
  useEffect(() => {
    if (!wanted) return
    let address: string | undefined
    let unmounted = false
    fetchBlob(mediaThumbnailPath, { id }).then(
      blob => {
        if (unmounted) return
        address = URL.createObjectURL(blob)
        setBytes(address)
      },
      () => !unmounted && failed(),
    )
    return () => {
      unmounted = true
      if (address !== undefined) URL.revokeObjectURL(address)
      setBytes(undefined)
    }
  }, [id, wanted])
  return bytes
}

function addressAt(stage: Stage, file: MediaFile, side: number): string | undefined {
  const fullFile = file.file_type === 'image' ? (file.url ?? undefined) : undefined
  if (stage === 'none') return undefined
  if (stage === 'full') return fullFile
  return pictureFor(file, side * window.devicePixelRatio)
}

function NoPreview({ file }: { file: MediaFile }) {
  const Icon = file.file_type === 'video' ? VideoOff : ImageOff
  return (
    <span className="absolute inset-0 flex flex-col items-center justify-center gap-2 bg-sunken p-2 text-center text-ink-soft text-small">
      <Icon aria-hidden="true" className="size-8" />
      {texts.noPreview}
    </span>
  )
}
