import { type RefObject, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { MediaFile } from '#contract/media.ts'
import { ApiError } from '../../kit/api.ts'
import { useReachable } from '../../kit/reachability.ts'
import { rotatedStyle, type Size } from '../../media/rotated.ts'
import type { TilePicture } from '../../media/viewed-file.ts'
import { Spinner } from '../../ui/Spinner.tsx'
import { texts } from '../texts.ts'
import { useGestures } from './gestures.ts'
import { canBeShown } from './image-source.ts'
import { AnimationButton, LiveButton, LiveClip } from './LiveClip.tsx'
import { NotReady } from './NotReady.tsx'
import { Photo } from './Photo.tsx'
import { boxFor, Preview, type PreviewProps, TilePreview } from './Preview.tsx'
import { usePrefetchImages } from './prefetch-images.ts'
import { SmallCopy } from './SmallCopy.tsx'
import { useSwipeTrack } from './swipe-track.ts'
import { clampToStage, type Transform } from './transform.ts'
import { VideoPlayer } from './VideoPlayer.tsx'

interface StageProps {
  id: number
  /** Undefined while loading. */
  file: MediaFile | undefined
  /** What its tile shows, for the time until it is loaded. */
  tile: TilePicture | undefined
  /** Where a photo that is swiped down returns to. */
  photoInTile?: (() => Element | null) | undefined
  error: Error | null
  alternative: string
  transform: Transform
  onTransform: (transform: Transform) => void
  previous: MediaFile | undefined
  next: MediaFile | undefined
  /** Files whose images are prefetched. */
  prefetch: readonly MediaFile[]
  refresh: () => Promise<MediaFile | undefined>
  onNavigate: (to: 'previous' | 'next') => void
  onReset: () => void
  onTap: () => void
  onSwipeUp: () => void
  /** Returns whether the swipe closes the viewer. */
  onSwipeDown: () => boolean
  onClose: () => void
  onDownload: (file: MediaFile) => void
  /** Room at each edge that a video leaves free, because controls over it would cover its own. */
  videoInset: Size
  /** Photos fade into each other, and a video starts without a click. */
  startsPlaying: boolean
  slideshow: boolean
  /** How long the photo is slowly enlarged, in seconds; undefined: not at all. */
  zoomFor: number | undefined
  /** Whether the open file is displayed. */
  shown: boolean
  onShown: () => void
  onEnded: () => void
}

/** The area that shows the photo or video. */
export function Stage(props: StageProps) {
  const { id, file, transform, previous, next } = props
  const stage = useRef<HTMLDivElement>(null)
  const track = useRef<HTMLDivElement>(null)
  const size = useSize(stage)
  const reducedMotion = useReducedMotion()
  usePrefetchImages(props.prefetch, size, { still: reducedMotion })
  const [neighboursMounted, setNeighboursMounted] = useState(false)
  const [clipOf, setClipOf] = useState<number>()
  const swipe = useSwipeTrack({
    ...props,
    track,
    size,
    reducedMotion,
    hasPrevious: previous !== undefined,
    hasNext: next !== undefined,
    onStart: () => setNeighboursMounted(true),
  })
  const box = file && canBeShown(file) ? boxFor(file, size, props.videoInset, transform.rotation) : undefined
  const clamped = box === undefined ? transform : clampToStage(transform, box, size)
  const { handlers, dragging } = useGestures({
    stage,
    stageSize: size,
    box,
    transform: clamped,
    onTransform: props.onTransform,
    swipe,
    onTap: props.onTap,
    onHold: holding => setClipOf(holding ? id : undefined),
    onReset: props.onReset,
  })
  const preview = { stage: size, still: reducedMotion, videoInset: props.videoInset }
  return (
    <div ref={stage} {...handlers} className="viewer-stage">
      <div ref={track} className="viewer-track">
        {neighboursMounted && previous !== undefined && (
          <div key={previous.id} className="viewer-slide viewer-slide-previous">
            <Preview file={previous} {...preview} />
          </div>
        )}
        <div className="viewer-slide">
          <Content
            {...props}
            size={size}
            box={box}
            transform={clamped}
            dragging={dragging}
            reducedMotion={reducedMotion}
            playingClip={clipOf === id}
            onPlayClip={playing => setClipOf(playing ? id : undefined)}
          />
        </div>
        {neighboursMounted && next !== undefined && (
          <div key={next.id} className="viewer-slide viewer-slide-next">
            <Preview file={next} {...preview} />
          </div>
        )}
      </div>
      <CrossFade
        {...preview}
        zoomed={props.zoomFor !== undefined}
        file={file}
        on={props.slideshow && !reducedMotion}
        shown={props.shown}
      />
    </div>
  )
}

interface ContentProps extends StageProps {
  /** Of the stage. */
  size: Size
  /** Undefined for a file that cannot be shown. */
  box: Size | undefined
  dragging: boolean
  /** Whether the person prefers reduced motion. */
  reducedMotion: boolean
  playingClip: boolean
  onPlayClip: (playing: boolean) => void
}

function Content({ file, error, box, ...props }: ContentProps) {
  const reachable = useReachable()
  const tile = props.tile?.url === undefined ? undefined : props.tile
  if (file === undefined && error !== null && !reachable && tile !== undefined) {
    return (
      <>
        <TilePreview tile={tile} stage={props.size} videoInset={props.videoInset} />
        <SmallCopy />
      </>
    )
  }
  if (file === undefined && error !== null) return <LoadError error={error} retry={() => void props.refresh()} />
  if (file === undefined && props.tile !== undefined) {
    return <TilePreview tile={props.tile} stage={props.size} videoInset={props.videoInset} />
  }
  if (file === undefined) {
    return (
      <div className="absolute inset-0 grid place-items-center">
        <Spinner label={texts.loading} />
      </div>
    )
  }
  if (box === undefined) return <NotReady key={file.id} file={file} onDownload={() => props.onDownload(file)} />
  return <ActiveMedia key={file.id} {...props} error={error} file={file} box={box} />
}

/** So that the photo still moves while the next one fades in. */
const ZOOM_LASTS_LONGER = 1

function ActiveMedia({ file, box, transform, reducedMotion, ...props }: ContentProps & { file: MediaFile; box: Size }) {
  const [moving, setMoving] = useState(!reducedMotion)
  const isZooming = props.zoomFor !== undefined && !reducedMotion && file.file_type === 'image'
  const saved = file.rotation?.saved ?? 0
  const picture = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a rotation is saved
  useLayoutEffect(() => skipTransition(picture.current), [saved])
  return (
    <>
      <div
        ref={picture}
        className="picture-box"
        data-dragging={props.dragging || undefined}
        data-testid="picture"
        data-zooming={(isZooming && props.shown) || undefined}
        style={{
          animationDuration: isZooming ? `${(props.zoomFor ?? 0) + ZOOM_LASTS_LONGER}s` : undefined,
          width: box.width,
          height: box.height,
          transform: `translate(${transform.x}px, ${transform.y}px) rotate(${transform.rotation}deg) scale(${transform.scale})`,
        }}
      >
        {file.file_type === 'video' ? (
          <VideoPlayer
            file={file}
            url={file.url ?? undefined}
            tileUrl={props.tile?.url}
            alternative={props.alternative}
            refresh={props.refresh}
            startsPlaying={props.startsPlaying}
            autoPlay={props.slideshow}
            onEnded={props.onEnded}
            onFailed={props.onShown}
            onDownload={() => props.onDownload(file)}
          />
        ) : (
          <Photo
            file={file}
            alternative={props.alternative}
            box={box}
            pixels={Math.max(box.width, box.height) * transform.scale * window.devicePixelRatio}
            still={!moving}
            tileUrl={props.tile?.url}
            refresh={props.refresh}
            onShown={props.onShown}
            onDownload={() => props.onDownload(file)}
          />
        )}
        {file.motion_url !== null && (
          <LiveClip
            url={file.motion_url}
            style={rotatedStyle(box, saved)}
            playing={props.playingClip}
            onEnd={() => props.onPlayClip(false)}
          />
        )}
      </div>
      {file.motion_url !== null && <LiveButton playing={props.playingClip} onPlay={props.onPlayClip} />}
      {reducedMotion && file.animated && file.motion_url === null && (
        <AnimationButton playing={moving} onPlay={setMoving} />
      )}
    </>
  )
}

/** When a rotation is saved, the image itself is rotated and the box is not any more; that must not be animated. */
function skipTransition(element: HTMLElement | null): void {
  if (element === null) return
  element.style.transition = 'none'
  // Applies the style before the transition is allowed again.
  element.getBoundingClientRect()
  element.style.transition = ''
}

interface CrossFadeProps extends Omit<PreviewProps, 'file'> {
  file: MediaFile | undefined
  on: boolean
  /** Whether the new photo is displayed. */
  shown: boolean
  /** Whether the previous photo has been slowly enlarged. */
  zoomed: boolean
}

/** Keeps the previous photo of a slideshow above the new one, and fades it out when the new one is displayed. */
function CrossFade({ file, on, shown, zoomed, ...preview }: CrossFadeProps) {
  const [current, setCurrent] = useState(file)
  const [outgoing, setOutgoing] = useState<MediaFile>()
  if (file !== undefined && file.id !== current?.id) {
    setOutgoing(on ? current : undefined)
    setCurrent(file)
  }
  if (outgoing === undefined || file === undefined || !on) return null
  const ready = shown || file.file_type === 'video' || !canBeShown(file)
  return (
    <div
      key={outgoing.id}
      data-fading={ready || undefined}
      data-zoomed={(zoomed && outgoing.file_type === 'image') || undefined}
      onAnimationEnd={() => setOutgoing(undefined)}
      className="viewer-outgoing"
    >
      <Preview {...preview} file={outgoing} />
    </div>
  )
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
