import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { remInPixels } from '../../ui/hooks.ts'
import { MAX_PAGE_HEIGHT, ScrollSpace } from './scroll-space.ts'

/** Positions are rounded to this step, because smaller movements change nothing that is rendered. */
const STEP = 64

/** Scrolling faster than this many screens per event pauses fetching until it ends. */
const FAST_SCROLL = 0.5
const FAST_SCROLL_ENDS = 80

export interface Viewport {
  /** The visible range of the list, rounded outwards. */
  top: number
  bottom: number
  /** A row at `y` of the list is rendered at `y - shift`. */
  shift: number
  /** Height of the page's list element. */
  height: number
  /** Scrolling too fast to recognise anything. */
  scrollingFast: boolean
  /** The exact position at the top of the screen. */
  position: () => number
  /** Scrolls to a position of the list. */
  scrollTo: (position: number) => void
}

/**
 * Tracks the scrolling of the page over a list that starts at the top of `holder`. When the list changes,
 * `positionAfter` returns the new scroll position, or undefined to leave it.
 */
export function useViewport<List extends { height: number }>(
  holder: RefObject<HTMLElement | null>,
  list: List,
  positionAfter: (was: List | undefined, position: number) => number | undefined,
): Viewport {
  const [space] = useState(() => new ScrollSpace())
  const [seen, setSeen] = useState(() => ({ ...rounded(0), shift: 0, scrollingFast: false }))
  const speed = useRef({ position: 0, fastUntil: 0 })
  const shown = useRef<List>(undefined)

  const update = useCallback(() => {
    const element = holder.current
    if (element === null) return
    const at = -element.getBoundingClientRect().top
    if (space.scrolledTo(at)) window.scrollBy({ top: space.goTo(space.position) - at, behavior: 'instant' })
    const { position, shift } = space
    const scrollingFast = isScrollingFast(speed.current, position)
    const { top, bottom } = rounded(position)
    setSeen(last =>
      last.top === top && last.bottom === bottom && last.shift === shift && last.scrollingFast === scrollingFast
        ? last
        : { top, bottom, shift, scrollingFast },
    )
  }, [holder, space])

  const scrollTo = useCallback(
    (target: number) => {
      const element = holder.current
      if (element === null) return
      const at = -element.getBoundingClientRect().top
      window.scrollBy({ top: space.goTo(target) - at, behavior: 'instant' })
      update()
    },
    [holder, space, update],
  )

  // Before painting, so that the list does not jump.
  useLayoutEffect(() => {
    const was = shown.current
    if (was === list) return
    shown.current = list
    const { position } = space
    space.resize(list.height, window.innerHeight)
    const target = positionAfter(was, position)
    if (target === undefined) update()
    else scrollTo(target)
  })

  useEffect(() => {
    function resized() {
      space.resize(shown.current?.height ?? 0, window.innerHeight)
      update()
    }
    window.addEventListener('scroll', update, { passive: true })
    window.addEventListener('resize', resized)
    return () => {
      window.removeEventListener('scroll', update)
      window.removeEventListener('resize', resized)
    }
  }, [space, update])

  useEffect(() => {
    if (!seen.scrollingFast) return
    const rest = setTimeout(update, FAST_SCROLL_ENDS)
    return () => clearTimeout(rest)
  }, [seen, update])

  const position = useCallback(() => space.position, [space])
  return { ...seen, height: Math.min(list.height, MAX_PAGE_HEIGHT), position, scrollTo }
}

function rounded(position: number): { top: number; bottom: number } {
  return {
    top: Math.floor(position / STEP) * STEP,
    bottom: Math.ceil((position + window.innerHeight) / STEP) * STEP,
  }
}

function isScrollingFast(speed: { position: number; fastUntil: number }, position: number): boolean {
  const now = performance.now()
  if (Math.abs(position - speed.position) > FAST_SCROLL * window.innerHeight) speed.fastUntil = now + FAST_SCROLL_ENDS
  speed.position = position
  return now < speed.fastUntil
}

/** The width of an element and of one rem, in pixels; a width of 0 before the first measurement. */
export function useWidth(element: RefObject<HTMLElement | null>): { width: number; rem: number } {
  const [size, setSize] = useState(() => ({ width: 0, rem: remInPixels() }))
  useLayoutEffect(() => {
    const measured = element.current
    if (measured === null) return
    function measure() {
      const width = Math.floor(measured?.getBoundingClientRect().width ?? 0)
      const rem = remInPixels()
      setSize(last => (last.width === width && last.rem === rem ? last : { width, rem }))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(measured)
    return () => observer.disconnect()
  }, [element])
  return size
}
