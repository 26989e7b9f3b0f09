import { useCallback, useLayoutEffect, useRef, useState } from 'react'

/** Rows outside the window that are drawn all the same, so that a turn of the wheel finds them ready. */
const SPARE = 8

/** Of many rows of one height, those that a scrolling element shows: five hundred folders cost no more than fifty. */
export function useVirtualRows(count: number) {
  const scroller = useRef<HTMLDivElement>(null)
  /** A row that nobody sees; its height is every row's, also when a person enlarges the letters. */
  const ruler = useRef<HTMLDivElement>(null)
  const [{ above, shown, rowHeight }, setSeen] = useState({ above: 0, shown: 0, rowHeight: 40 })

  const look = useCallback(() => {
    const [window, row] = [scroller.current, ruler.current]
    if (window === null || row === null || row.offsetHeight === 0) return
    const rowHeight = row.offsetHeight
    const above = Math.floor(window.scrollTop / rowHeight)
    const shown = Math.ceil(window.clientHeight / rowHeight) + 1
    setSeen(now =>
      now.above === above && now.shown === shown && now.rowHeight === rowHeight ? now : { above, shown, rowHeight },
    )
  }, [])

  useLayoutEffect(() => {
    const watcher = new ResizeObserver(look)
    for (const element of [scroller.current, ruler.current]) if (element !== null) watcher.observe(element)
    look()
    return () => watcher.disconnect()
  }, [look])

  return {
    scroller,
    ruler,
    rowHeight,
    onScroll: look,
    first: Math.max(0, above - SPARE),
    /** Not included. */
    end: Math.min(count, above + shown + SPARE),
  }
}
