import { type RefObject, useLayoutEffect, useState } from 'react'

/** The width of an element, and a rem in pixels; a guess before the first measurement. */
export function useWidth(element: RefObject<HTMLElement | null>, guess: () => number): { width: number; rem: number } {
  const [size, setSize] = useState(() => ({ width: guess(), rem: remInPixels() }))
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

function remInPixels(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
}
