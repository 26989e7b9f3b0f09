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
  /** Whether somebody is in the midst of something else about the file: it must not be taken away from under them. */
  isOccupied: () => boolean
  onNext: () => void
}

/** How soon to look again whether they are done. */
const LOOKS_AGAIN = 1_000

/** One photo after the other, each for its time; a film until its end. */
export function useSlideshow({ id, ready, isFilm, nextId, possible, isOccupied, onNext }: Shown) {
  const [on, setOn] = useState(false)
  const [seconds, setSeconds] = useState<Seconds>(rememberedInterval)
  const playing = on && possible
  useWakeLock(playing)

  const [ended, setEnded] = useState<number>()
  const next = useEffectEvent(() => {
    if (isOccupied()) return false
    setEnded(undefined)
    onNext()
    return true
  })
  // Each photo has a time of its own, which begins when it stands there.
  const over = isFilm ? ended === id : ready
  const timed = playing && over && nextId !== undefined ? id : undefined
  const time = isFilm ? 0 : seconds * 1_000
  useEffect(() => {
    if (timed === undefined) return
    const turn = () => {
      if (!next()) timer = setTimeout(turn, LOOKS_AGAIN)
    }
    let timer = setTimeout(turn, time)
    return () => clearTimeout(timer)
  }, [timed, time])

  return {
    playing,
    seconds,
    possible,
    toggle: () => setOn(!playing),
    choose: (chosen: Seconds) => {
      rememberInterval(chosen)
      setSeconds(chosen)
    },
    onFilmEnded: () => playing && setEnded(id),
  }
}
