import { useEffect, useEffectEvent, useRef } from 'react'

interface Props {
  /** How far outside the scroll area it already counts as visible, in pixels. */
  margin: number
  onVisible: () => void
}

/** Infinite scrolling: calls `onVisible` when it is almost scrolled into view. Change its key to make it fire again. */
export function ScrollSentinel({ margin, onVisible }: Props) {
  const end = useRef<HTMLDivElement>(null)
  const reached = useEffectEvent(onVisible)
  useEffect(() => {
    if (end.current === null) return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && reached(), {
      root: scrollerOf(end.current),
      rootMargin: `${margin}px 0px`,
    })
    observer.observe(end.current)
    return () => observer.disconnect()
  }, [margin])
  return <div ref={end} className="h-px" />
}

/** IntersectionObserver applies the margin only to its root. */
function scrollerOf(element: Element): Element | null {
  for (let around = element.parentElement; around !== null; around = around.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(around).overflowY)) return around
  }
  return null
}
