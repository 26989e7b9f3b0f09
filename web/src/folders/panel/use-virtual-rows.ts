import { useCallback, useLayoutEffect, useRef, useState } from 'react'

/** Overscan: rows rendered beyond the visible ones. */
const OVERSCAN = 8

/** Virtualization: the range of visible rows in a list with a fixed row height. */
export function useVirtualRows(count: number) {
  const scroller = useRef<HTMLDivElement>(null)
  /** An invisible row for measuring the row height, which follows the person's font size. */
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
    first: Math.max(0, above - OVERSCAN),
    /** Not included. */
    end: Math.min(count, above + shown + OVERSCAN),
  }
}
