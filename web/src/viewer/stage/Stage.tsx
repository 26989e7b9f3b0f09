import { type RefObject, useCallback, useRef, useState } from 'react'
import type { MediaFile } from '#contract/media.ts'
import { Spinner } from '../../ui/Spinner.tsx'
import { texts } from '../texts.ts'
import { Film } from './Film.tsx'
import { AnimationButton, LiveButton, LiveClip } from './LiveClip.tsx'
import { NotReady } from './NotReady.tsx'
import { NotThere } from './NotThere.tsx'
import { Photo } from './Photo.tsx'
import { useGestures } from './useGestures.ts'
import { usePreloading } from './usePreloading.ts'
import { useReducedMotion } from './useReducedMotion.ts'
import { useSize } from './useSize.ts'
import { fitted, type Look, type Size, within } from './zoom.ts'

export interface StageProps {
  /** Undefined until it has come. */
  file: MediaFile | undefined
  error: Error | null
  alternative: string
  look: Look
  onLook: (look: Look) => void
  /** Whose pictures are fetched ahead. */
  soon: readonly MediaFile[]
  refresh: () => Promise<MediaFile | undefined>
  onTurn: (to: 'previous' | 'next') => void
  onReset: () => void
  onTap: () => void
  onClose: () => void
  onDownload: (file: MediaFile) => void
  /** Whether a slideshow waits for the end of a film. */
  slideshow: boolean
  onShown: () => void
  onEnded: () => void
}

/** Where the picture is. */
export function Stage(props: StageProps) {
  const stage = useRef<HTMLDivElement>(null)
  const size = useSize(stage)
  const reducedMotion = useReducedMotion()
  usePreloading(props.soon, size, { still: reducedMotion })
  const { file, error } = props
  return (
    <div ref={stage} className="viewer-stage">
      {error !== null && file === undefined ? (
        <NotThere error={error} retry={() => void props.refresh()} />
      ) : file === undefined ? (
        <div className="absolute inset-0 grid place-items-center">
          <Spinner label={texts.loading} />
        </div>
      ) : !canBeShown(file) ? (
        <NotReady key={file.id} file={file} onDownload={() => props.onDownload(file)} />
      ) : (
        <Shown key={file.id} {...props} file={file} stage={stage} size={size} reducedMotion={reducedMotion} />
      )}
    </div>
  )
}

/** A file that is ready but has no signed address is fetched with the session instead. */
function canBeShown(file: MediaFile): boolean {
  return file.status === 'ready' || file.url !== null || (file.file_type === 'image' && file.variant_urls !== null)
}

interface ShownProps extends StageProps {
  file: MediaFile
  stage: RefObject<HTMLDivElement | null>
  size: Size
  /** Whether this person wants nothing to move by itself. */
  reducedMotion: boolean
}

function Shown({ file, stage, size, reducedMotion, ...props }: ShownProps) {
  const [moving, setMoving] = useState(!reducedMotion)
  const [holding, setHolding] = useState(false)
  const endClip = useCallback(() => setHolding(false), [])
  const natural = sizeOf(file) ?? size
  const box = fitted(natural, size, props.look.turn)
  const look = within(props.look, box, size)
  const gestures = useGestures({
    stage,
    stageSize: size,
    box,
    look,
    onLook: props.onLook,
    onSwipe: swipe => (swipe === 'close' ? props.onClose() : props.onTurn(swipe)),
    onTap: props.onTap,
    onHold: setHolding,
    onReset: props.onReset,
  })
  const x = look.x + (gestures.drift?.x ?? 0)
  const y = look.y + (gestures.drift?.y ?? 0)
  return (
    <div {...gestures.handlers} className="absolute inset-0 touch-none">
      <div
        className="picture-box"
        data-following={gestures.following || undefined}
        data-testid="picture"
        style={{
          width: box.width,
          height: box.height,
          transform: `translate(${x}px, ${y}px) rotate(${look.turn}deg) scale(${look.scale})`,
        }}
      >
        {file.file_type === 'video' ? (
          <Film
            file={file}
            address={file.url ?? undefined}
            alternative={props.alternative}
            refresh={props.refresh}
            awaited={props.slideshow}
            onEnded={props.onEnded}
            onFailed={props.onShown}
          />
        ) : (
          <Photo
            file={file}
            alternative={props.alternative}
            pixels={Math.max(box.width, box.height) * look.scale * window.devicePixelRatio}
            still={!moving}
            refresh={props.refresh}
            onShown={props.onShown}
            onDownload={() => props.onDownload(file)}
          />
        )}
        {file.motion_url !== null && <LiveClip address={file.motion_url} playing={holding} onEnd={endClip} />}
      </div>
      {file.motion_url !== null && <LiveButton playing={holding} onPlay={setHolding} />}
      {reducedMotion && file.animated && file.motion_url === null && (
        <AnimationButton playing={moving} onPlay={setMoving} />
      )}
    </div>
  )
}

function sizeOf({ width, height }: MediaFile): Size | undefined {
  return width === null || height === null ? undefined : { width, height }
}
