import { type SyntheticEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { MediaFile } from '#contract/media.ts'
import { texts } from '../texts.ts'
import { CompatibleVersion } from './CompatibleVersion.tsx'
import { rememberedPlace, rememberedSound, rememberPlace, rememberSound } from './remembered.ts'
import { canPlay } from './sources.ts'
import { useFallback } from './useFallback.ts'

interface Props {
  file: MediaFile
  address: string | undefined
  alternative: string
  refresh: () => Promise<MediaFile | undefined>
  /** Whether its end is waited for, so that it has to play. */
  awaited: boolean
  onEnded: () => void
  /** It cannot be played. */
  onFailed: () => void
}

/**
 * A film as this device can play it. The browser is asked first; a video whose picture it cannot decode may still load
 * and play its sound alone, so what it does is watched too.
 */
export function Film(props: Props) {
  const { file } = props
  const [unplayable, setUnplayable] = useState(() => !canPlay(file.playback_type))
  const { compatible } = file
  if (!unplayable) return <Player {...props} onUnplayable={() => setUnplayable(true)} />
  if (compatible?.url == null) return <CompatibleVersion file={file} onWaiting={props.onFailed} />
  return <Player {...props} key="compatible" address={compatible.url} />
}

interface PlayerProps extends Props {
  /** This device lacks what the video needs; absent where there is no other version of it. */
  onUnplayable?: () => void
}

/** A film with its poster: as loud as the last one, and from where it was left. Made anew for each file. */
function Player(props: PlayerProps) {
  const { file, address, alternative, refresh, awaited, onEnded, onFailed } = props
  const onUnplayable = file.playback_type === null ? undefined : props.onUnplayable
  const video = useRef<HTMLVideoElement>(null)
  const fallback = useFallback({ id: file.id, address, refresh, signedOnly: props.onUnplayable === undefined })
  // The address it began with stays while it plays: another signature would begin it anew.
  const begunFrom = useRef(address)
  const keepPlace = usePlaceKept(file.id)
  const failed = useEffectEvent(onFailed)
  useEffect(() => {
    if (fallback.failed) failed()
  }, [fallback.failed])

  useEffect(() => {
    if (awaited) video.current?.play().catch(() => undefined)
  }, [awaited])

  function begin({ currentTarget: film }: SyntheticEvent<HTMLVideoElement>) {
    if (onUnplayable && film.videoWidth === 0) return onUnplayable()
    const { volume, muted } = rememberedSound()
    film.volume = volume
    film.muted = muted
    film.currentTime = rememberedPlace(file.id)
    // A browser that forbids sound before a first press leaves it to the person to begin.
    film.play().catch(() => undefined)
  }
  if (fallback.failed) return <p className="stage-message">{texts.film.notPlayed}</p>
  return (
    <video
      ref={video}
      key={fallback.attempt}
      src={fallback.bytes ?? (fallback.attempt > 0 ? address : begunFrom.current)}
      poster={file.variant_urls?.website ?? file.thumbnail_url ?? undefined}
      aria-label={alternative}
      controls
      playsInline
      preload="metadata"
      onLoadedMetadata={begin}
      onTimeUpdate={({ currentTarget }) => keepPlace(currentTarget)}
      onVolumeChange={({ currentTarget: { volume, muted } }) => rememberSound({ volume, muted })}
      onEnded={onEnded}
      // A fresh address failed as well: then it is not the address.
      onError={onUnplayable && fallback.attempt > 0 ? onUnplayable : fallback.onError}
      className="picture"
    >
      {/* Family films come without captions. */}
      <track kind="captions" />
    </video>
  )
}

/** Where it was left is written down when another file is turned to, and when the page goes. */
function usePlaceKept(id: number) {
  const at = useRef({ seconds: 0, duration: 0 })
  useEffect(() => {
    const write = () => {
      const { seconds, duration } = at.current
      if (duration > 0) rememberPlace(id, seconds, duration)
    }
    window.addEventListener('pagehide', write)
    return () => {
      write()
      window.removeEventListener('pagehide', write)
    }
  }, [id])
  return ({ currentTime, duration }: HTMLVideoElement) => {
    at.current = { seconds: currentTime, duration }
  }
}
