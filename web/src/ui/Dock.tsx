import { type ReactNode, useLayoutEffect, useRef } from 'react'

/**
 * A bar along the bottom of the screen. Sets `--dock` to its height, so that the page and floating buttons leave room
 * for it.
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

/** The current height of the dock, or 0. */
export function dockHeight(): number {
  return Number.parseFloat(document.documentElement.style.getPropertyValue('--dock')) || 0
}
