import { useEffect, useEffectEvent, useState } from 'react'
import { rememberedInterval, rememberInterval, type Seconds } from './interval.ts'
import { useWakeLock } from './useWakeLock.ts'

interface Shown {
  id: number
  /** Whether its picture stands there: only then its time begins. */
  ready: boolean
  /** A film takes its own time. */
  isFilm: boolean
  /** What comes after it; undefined where nothing does, or until it is known. */
  nextId: number | undefined
  /** One file alone is no slideshow. */
  possible: boolean
  onNext: () => void
}

/** One photo after the other, each for its time; a film until its end. */
export function useSlideshow({ id, ready, isFilm, nextId, possible, onNext }: Shown) {
  const [on, setOn] = useState(false)
  const [seconds, setSeconds] = useState<Seconds>(rememberedInterval)
  const playing = on && possible
  useWakeLock(playing)

  const next = useEffectEvent(onNext)
  // Each file has a time of its own, which begins when it stands there.
  const timed = playing && ready && !isFilm && nextId !== undefined ? id : undefined
  useEffect(() => {
    if (timed === undefined) return
    const timer = setTimeout(next, seconds * 1_000)
    return () => clearTimeout(timer)
  }, [timed, seconds])

  return {
    playing,
    seconds,
    possible,
    toggle: () => setOn(!playing),
    choose: (chosen: Seconds) => {
      rememberInterval(chosen)
      setSeconds(chosen)
    },
    onFilmEnded: () => playing && onNext(),
  }
}
