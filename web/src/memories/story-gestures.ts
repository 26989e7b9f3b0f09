import { type PointerEvent, useRef, useState } from 'react'

interface Acts {
  onPrevious: () => void
  onNext: () => void
  onClose: () => void
}

/** A longer press holds the story instead of going on. */
const HOLD_AFTER = 250
/** A movement of this many pixels is a swipe. */
const SWIPE = 60
/** The part at the left that goes back. */
const BACK_PART = 1 / 3

/** Tap at the right to go on, at the left to go back; hold to pause; swipe sideways to turn, down to leave. */
export function useStoryGestures({ onPrevious, onNext, onClose }: Acts) {
  const press = useRef<{ x: number; y: number; held: boolean; timer: number }>(undefined)
  const [holding, setHolding] = useState(false)

  function release() {
    window.clearTimeout(press.current?.timer)
    press.current = undefined
    setHolding(false)
  }
  const handlers = {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if (event.button !== 0 || !event.isPrimary) return
      const timer = window.setTimeout(() => {
        if (press.current === undefined) return
        press.current.held = true
        setHolding(true)
      }, HOLD_AFTER)
      press.current = { x: event.clientX, y: event.clientY, held: false, timer }
    },
    onPointerUp(event: PointerEvent<HTMLElement>) {
      const pressed = press.current
      if (pressed === undefined) return
      release()
      const [right, down] = [event.clientX - pressed.x, event.clientY - pressed.y]
      if (down > SWIPE && down > Math.abs(right)) return onClose()
      if (Math.abs(right) > SWIPE) return right > 0 ? onPrevious() : onNext()
      if (pressed.held) return
      const { left, width } = event.currentTarget.getBoundingClientRect()
      if (event.clientX - left < width * BACK_PART) onPrevious()
      else onNext()
    },
    onPointerCancel: release,
    onContextMenu: (event: { preventDefault: () => void }) => event.preventDefault(),
  }
  return { handlers, holding }
}
