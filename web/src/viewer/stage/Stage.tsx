import { type RefObject, useCallback, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { MediaFile } from '#contract/media.ts'
import { ApiError } from '../../kit/api.ts'
import { Spinner } from '../../ui/Spinner.tsx'
import { texts } from '../texts.ts'
import { useGestures } from './gestures.ts'
import { AnimationButton, LiveButton, LiveClip } from './LiveClip.tsx'
import { NotReady } from './NotReady.tsx'
import { Photo } from './Photo.tsx'
import { usePrefetchImages } from './prefetch-images.ts'
import { clampToStage, fitSize, type Size, type Transform } from './transform.ts'
import { VideoPlayer } from './VideoPlayer.tsx'

interface StageProps {
  /** Undefined while loading. */
  file: MediaFile | undefined
  error: Error | null
  alternative: string
  transform: Transform
  onTransform: (transform: Transform) => void
  /** Files whose images are prefetched. */
  prefetch: readonly MediaFile[]
  refresh: () => Promise<MediaFile | undefined>
  onNavigate: (to: 'previous' | 'next') => void
  onReset: () => void
  onTap: () => void
  onClose: () => void
  onDownload: (file: MediaFile) => void
  /** Whether a slideshow waits for the end of the video. */
  slideshow: boolean
  onShown: () => void
  onEnded: () => void
}

/** The area that shows the photo or video. */
export function Stage(props: StageProps) {
  const stage = useRef<HTMLDivElement>(null)
  const size = useSize(stage)
  const reducedMotion = useReducedMotion()
  usePrefetchImages(props.prefetch, size, { still: reducedMotion })
  const { file, error } = props
  return (
    <div ref={stage} className="viewer-stage">
      {error !== null && file === undefined ? (
        <LoadError error={error} retry={() => void props.refresh()} />
      ) : file === undefined ? (
        <div className="absolute inset-0 grid place-items-center">
          <Spinner label={texts.loading} />
        </div>
      ) : !canBeShown(file) ? (
        <NotReady key={file.id} file={file} onDownload={() => props.onDownload(file)} />
      ) : (
        <ActiveMedia key={file.id} {...props} file={file} stage={stage} size={size} reducedMotion={reducedMotion} />
      )}
    </div>
  )
}

/** A ready file needs no signed URL: without one it is fetched with the session. */
function canBeShown(file: MediaFile): boolean {
  return file.status === 'ready' || file.url !== null || (file.file_type === 'image' && file.variant_urls !== null)
}

interface ActiveMediaProps extends StageProps {
  file: MediaFile
  stage: RefObject<HTMLDivElement | null>
  size: Size
  /** Whether the person prefers reduced motion. */
  reducedMotion: boolean
}

function ActiveMedia({ file, stage, size, reducedMotion, ...props }: ActiveMediaProps) {
  const [moving, setMoving] = useState(!reducedMotion)
  const [playingClip, setPlayingClip] = useState(false)
  const endClip = useCallback(() => setPlayingClip(false), [])
  const natural = naturalSize(file) ?? size
  const box = fitSize(natural, size, props.transform.rotation)
  const transform = clampToStage(props.transform, box, size)
  const gestures = useGestures({
    stage,
    stageSize: size,
    box,
    transform,
    onTransform: props.onTransform,
    onSwipe: swipe => (swipe === 'close' ? props.onClose() : props.onNavigate(swipe)),
    onTap: props.onTap,
    onHold: setPlayingClip,
    onReset: props.onReset,
  })
  const x = transform.x + (gestures.swipeOffset?.x ?? 0)
  const y = transform.y + (gestures.swipeOffset?.y ?? 0)
  return (
    <div {...gestures.handlers} className="absolute inset-0 touch-none">
      <div
        className="picture-box"
        data-dragging={gestures.dragging || undefined}
        data-testid="picture"
        style={{
          width: box.width,
          height: box.height,
          transform: `translate(${x}px, ${y}px) rotate(${transform.rotation}deg) scale(${transform.scale})`,
        }}
      >
        {file.file_type === 'video' ? (
          <VideoPlayer
            file={file}
            url={file.url ?? undefined}
            alternative={props.alternative}
            refresh={props.refresh}
            autoPlay={props.slideshow}
            onEnded={props.onEnded}
            onFailed={props.onShown}
          />
        ) : (
          <Photo
            file={file}
            alternative={props.alternative}
            pixels={Math.max(box.width, box.height) * transform.scale * window.devicePixelRatio}
            still={!moving}
            refresh={props.refresh}
            onShown={props.onShown}
            onDownload={() => props.onDownload(file)}
          />
        )}
        {file.motion_url !== null && <LiveClip url={file.motion_url} playing={playingClip} onEnd={endClip} />}
      </div>
      {file.motion_url !== null && <LiveButton playing={playingClip} onPlay={setPlayingClip} />}
      {reducedMotion && file.animated && file.motion_url === null && (
        <AnimationButton playing={moving} onPlay={setMoving} />
      )}
    </div>
  )
}

function naturalSize({ width, height }: MediaFile): Size | undefined {
  return width === null || height === null ? undefined : { width, height }
}

/** Shown when the file was deleted or could not be loaded. */
function LoadError({ error, retry }: { error: Error; retry: () => void }) {
  if (error instanceof ApiError && error.status === 404) return <p className="stage-message">{texts.gone}</p>
  return (
    <div className="absolute inset-0 grid place-items-center p-6">
      <div className="viewer-card flex max-w-md flex-col items-center gap-3 p-6 text-center">
        <p>{error.message}</p>
        <button type="button" onClick={retry} className="viewer-chip">
          {texts.retry}
        </button>
      </div>
    </div>
  )
}

const reduced = window.matchMedia('(prefers-reduced-motion: reduce)')

/** Whether the system setting asks for reduced motion. */
function useReducedMotion(): boolean {
  return useSyncExternalStore(subscribe, () => reduced.matches)
}

function subscribe(listener: () => void): () => void {
  reduced.addEventListener('change', listener)
  return () => reduced.removeEventListener('change', listener)
}

function useSize(element: RefObject<HTMLElement | null>): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 })
  useLayoutEffect(() => {
    if (element.current === null) return
    const measure = ({ clientWidth, clientHeight }: HTMLElement) =>
      setSize(before =>
        before.width === clientWidth && before.height === clientHeight
          ? before
          : { width: clientWidth, height: clientHeight },
      )
    const holder = element.current
    measure(holder)
    const observer = new ResizeObserver(() => measure(holder))
    observer.observe(holder)
    return () => observer.disconnect()
  }, [element])
  return size
}
