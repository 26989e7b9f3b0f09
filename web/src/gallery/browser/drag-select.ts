import { type RefObject, useCallback, useEffect, useRef } from 'react'
import type { GridFile } from '#contract/grid.ts'
import { useLatest } from '../../ui/hooks.ts'
import type { Sweep } from '../selection.ts'
import type { Insets } from './current-cell.ts'

/** Pixels at the top and bottom of the uncovered part of the screen where a finger scrolls the page. */
const SCROLL_EDGE = 80
/** Pixels per millisecond at the edge itself. */
const SCROLL_SPEED = 1

interface Cells {
  fileAt: (index: number) => GridFile | undefined
  insets: () => Insets
}

/**
 * After a long press the finger goes on selecting: all files between the pressed one and the one under it. At the edges
 * of the screen the page scrolls by itself. Returns how to start.
 */
export function useDragSelect(
  grid: RefObject<HTMLElement | null>,
  cells: Cells,
): (pressed: EventTarget, sweep: Sweep) => void {
  const latest = useLatest(cells)
  const current = useRef<AbortController>(null)

  useEffect(() => {
    const target = grid.current
    // Browsers decide when a touch begins whether it may be kept from scrolling.
    const keepFromScrolling = (event: TouchEvent) => {
      if (current.current !== null && event.cancelable) event.preventDefault()
    }
    target?.addEventListener('touchmove', keepFromScrolling, { passive: false })
    return () => {
      target?.removeEventListener('touchmove', keepFromScrolling)
      current.current?.abort()
    }
  }, [grid])

  return useCallback(
    (pressed, sweep) => {
      current.current?.abort()
      const over = new AbortController()
      const { signal } = over
      current.current = over
      let finger: Touch | undefined
      let reached: { id: number; index: number } | undefined
      let before = performance.now()
      let frame = requestAnimationFrame(step)

      function step(now: number) {
        frame = requestAnimationFrame(step)
        const { fileAt, insets } = latest.current
        if (finger !== undefined) {
          const visible = { top: insets().top, bottom: window.innerHeight - insets().bottom }
          const by = scrollSpeed(finger.clientY, visible) * (now - before)
          if (by !== 0) window.scrollBy(0, by)
          const y = Math.min(Math.max(finger.clientY, visible.top + 1), visible.bottom - 1)
          const index = indexAt(finger.clientX, y)
          const file = index === undefined ? undefined : fileAt(index)
          if (index !== undefined && file !== undefined && file.id !== reached?.id) {
            reached = { id: file.id, index }
            sweep.to(reached, fileAt)
          }
        }
        before = now
      }
      function follow(event: TouchEvent) {
        if (event.cancelable) event.preventDefault()
        // A second finger starts a pinch.
        if (event.touches.length > 1) over.abort()
        else finger = event.touches[0]
      }
      signal.addEventListener('abort', () => {
        cancelAnimationFrame(frame)
        if (current.current === over) current.current = null
        if (reached !== undefined) void sweep.end(reached, latest.current.fileAt)
      })
      // On the pressed element itself: it gets them also when scrolling has removed it from the page.
      const element = pressed as HTMLElement
      element.addEventListener('touchmove', follow, { passive: false, signal })
      for (const type of ['touchend', 'touchcancel']) element.addEventListener(type, () => over.abort(), { signal })
    },
    [latest],
  )
}

function indexAt(x: number, y: number): number | undefined {
  const cell = document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-index]')
  return cell == null ? undefined : Number(cell.dataset.index)
}

/** Faster the nearer to the edge; negative is upwards. */
function scrollSpeed(y: number, { top, bottom }: { top: number; bottom: number }): number {
  const part = (distance: number) => Math.min(1, Math.max(0, 1 - distance / SCROLL_EDGE))
  return (part(bottom - y) - part(y - top)) * SCROLL_SPEED
}
