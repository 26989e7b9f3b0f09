import { type RefObject, useEffect, useEffectEvent } from 'react'
import { isElsewhere } from '../selection.ts'

/** Changes the density by steps, positive ones to smaller photos, around a position on the screen. */
export type ChangeDensity = (steps: 1 | -1, clientY?: number) => void

/** Wheel distance of one step: less than a notch of a mouse, several events of a trackpad. */
const WHEEL_STEP = 60
/** Two fingers change the density whenever their distance has changed by this factor. */
const PINCH_STEP = 1.3

/** Ctrl+wheel, which browsers also send for a pinch on a trackpad; two fingers; and the keys + and −. */
export function useDensityGestures(element: RefObject<HTMLElement | null>, on: boolean, change: ChangeDensity): void {
  const onChange = useEffectEvent(change)

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
    function onTouchMove(event: TouchEvent) {
      const pinch = pinchOf(event)
      if (pinch === undefined || distance === 0) return
      event.preventDefault()
      const factor = pinch.distance / distance
      if (factor < PINCH_STEP && factor > 1 / PINCH_STEP) return
      onChange(factor < 1 ? 1 : -1, pinch.middle)
      distance = pinch.distance
    }
    const restart = (event: TouchEvent) => {
      distance = pinchOf(event)?.distance ?? 0
    }
    target.addEventListener('wheel', onWheel, options)
    target.addEventListener('touchstart', restart, options)
    target.addEventListener('touchend', restart, options)
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

function pinchOf({ touches }: TouchEvent): { distance: number; middle: number } | undefined {
  const [a, b] = touches
  if (a === undefined || b === undefined) return undefined
  const distance = Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY)
  return { distance, middle: (a.clientY + b.clientY) / 2 }
}
