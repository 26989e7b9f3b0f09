import { useQueryClient } from '@tanstack/react-query'
import { ImageOff, VideoOff } from 'lucide-react'
import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import type { GridFile } from '#contract/grid.ts'
import { getMedia, type MediaFile, mediaThumbnailPath } from '#contract/media.ts'
import { ApiError, fetchBlob } from '../kit/api.ts'
import { query } from '../kit/queries.ts'
import { waitOrWakeUp } from '../kit/reachability.ts'
import { rotatedStyle } from '../media/rotated.ts'
import { backgroundColour, blurredPicture } from '../media/thumbhash.ts'
import { texts } from './texts.ts'
import { rememberLoaded, type Size, type ThumbnailUrls, thumbnailUrlFor } from './thumbnail-source.ts'

interface Props {
  file: GridFile
  /** In CSS pixels. */
  width: number
  height: number
}

/**
 * The thumbnail; after an error the same with a refreshed URL; then the full file; then nothing. While the server cannot
 * be reached nothing is shown, and then the thumbnail again.
 */
type SourceState = 'thumbnail' | 'refreshed' | 'full' | 'none' | 'unreachable'

/** For a failure that did not make the server unreachable for others. */
const RETRY_AFTER_MS = 30_000

/** A thumbnail. Until it is loaded, its average colour and then its blurred placeholder are shown. */
export function Thumbnail({ file, width, height }: Props) {
  const holder = useRef<HTMLDivElement>(null)
  const seen = useWasVisible(holder)
  const { src, state, rotation, onLoad, onError } = useThumbnailUrl(file, { width, height })
  const colour = file.thumbhash === null ? undefined : backgroundColour(file.thumbhash)
  useBlurred(holder, file.thumbhash)
  return (
    <div
      ref={holder}
      className="photo group/photo absolute inset-0 overflow-hidden rounded-photo bg-center bg-cover bg-sunken"
      style={colour === undefined ? undefined : { backgroundColor: colour }}
    >
      {src === undefined ? (
        file.status === 'ready' && state !== 'unreachable' && <NoPreview file={file} />
      ) : (
        <img
          // The state is part of the key, so that a retry reloads the same URL.
          key={`${state} ${src}`}
          src={seen ? src : undefined}
          alt=""
          draggable={false}
          decoding="async"
          style={rotatedStyle({ width, height }, rotation)}
          onLoad={event => {
            event.currentTarget.setAttribute('data-loaded', '')
            onLoad()
          }}
          onError={onError}
          className="size-full object-cover opacity-0 motion-quick group-data-blurred/photo:transition-opacity data-loaded:opacity-100"
        />
      )}
    </div>
  )
}

/** Decoding the placeholder takes longer than loading a thumbnail over a fast connection. */
const BLURRED_AFTER_MS = 150

/** Changes the element directly, because rendering many tiles again would be slow. */
export function useBlurred(holder: RefObject<HTMLElement | null>, thumbhash: string | null): void {
  useEffect(() => {
    if (thumbhash === null) return
    const timer = setTimeout(() => {
      const element = holder.current
      if (element === null || isLoaded(element.querySelector('img'))) return
      const blurred = blurredPicture(thumbhash)
      if (blurred === undefined) return
      element.style.backgroundImage = `url(${blurred})`
      element.setAttribute('data-blurred', '')
    }, BLURRED_AFTER_MS)
    return () => clearTimeout(timer)
  }, [holder, thumbhash])
}

/** The image may be complete before its load event is handled. */
function isLoaded(picture: HTMLImageElement | null): boolean {
  return picture?.complete === true && picture.naturalWidth > 0
}

function useThumbnailUrl(file: GridFile, size: Size) {
  const client = useQueryClient()
  const [state, setState] = useState<SourceState>('thumbnail')
  const [fresh, setFresh] = useState<MediaFile | null>(null)
  const pictured = fresh === null ? file : picturesOf(file, fresh)

  // Without a signed URL the thumbnail is fetched with the session.
  const lacksUrl = file.status === 'ready' && thumbnailUrlFor(pictured, size, window.devicePixelRatio) === undefined
  const blobUrl = useFetchedThumbnail(
    file,
    lacksUrl && (state === 'thumbnail' || state === 'refreshed'),
    () => void refresh('full'),
  )

  /** Signed URLs expire while a page is open, so the file is refetched once. */
  async function refresh(next: SourceState) {
    try {
      setFresh(await client.fetchQuery({ ...query(getMedia, { params: { id: file.id } }), staleTime: 0 }))
      setState(next)
    } catch (error) {
      setState(error instanceof ApiError && error.status === 0 ? 'unreachable' : 'none')
    }
  }
  useEffect(() => {
    if (state !== 'unreachable') return
    const unmounted = new AbortController()
    void waitOrWakeUp(RETRY_AFTER_MS, unmounted.signal).then(() => {
      if (!unmounted.signal.aborted) setState('thumbnail')
    })
    return () => unmounted.abort()
  }, [state])

  function onError() {
    if (state === 'thumbnail') void refresh('refreshed')
    else setState(state === 'refreshed' && file.file_type === 'image' ? 'full' : 'none')
  }

  function src(): string | undefined {
    if (state === 'none' || state === 'unreachable') return undefined
    if (state === 'full') return file.file_type === 'image' ? (fresh?.url ?? undefined) : undefined
    return thumbnailUrlFor(pictured, size, window.devicePixelRatio)
  }
  const address = blobUrl ?? src()
  return {
    src: address,
    state,
    /** Of the full file, which a saved rotation does not change. */
    rotation: state === 'full' && fresh?.rotation ? fresh.rotation.saved - fresh.rotation.url : 0,
    onLoad: () => {
      if (address !== undefined && state !== 'full' && blobUrl === undefined) rememberLoaded(file.id, address)
    },
    onError,
  }
}

function picturesOf({ ratio }: GridFile, { thumbnail_url, variant_urls }: MediaFile): ThumbnailUrls {
  return { ratio, thumbnail_url, mobile_url: variant_urls?.mobile ?? null }
}

function useFetchedThumbnail({ id }: GridFile, wanted: boolean, onFailed: () => void): string | undefined {
  const [blobUrl, setBlobUrl] = useState<string>()
  const failed = useEffectEvent(onFailed)
  useEffect(() => {
    if (!wanted) return
    let address: string | undefined
    let unmounted = false
    fetchBlob(mediaThumbnailPath, { id }).then(
      blob => {
        if (unmounted) return
        address = URL.createObjectURL(blob)
        setBlobUrl(address)
      },
      () => !unmounted && failed(),
    )
    return () => {
      unmounted = true
      if (address !== undefined) URL.revokeObjectURL(address)
      setBlobUrl(undefined)
    }
  }, [id, wanted])
  return blobUrl
}

function NoPreview({ file }: { file: GridFile }) {
  const Icon = file.file_type === 'video' ? VideoOff : ImageOff
  return (
    <span className="absolute inset-0 flex flex-col items-center justify-center gap-2 bg-sunken p-2 text-center text-ink-soft text-small">
      <Icon aria-hidden="true" className="size-8" />
      {texts.noPreview}
    </span>
  )
}

/** Thumbnails load when a tenth of them is within 50 px of the screen. */
const MARGIN = 50
const SHARE = 0.1

const onVisible = new WeakMap<Element, () => void>()
let observer: IntersectionObserver | undefined

/** One observer for all tiles, because creating hundreds while scrolling is slow. */
function watch(element: Element, onSeen: () => void): () => void {
  observer ??= new IntersectionObserver(
    entries => {
      for (const { isIntersecting, target } of entries) {
        if (isIntersecting) onVisible.get(target)?.()
      }
    },
    { rootMargin: `${MARGIN}px`, threshold: SHARE },
  )
  onVisible.set(element, onSeen)
  observer.observe(element)
  return () => {
    onVisible.delete(element)
    observer?.unobserve(element)
  }
}

/** Tracked by an event, because reading scrollY would force a layout for every tile. */
let scrolled = false
window.addEventListener('scroll', () => (scrolled = true), { once: true, passive: true })

/**
 * What the observer would report two frames later, which takes a third of a second on a small tablet. Worth measuring
 * on the first screen, too slow while scrolling.
 */
function isVisibleNow(element: Element): boolean {
  const { top, bottom, left, right } = element.getBoundingClientRect()
  const within = (from: number, to: number, end: number) => Math.min(to, end + MARGIN) - Math.max(from, -MARGIN)
  const [high, wide] = [within(top, bottom, window.innerHeight), within(left, right, window.innerWidth)]
  return high > 0 && wide > 0 && high * wide >= SHARE * (bottom - top) * (right - left)
}

/** Whether the element has been visible since it was mounted. */
function useWasVisible(element: RefObject<Element | null>): boolean {
  const [seen, setSeen] = useState(false)
  useLayoutEffect(() => {
    if (seen || element.current === null) return
    if (!scrolled && isVisibleNow(element.current)) return setSeen(true)
    return watch(element.current, () => setSeen(true))
  }, [seen, element])
  return seen
}
