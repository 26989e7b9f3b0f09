import { type SyntheticEvent, useEffect, useEffectEvent, useRef } from 'react'
import type { MediaFile } from '#contract/media.ts'
import { texts } from '../texts.ts'
import { rememberedPlace, rememberedSound, rememberPlace, rememberSound } from './remembered.ts'
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

/** A film with its poster: as loud as the last one, and from where it was left. Made anew for each file. */
export function Film({ file, address, alternative, refresh, awaited, onEnded, onFailed }: Props) {
  const video = useRef<HTMLVideoElement>(null)
  const fallback = useFallback({ id: file.id, address, refresh })
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
      onError={fallback.onError}
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
