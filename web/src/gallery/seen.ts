import { type RefObject, useLayoutEffect, useState } from 'react'

/** Where thumbnails begin to load: 50 px before they come into sight, once a tenth of them would be in it. */
const MARGIN = 50
const SHARE = 0.1

const waiting = new WeakMap<Element, () => void>()
let observer: IntersectionObserver | undefined

/** One observer serves every tile: making hundreds while scrolling is what costs. */
function watch(element: Element, onSeen: () => void): () => void {
  observer ??= new IntersectionObserver(
    entries => {
      for (const { isIntersecting, target } of entries) {
        if (isIntersecting) waiting.get(target)?.()
      }
    },
    { rootMargin: `${MARGIN}px`, threshold: SHARE },
  )
  waiting.set(element, onSeen)
  observer.observe(element)
  return () => {
    waiting.delete(element)
    observer?.unobserve(element)
  }
}

/** Noted, not asked for: to say where the page is, the browser would have to lay it out anew for every tile. */
let scrolled = false
window.addEventListener('scroll', () => (scrolled = true), { once: true, passive: true })

/**
 * What the observer would say. It says so two frames later, for which a small tablet takes a third of a second. On the first
 * screen that is worth the measuring; while scrolling it would make every frame longer.
 */
function isInSight(element: Element): boolean {
  const { top, bottom, left, right } = element.getBoundingClientRect()
  const within = (from: number, to: number, end: number) => Math.min(to, end + MARGIN) - Math.max(from, -MARGIN)
  const [high, wide] = [within(top, bottom, window.innerHeight), within(left, right, window.innerWidth)]
  return high > 0 && wide > 0 && high * wide >= SHARE * (bottom - top) * (right - left)
}

/** Whether the element has been in sight since it was made. */
export function useSeen(element: RefObject<Element | null>): boolean {
  const [seen, setSeen] = useState(false)
  useLayoutEffect(() => {
    if (seen || element.current === null) return
    if (!scrolled && isInSight(element.current)) return setSeen(true)
    return watch(element.current, () => setSeen(true))
  }, [seen, element])
  return seen
}
