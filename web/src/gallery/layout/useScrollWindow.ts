import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { likelyTop } from './likely.ts'
import { FURTHEST, ScrollSpace } from './ScrollSpace.ts'

/** Finer movements change nothing that is drawn. */
const STEP = 64

/** Screens in one movement beyond which nothing can be recognised, and so nothing is fetched until it has ended. */
const RUSH = 0.5
const RUSH_ENDS = 80

export interface ScrollWindow {
  /** The stretch of the list that is on the screen, rounded outwards. */
  top: number
  bottom: number
  /** What stands at `y` in the list is drawn at `y - shift`. */
  shift: number
  /** How tall the page has to be for the list. */
  height: number
  /** The screen moves too fast to see anything. */
  rushing: boolean
  /** Exactly where the top of the screen is in the list, now. */
  position: () => number
  /** Puts a place of the list at the top of the screen. */
  scrollTo: (position: number) => void
}

/**
 * Follows the page's scrolling over a list that begins at the top of `holder`. When the list changes, `moved` says where
 * to look in it, given where somebody looked before; undefined leaves the page where it is.
 */
export function useScrollWindow<List extends { height: number }>(
  holder: RefObject<HTMLElement | null>,
  list: List,
  moved: (was: List | undefined, position: number) => number | undefined,
): ScrollWindow {
  const [space] = useState(() => new ScrollSpace())
  const [seen, setSeen] = useState(() => ({ ...rounded(-likelyTop()), shift: 0, rushing: false }))
  const pace = useRef({ position: 0, calmAfter: 0 })
  const shown = useRef<List>(undefined)

  const look = useCallback(() => {
    const element = holder.current
    if (element === null) return
    const at = -element.getBoundingClientRect().top
    if (space.scrolledTo(at)) window.scrollBy({ top: space.goTo(space.position) - at, behavior: 'instant' })
    const { position, shift } = space
    const rushing = isRushing(pace.current, position)
    const { top, bottom } = rounded(position)
    setSeen(last =>
      last.top === top && last.bottom === bottom && last.shift === shift && last.rushing === rushing
        ? last
        : { top, bottom, shift, rushing },
    )
  }, [holder, space])

  const scrollTo = useCallback(
    (target: number) => {
      const element = holder.current
      if (element === null) return
      const at = -element.getBoundingClientRect().top
      window.scrollBy({ top: space.goTo(target) - at, behavior: 'instant' })
      look()
    },
    [holder, space, look],
  )

  // Before it is painted, so that nobody sees the list jump.
  useLayoutEffect(() => {
    const was = shown.current
    if (was === list) return
    shown.current = list
    const { position } = space
    space.fit(list.height, window.innerHeight)
    const target = moved(was, position)
    if (target === undefined) look()
    else scrollTo(target)
  })

  useEffect(() => {
    function resized() {
      space.fit(shown.current?.height ?? 0, window.innerHeight)
      look()
    }
    window.addEventListener('scroll', look, { passive: true })
    window.addEventListener('resize', resized)
    return () => {
      window.removeEventListener('scroll', look)
      window.removeEventListener('resize', resized)
    }
  }, [space, look])

  useEffect(() => {
    if (!seen.rushing) return
    const rest = setTimeout(look, RUSH_ENDS)
    return () => clearTimeout(rest)
  }, [seen, look])

  const position = useCallback(() => space.position, [space])
  return { ...seen, height: Math.min(list.height, FURTHEST), position, scrollTo }
}

function rounded(position: number): { top: number; bottom: number } {
  return {
    top: Math.floor(position / STEP) * STEP,
    bottom: Math.ceil((position + window.innerHeight) / STEP) * STEP,
  }
}

function isRushing(pace: { position: number; calmAfter: number }, position: number): boolean {
  const now = performance.now()
  if (Math.abs(position - pace.position) > RUSH * window.innerHeight) pace.calmAfter = now + RUSH_ENDS
  pace.position = position
  return now < pace.calmAfter
}
