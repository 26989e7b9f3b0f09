import { CirclePause, CirclePlay } from 'lucide-react'
import { type CSSProperties, useEffect, useEffectEvent, useRef } from 'react'
import { texts } from '../texts.ts'

interface LiveClipProps {
  url: string
  /** Turns it like its still. */
  style: CSSProperties | undefined
  playing: boolean
  onEnd: () => void
}

/** Plays the clip of a Live Photo over its still. */
export function LiveClip({ url, style, playing, onEnd }: LiveClipProps) {
  const clip = useRef<HTMLVideoElement>(null)
  const notPlayed = useEffectEvent(onEnd)
  useEffect(() => {
    const video = clip.current
    if (video === null) return
    if (!playing) return video.pause()
    video.currentTime = 0
    video.play().catch(notPlayed)
  }, [playing])
  return (
    <video
      ref={clip}
      src={url}
      muted
      playsInline
      preload="auto"
      aria-hidden="true"
      tabIndex={-1}
      data-playing={playing || undefined}
      onEnded={onEnd}
      style={style}
      className={`picture pointer-events-none ${playing ? '' : 'opacity-0'}`}
    />
  )
}

/** Plays while the mouse is over it, and on a click. */
export function LiveButton({ playing, onPlay }: { playing: boolean; onPlay: (playing: boolean) => void }) {
  return (
    <button
      type="button"
      aria-pressed={playing}
      title={texts.live.hint}
      onPointerEnter={event => event.pointerType === 'mouse' && onPlay(true)}
      onPointerLeave={event => event.pointerType === 'mouse' && onPlay(false)}
      onClick={event => {
        // Hovering with a mouse has started it already.
        if (event.detail === 0 || !playing) onPlay(!playing)
      }}
      className="viewer-chrome viewer-chip absolute top-3 left-3"
    >
      <CirclePlay aria-hidden="true" className="size-5" />
      {texts.live.label}
    </button>
  )
}

/** Starts and stops an animated image for people who prefer reduced motion. */
export function AnimationButton({ playing, onPlay }: { playing: boolean; onPlay: (playing: boolean) => void }) {
  const Icon = playing ? CirclePause : CirclePlay
  return (
    <button type="button" onClick={() => onPlay(!playing)} className="viewer-chrome viewer-chip absolute top-3 left-3">
      <Icon aria-hidden="true" className="size-5" />
      {playing ? texts.animation.stop : texts.animation.play}
    </button>
  )
}
