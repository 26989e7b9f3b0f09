import { type RefObject, useCallback, useEffect, useState } from 'react'

/** Rows out of sight that are drawn all the same, so that a turn of the wheel finds them ready. */
const SPARE = 6
/** Until a row has been measured, in pixels. */
const USUAL_HEIGHT = 96

/** Of many rows of one height in a list, those that the element around it shows. */
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

  // What stands above the list grows and shrinks, so it may have moved with any change. To look with the next frame, and not
  // after each of the changes before it, spares the page laying itself out for every one of them.
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
