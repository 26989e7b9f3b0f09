import { type RefObject, useEffect, useEffectEvent, useLayoutEffect } from 'react'
import { isElsewhere } from '../selection.ts'

/**
 * Changes the density by steps, positive ones to smaller photos, around a position on the screen. Returns whether there
 * was a step left.
 */
export type ChangeDensity = (steps: 1 | -1, clientY?: number) => boolean

/** Wheel distance of one step: less than a notch of a mouse, several events of a trackpad. */
const WHEEL_STEP = 60
/** Two fingers change the density whenever their distance has changed by this factor. */
const PINCH_STEP = 1.3

/**
 * Ctrl+wheel, which browsers also send for a pinch on a trackpad; two fingers, which the grid follows until the next
 * step; and the keys + and −. To be called before the list is measured.
 */
export function useDensityGestures(
  element: RefObject<HTMLElement | null>,
  { on, layout, change }: { on: boolean; layout: unknown; change: ChangeDensity },
): void {
  const onChange = useEffectEvent(change)

  // Another layout is measured, and shown, as it is.
  // biome-ignore lint/correctness/useExhaustiveDependencies: after every change of the layout
  useLayoutEffect(() => stopFollowing(element.current), [element, layout])

  useEffect(() => {
    const target = element.current
    if (target === null || !on) return
    const over = new AbortController()
    // Not passive, because the browser would zoom the whole page.
    const options = { passive: false, signal: over.signal }
    let distanceWheeled = 0
    function onWheel(event: WheelEvent) {
      if (!event.ctrlKey) return
      event.preventDefault()
      distanceWheeled += event.deltaY
      if (Math.abs(distanceWheeled) < WHEEL_STEP) return
      onChange(distanceWheeled > 0 ? 1 : -1, event.clientY)
      distanceWheeled = 0
    }
    let distance = 0
    const onTouchMove = (event: TouchEvent) => {
      const pinch = pinchOf(event)
      if (pinch === undefined || distance === 0) return
      event.preventDefault()
      const factor = pinch.distance / distance
      const isStep = factor >= PINCH_STEP || factor <= 1 / PINCH_STEP
      if (isStep && onChange(factor < 1 ? 1 : -1, pinch.middle.y)) distance = pinch.distance
      else {
        const scale = Math.min(Math.max(factor, 1 / PINCH_STEP), PINCH_STEP)
        follow(target, pinch.middle, scale)
        // Beyond the last step the grid stays; back from there it follows at once.
        distance = pinch.distance / scale
      }
    }
    const restart = (event: TouchEvent) => {
      stopFollowing(target)
      distance = pinchOf(event)?.distance ?? 0
    }
    target.addEventListener('wheel', onWheel, options)
    target.addEventListener('touchstart', restart, options)
    target.addEventListener('touchend', restart, options)
    target.addEventListener('touchcancel', restart, options)
    target.addEventListener('touchmove', onTouchMove, options)
    return () => over.abort()
  }, [element, on])

  useEffect(() => {
    if (!on) return
    function onKeyDown(event: KeyboardEvent) {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isElsewhere(event.target)) return
      if (event.key === '+' || event.key === '=') onChange(-1)
      else if (event.key === '-' || event.key === '−') onChange(1)
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [on])
}

interface Point {
  x: number
  y: number
}

/** Scales around a point on the screen, which stays until `stopFollowing`. */
function follow(element: HTMLElement, middle: Point, scale: number): void {
  const { style } = element
  if (style.scale === '') {
    const { left, top } = element.getBoundingClientRect()
    style.transformOrigin = `${middle.x - left}px ${middle.y - top}px`
    document.documentElement.classList.add('pinches')
  }
  style.scale = `${scale}`
}

function stopFollowing(element: HTMLElement | null): void {
  document.documentElement.classList.remove('pinches')
  element?.style.removeProperty('scale')
}

function pinchOf({ touches }: TouchEvent): { distance: number; middle: Point } | undefined {
  const [a, b] = touches
  if (a === undefined || b === undefined) return undefined
  const distance = Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY)
  return { distance, middle: { x: (a.clientX + b.clientX) / 2, y: (a.clientY + b.clientY) / 2 } }
}
