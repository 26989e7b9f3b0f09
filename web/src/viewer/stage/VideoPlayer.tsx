import { type SyntheticEvent, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { type MediaFile, requestCompatible } from '#contract/media.ts'
import { useAction } from '../../kit/action.ts'
import { reasonInWords } from '../../media/reason-in-words.ts'
import { texts } from '../texts.ts'
import { canPlay } from './image-source.ts'
import { useMediaSource } from './media-source.ts'
import { NotReady } from './NotReady.tsx'
import { progressInWords } from './progress-in-words.ts'
import { loadPosition, loadVolume, storePosition, storeVolume } from './video-settings.ts'

interface Props {
  file: MediaFile
  url: string | undefined
  /** The picture of its tile, which the browser has already. */
  tileUrl: string | undefined
  alternative: string
  refresh: () => Promise<MediaFile | undefined>
  startsPlaying: boolean
  /** Starts without a click, because a slideshow waits for the end. */
  autoPlay: boolean
  onEnded: () => void
  /** The video cannot be played. */
  onFailed: () => void
  onDownload: () => void
}

/**
 * Plays a video, or a compatible version that the server converts on request. canPlayType is checked first. The player
 * is monitored as well, because a video whose picture cannot be decoded may still load and play its sound.
 */
export function VideoPlayer(props: Props) {
  const { file } = props
  // Its type changes when the conversion of a video has ended.
  const [failedType, setFailedType] = useState<string | null>(null)
  const playable = useMemo(() => canPlay(file.playback_type), [file.playback_type])
  const unplayable = !playable || (failedType !== null && failedType === file.playback_type)
  const { compatible } = file
  const isWaiting = unplayable && file.status === 'processing'
  const failed = useEffectEvent(props.onFailed)
  useEffect(() => {
    if (isWaiting) failed()
  }, [isWaiting])
  if (isWaiting) return <NotReady file={file} onDownload={props.onDownload} />
  if (!unplayable) return <Player {...props} onUnplayable={() => setFailedType(file.playback_type)} />
  if (compatible?.url == null) return <CompatibleVersion file={file} onWaiting={props.onFailed} />
  return <Player {...props} key="compatible" url={compatible.url} />
}

interface PlayerProps extends Props {
  /** Called if this device cannot decode the video; absent if there is no other version. */
  onUnplayable?: () => void
}

/** Restores the volume of the last video and the position of this one. Mounted once per file. */
function Player(props: PlayerProps) {
  const { file, url, tileUrl, alternative, refresh, startsPlaying, autoPlay, onEnded, onFailed } = props
  const onUnplayable = file.playback_type === null ? undefined : props.onUnplayable
  const video = useRef<HTMLVideoElement>(null)
  const source = useMediaSource({ id: file.id, url, refresh, signedOnly: props.onUnplayable === undefined })
  // The URL stays the same during playback, because a new signature would restart the video.
  const initialUrl = useRef(url)
  const savePosition = useSavePosition(file.id)
  const failed = useEffectEvent(onFailed)
  useEffect(() => {
    if (source.failed) failed()
  }, [source.failed])

  useEffect(() => {
    if (autoPlay) video.current?.play().catch(() => undefined)
  }, [autoPlay])

  function begin({ currentTarget: film }: SyntheticEvent<HTMLVideoElement>) {
    if (onUnplayable && film.videoWidth === 0) return onUnplayable()
    const { volume, muted } = loadVolume()
    film.volume = volume
    film.muted = muted
    film.currentTime = loadPosition(file.id)
    // A browser that blocks autoplay with sound leaves it to the person to start.
    if (startsPlaying || autoPlay) film.play().catch(() => undefined)
  }
  if (source.failed) return <p className="stage-message">{texts.video.notPlayed}</p>
  return (
    <video
      ref={video}
      key={source.attempt}
      src={source.blobUrl ?? (source.attempt > 0 ? url : initialUrl.current)}
      poster={tileUrl ?? file.variant_urls?.website ?? file.thumbnail_url ?? undefined}
      aria-label={alternative}
      controls
      playsInline
      preload="metadata"
      onLoadedMetadata={begin}
      onTimeUpdate={({ currentTarget }) => savePosition(currentTarget)}
      onVolumeChange={({ currentTarget: { volume, muted } }) => storeVolume({ volume, muted })}
      onEnded={onEnded}
      // A fresh URL failed too, so an expired signature is not the cause.
      onError={onUnplayable && source.attempt > 0 ? onUnplayable : source.onError}
      className="picture"
    >
      {/* Family videos have no captions. */}
      <track kind="captions" />
    </video>
  )
}

/** Stores the playback position when another file is opened or the page is closed. */
function useSavePosition(id: number) {
  const at = useRef({ seconds: 0, duration: 0 })
  useEffect(() => {
    const write = () => {
      const { seconds, duration } = at.current
      if (duration > 0) storePosition(id, seconds, duration)
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

/** Shown for a video that this device cannot play: requests a compatible version and shows its progress. */
function CompatibleVersion({ file, onWaiting }: { file: MediaFile; onWaiting: () => void }) {
  const { run, busy } = useAction(requestCompatible, {
    failure: texts.video.versionFailed,
    changes: [{ kind: 'media', ids: [file.id] }],
  })
  const [refused, setRefused] = useState(false)
  const { compatible } = file
  const failure = compatible?.failure_reason ?? null

  const ask = async () => setRefused(!(await run({ params: { id: file.id } })))
  const begin = useEffectEvent(() => {
    onWaiting()
    if (compatible === null) void ask()
  })
  useEffect(() => begin(), [])

  const poster = file.variant_urls?.website ?? file.thumbnail_url
  return (
    <div className="absolute inset-0 grid place-items-center p-6">
      {poster !== null && <img src={poster} alt="" className="picture opacity-40" />}
      <div className="viewer-card relative flex max-w-md flex-col items-center gap-3 p-6 text-center">
        {failure === null && !refused ? (
          <Preparing percent={compatible?.progress ?? null} />
        ) : (
          <>
            <p className="font-semibold">{texts.video.versionFailed}</p>
            {failure !== null && <p>{reasonInWords(failure)}</p>}
            <button type="button" disabled={busy} onClick={() => void ask()} className="viewer-chip">
              {texts.retry}
            </button>
          </>
        )}
      </div>
    </div>
  )
}

function Preparing({ percent }: { percent: number | null }) {
  return (
    <>
      <p role="status" className="font-semibold">
        {progressInWords(texts.video.preparingVersion, percent)}
      </p>
      <progress
        aria-label={texts.progress}
        max={100}
        {...(percent === null ? {} : { value: percent })}
        className="h-2 w-56 max-w-full"
      />
      <p className="text-small opacity-90">{texts.video.whyVersion}</p>
    </>
  )
}
