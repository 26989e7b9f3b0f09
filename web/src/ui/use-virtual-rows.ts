import { type RefObject, useCallback, useEffect, useLayoutEffect, useState } from 'react'

/** Overscan: rows rendered beyond the visible ones, so that scrolling shows no gaps. */
const OVERSCAN = 8

/**
 * Virtualization of a list whose rows are equally high, inside a scrolling element: the range of rows to render. The
 * height is that of the list's first child, because it follows the person's font size.
 */
export function useVirtualRows(
  count: number,
  scroller: RefObject<HTMLElement | null>,
  list: RefObject<HTMLElement | null>,
  /** In pixels, until a row is measured. */
  estimatedHeight: number,
) {
  const [range, setRange] = useState({ first: 0, end: 2 * OVERSCAN, rowHeight: estimatedHeight })

  const measure = useCallback(() => {
    const [outer, rows] = [scroller.current, list.current]
    if (outer === null || rows === null) return
    const rowHeight = rows.firstElementChild?.getBoundingClientRect().height || estimatedHeight
    const above = outer.getBoundingClientRect().top - rows.getBoundingClientRect().top
    const first = Math.max(0, Math.floor(above / rowHeight) - OVERSCAN)
    const end = Math.max(first, Math.ceil((above + outer.clientHeight) / rowHeight) + OVERSCAN)
    setRange(now =>
      now.first === first && now.end === end && now.rowHeight === rowHeight ? now : { first, end, rowHeight },
    )
  }, [scroller, list, estimatedHeight])

  useLayoutEffect(measure, [measure])

  // Content above the list can change with any render and move it. Measuring in the next frame avoids a forced layout
  // after each render.
  useEffect(() => {
    const frame = requestAnimationFrame(measure)
    return () => cancelAnimationFrame(frame)
  })

  useEffect(() => {
    const [outer, firstRow] = [scroller.current, list.current?.firstElementChild]
    if (outer === null) return
    const observer = new ResizeObserver(measure)
    observer.observe(outer)
    if (firstRow) observer.observe(firstRow)
    outer.addEventListener('scroll', measure, { passive: true })
    return () => {
      observer.disconnect()
      outer.removeEventListener('scroll', measure)
    }
  }, [measure, scroller, list])

  return { rowHeight: range.rowHeight, first: Math.min(range.first, count), end: Math.min(range.end, count) }
}
