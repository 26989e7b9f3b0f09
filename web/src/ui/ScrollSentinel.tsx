import { useEffect, useEffectEvent, useRef } from 'react'

interface Props {
  /** How far out of sight it may still be. */
  margin: number
  onVisible: () => void
}

/** The end of what is here. Almost in sight, it asks for what comes next; made anew (by its key), it asks again. */
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

/** A margin counts only for the very element that scrolls. */
function scrollerOf(element: Element): Element | null {
  for (let around = element.parentElement; around !== null; around = around.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(around).overflowY)) return around
  }
  return null
}
