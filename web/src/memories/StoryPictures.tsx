import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { MediaFile } from '#contract/media.ts'
import { blurredPicture } from '../media/thumbhash.ts'

interface Props {
  file: MediaFile
  /** Loaded in advance. */
  next: MediaFile | undefined
  alternative: string
  paused: boolean
  /** The file can be seen. */
  onShown: () => void
  /** How much of a video has been played, from 0 to 1. */
  onProgress: (part: number) => void
  onEnded: () => void
}

interface Layer {
  file: MediaFile
  alternative: string
}

/** The new photo fades in above the one before, once it is decoded: nothing grey is seen between them. */
export function StoryPictures({ file, next, alternative, paused, onShown, onProgress, onEnded }: Props) {
  const [layers, setLayers] = useState<readonly Layer[]>([])
  const shown = useEffectEvent(onShown)
  useEffect(() => {
    let wanted = true
    void decode(pictureOf(file)).then(() => {
      if (!wanted) return
      // The same file again where it has changed, such as its caption.
      setLayers(before => [...before.filter(layer => layer.file.id !== file.id).slice(-1), { file, alternative }])
      shown()
    })
    return () => {
      wanted = false
    }
  }, [file, alternative])
  useEffect(() => {
    if (next !== undefined) void decode(pictureOf(next))
  }, [next])
  const current = layers.at(-1)
  return layers.map(layer => (
    <div key={layer.file.id} className="story-layer" aria-hidden={layer !== current}>
      {layer.file.thumbhash !== null && (
        <img src={blurredPicture(layer.file.thumbhash)} alt="" className="story-backdrop" />
      )}
      {layer.file.file_type === 'video' && layer.file.url !== null && layer === current ? (
        <Video file={layer.file} paused={paused} label={alternative} onProgress={onProgress} onEnded={onEnded} />
      ) : (
        <img src={pictureOf(layer.file)} alt={layer === current ? layer.alternative : ''} draggable={false} />
      )}
    </div>
  ))
}

/** Large enough for the screen; a picture that browsers cannot show has variants. */
function pictureOf({ variant_urls, url, file_type, thumbnail_url, animated }: MediaFile): string {
  const long = Math.max(window.innerWidth, window.innerHeight) * window.devicePixelRatio
  const variant = variant_urls && (long > 2_200 ? variant_urls.desktop : variant_urls.website)
  const full = file_type === 'image' ? url : null
  return (animated ? (full ?? variant) : (variant ?? full)) ?? thumbnail_url ?? ''
}

const LONGEST_WAIT = 8_000

/** Also resolves when it fails or takes very long, so that the story goes on. */
async function decode(address: string): Promise<void> {
  const image = new Image()
  image.src = address
  const patience = new Promise<void>(resolve => setTimeout(resolve, LONGEST_WAIT))
  await Promise.race([image.decode().catch(() => undefined), patience])
}

interface VideoProps extends Pick<Props, 'file' | 'paused' | 'onProgress' | 'onEnded'> {
  label: string
}

function Video({ file, paused, label, onProgress, onEnded }: VideoProps) {
  const video = useRef<HTMLVideoElement>(null)
  useEffect(() => {
    const film = video.current
    if (film === null) return
    if (paused) return film.pause()
    film.play().catch(() => {
      // Browsers may refuse to play with sound.
      film.muted = true
      film.play().catch(() => undefined)
    })
  }, [paused])
  return (
    // biome-ignore lint/a11y/useMediaCaption: family videos have no captions
    <video
      ref={video}
      src={file.compatible?.url ?? file.url ?? undefined}
      poster={file.variant_urls?.website}
      playsInline
      aria-label={label}
      onTimeUpdate={({ currentTarget: { currentTime, duration } }) =>
        onProgress(duration > 0 ? currentTime / duration : 0)
      }
      onEnded={onEnded}
      onError={onEnded}
    />
  )
}
