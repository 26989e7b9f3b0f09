import { type RefObject, useEffect, useState } from 'react'

/** Where thumbnails begin to load: 50 px before they come into sight, once a tenth of them would be in it. */
const lazily: IntersectionObserverInit = { rootMargin: '50px', threshold: 0.1 }

const waiting = new WeakMap<Element, () => void>()
let observer: IntersectionObserver | undefined

/** One observer serves every tile: making hundreds while scrolling is what costs. */
function watch(element: Element, onSeen: () => void): () => void {
  observer ??= new IntersectionObserver(entries => {
    for (const { isIntersecting, target } of entries) {
      if (isIntersecting) waiting.get(target)?.()
    }
  }, lazily)
  waiting.set(element, onSeen)
  observer.observe(element)
  return () => {
    waiting.delete(element)
    observer?.unobserve(element)
  }
}

/** Whether the element has been in sight since it was made. */
export function useSeen(element: RefObject<Element | null>): boolean {
  const [seen, setSeen] = useState(false)
  useEffect(() => {
    if (seen || element.current === null) return
    return watch(element.current, () => setSeen(true))
  }, [seen, element])
  return seen
}
