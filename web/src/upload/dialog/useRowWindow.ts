import { type RefObject, useCallback, useEffect, useState } from 'react'

/** Rows rendered beyond the visible ones, so that scrolling shows no gaps. */
const SPARE = 6
/** Estimate until a row is measured, in pixels. */
const USUAL_HEIGHT = 96

/** Virtualises a list of equally high rows inside a scrolling element. */
export function useRowWindow(
  count: number,
  scroller: RefObject<HTMLElement | null>,
  list: RefObject<HTMLElement | null>,
) {
  const [seen, setSeen] = useState({ first: 0, end: 2 * SPARE, rowHeight: USUAL_HEIGHT })

  const look = useCallback(() => {
    const [around, rows] = [scroller.current, list.current]
    if (around === null || rows === null) return
    const rowHeight = rows.firstElementChild?.getBoundingClientRect().height || USUAL_HEIGHT
    const above = around.getBoundingClientRect().top - rows.getBoundingClientRect().top
    const first = Math.max(0, Math.floor(above / rowHeight) - SPARE)
    const end = Math.max(first, Math.ceil((above + around.clientHeight) / rowHeight) + SPARE)
    setSeen(now =>
      now.first === first && now.end === end && now.rowHeight === rowHeight ? now : { first, end, rowHeight },
    )
  }, [scroller, list])

  // Content above the list can change with any render and move it. Measuring in the next frame avoids a forced layout
  // after each render.
  useEffect(() => {
    const frame = requestAnimationFrame(look)
    return () => cancelAnimationFrame(frame)
  })

  useEffect(() => {
    const around = scroller.current
    if (around === null) return
    const watcher = new ResizeObserver(look)
    watcher.observe(around)
    around.addEventListener('scroll', look, { passive: true })
    return () => {
      watcher.disconnect()
      around.removeEventListener('scroll', look)
    }
  }, [look, scroller])

  return { rowHeight: seen.rowHeight, first: Math.min(seen.first, count), end: Math.min(seen.end, count) }
}
