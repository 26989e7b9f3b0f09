import { type ReactNode, useLayoutEffect, useRef } from 'react'

/**
 * A bar along the bottom of the screen. It is opaque and from edge to edge, so that the screen simply ends above it, and
 * `--dock` tells everything else how tall it is: the page keeps that much room below, and floating buttons stay clear.
 */
export function Dock({ open, label, children }: { open: boolean; label: string; children: ReactNode }) {
  const bar = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    if (!open || bar.current === null) return
    const root = document.documentElement
    root.style.setProperty('--dock', `${bar.current.offsetHeight}px`)
    return () => {
      root.style.removeProperty('--dock')
    }
  }, [open])
  if (!open) return null
  return (
    <section
      ref={bar}
      aria-label={label}
      className="dock fixed inset-x-0 bottom-0 z-20 border-line border-t bg-raised pb-[env(safe-area-inset-bottom)] shadow-high"
    >
      <div className="mx-auto flex max-w-[100rem] items-center gap-2 px-[16px] py-3 sm:px-6">{children}</div>
    </section>
  )
}

/** How much of the screen's bottom a dock takes, now. */
export function dockHeight(): number {
  return Number.parseFloat(document.documentElement.style.getPropertyValue('--dock')) || 0
}
