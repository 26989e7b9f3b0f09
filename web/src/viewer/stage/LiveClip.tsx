import { CirclePause, CirclePlay } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { texts } from '../texts.ts'

/** The few seconds around a Live Photo, over its still, for as long as they play. */
export function LiveClip({ address, playing, onEnd }: { address: string; playing: boolean; onEnd: () => void }) {
  const clip = useRef<HTMLVideoElement>(null)
  useEffect(() => {
    const video = clip.current
    if (video === null) return
    if (!playing) return video.pause()
    video.currentTime = 0
    video.play().catch(onEnd)
  }, [playing, onEnd])
  return (
    <video
      ref={clip}
      src={address}
      muted
      playsInline
      preload="auto"
      aria-hidden="true"
      tabIndex={-1}
      data-playing={playing || undefined}
      onEnded={onEnd}
      className={`picture pointer-events-none ${playing ? '' : 'opacity-0'}`}
    />
  )
}

/** Plays while the mouse rests on it, and at a press. */
export function LiveButton({ playing, onPlay }: { playing: boolean; onPlay: (playing: boolean) => void }) {
  return (
    <button
      type="button"
      aria-pressed={playing}
      title={texts.live.hint}
      onPointerEnter={event => event.pointerType === 'mouse' && onPlay(true)}
      onPointerLeave={event => event.pointerType === 'mouse' && onPlay(false)}
      onClick={event => {
        // A mouse has started it already by resting here.
        if (event.detail === 0 || !playing) onPlay(!playing)
      }}
      className="viewer-chrome viewer-chip absolute top-3 left-3"
    >
      <CirclePlay aria-hidden="true" className="size-5" />
      {texts.live.label}
    </button>
  )
}

/** Plays an animated picture for people who want nothing to move by itself, and stops it. */
export function AnimationButton({ playing, onPlay }: { playing: boolean; onPlay: (playing: boolean) => void }) {
  const Icon = playing ? CirclePause : CirclePlay
  return (
    <button type="button" onClick={() => onPlay(!playing)} className="viewer-chrome viewer-chip absolute top-3 left-3">
      <Icon aria-hidden="true" className="size-5" />
      {playing ? texts.animation.stop : texts.animation.play}
    </button>
  )
}
