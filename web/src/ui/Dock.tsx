import { type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react'

/**
 * A bar along the bottom of the screen. Sets `--dock` to its height, so that the page and floating buttons leave room
 * for it.
 */
export function Dock({ open, label, children }: { open: boolean; label: string; children: ReactNode }) {
  const bar = useRef<HTMLElement>(null)
  useBarHeight(bar, '--dock', open)
  if (!open) return null
  return (
    <section
      ref={bar}
      aria-label={label}
      className="dock fixed inset-x-0 bottom-0 z-22 rail:left-[calc(4.5rem+env(safe-area-inset-left))] border-line border-t bg-raised pb-[env(safe-area-inset-bottom)] shadow-high"
    >
      <div className="mx-auto flex max-w-[100rem] items-center gap-2 px-[16px] py-3 sm:px-6">{children}</div>
    </section>
  )
}

/** Keeps a custom property of the page at the height of a bar; 0 for one that is not along the bottom. */
export function useBarHeight(
  bar: RefObject<HTMLElement | null>,
  property: '--dock' | '--tab-bar',
  shown: boolean,
): void {
  useLayoutEffect(() => {
    const element = bar.current
    if (!shown || element === null) return
    const root = document.documentElement
    const measure = () => {
      const height = element.offsetWidth > element.offsetHeight ? element.offsetHeight : 0
      root.style.setProperty(property, `${height}px`)
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => {
      observer.disconnect()
      root.style.removeProperty(property)
    }
  }, [bar, property, shown])
}

/** The current height of the bar along the bottom, or 0. */
export function bottomBarHeight(): number {
  const { style } = document.documentElement
  const heights = ['--dock', '--tab-bar'].map(property => Number.parseFloat(style.getPropertyValue(property)) || 0)
  return Math.max(...heights)
}
