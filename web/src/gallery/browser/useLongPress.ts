import { type PointerEvent, useCallback, useEffect, useRef } from 'react'

const LONG = 450
/** A finger is never quite still. */
const STILL = 10

/** A finger that rests on something. What it would have clicked when it lifts is not clicked. */
export function useLongPress(onLongPress: (target: EventTarget) => void) {
  const press = useRef<{ x: number; y: number; timer: ReturnType<typeof setTimeout> } | null>(null)
  const swallow = useRef(false)

  const end = useCallback(() => {
    if (press.current !== null) clearTimeout(press.current.timer)
    press.current = null
  }, [])
  useEffect(() => end, [end])

  return {
    onPointerDown(event: PointerEvent) {
      end()
      swallow.current = false
      if (event.pointerType !== 'touch') return
      const { target, clientX: x, clientY: y } = event
      const timer = setTimeout(() => {
        swallow.current = true
        navigator.vibrate?.(10)
        onLongPress(target)
      }, LONG)
      press.current = { x, y, timer }
    },
    onPointerMove(event: PointerEvent) {
      if (press.current === null) return
      if (Math.hypot(event.clientX - press.current.x, event.clientY - press.current.y) > STILL) end()
    },
    onPointerUp: end,
    onPointerCancel: end,
    /** True once, for the click that belongs to a long press. */
    swallowsClick(): boolean {
      const swallows = swallow.current
      swallow.current = false
      return swallows
    },
    /** On touch screens a long press would open the browser's own menu over ours. */
    isUnderWay: () => press.current !== null || swallow.current,
  }
}
