import { type MouseEvent, type PointerEvent, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Size } from '../../media/rotated.ts'
import { DOUBLE_TAP, type EndedGesture, GestureRecogniser } from '../../ui/gestures.ts'
import { canPan, panBy, type Transform, wheelFactor, zoomAt } from './transform.ts'

interface Gestures {
  stage: RefObject<HTMLElement | null>
  stageSize: Size
  /** The size of the image at 1×; undefined while there is none. */
  box: Size | undefined
  transform: Transform
  onTransform: (transform: Transform) => void
  swipe: SwipeHandlers
  /** A single tap with a finger. */
  onTap: () => void
  /** A finger or the mouse button is held on the image. */
  onHold: (holding: boolean) => void
  /** A double click, or a double tap on an image that is zoomed or rotated. */
  onReset: () => void
}

/** A swipe moves along one axis, chosen by its first pixels. */
export interface SwipeMovement {
  axis: 'x' | 'y'
  /** In pixels, positive to the right and down. */
  distance: number
}

export interface SwipeHandlers {
  /** A finger touches the stage. */
  onStart: () => void
  onMove: (movement: SwipeMovement) => void
  /** `velocity` in pixels per millisecond. */
  onEnd: (direction: SwipeDirection, velocity: number) => void
}

const HOLD_TIME = 350
const DOUBLE_TAP_SCALE = 2.5

/** Wheel, mouse and touch gestures on the image: zoom, pan, swipe, tap and hold. */
export function useGestures(options: Gestures) {
  const { stage, stageSize, box, transform, onTransform, swipe, onTap, onHold, onReset } = options
  const [recogniser] = useState(() => new GestureRecogniser(() => stage.current, HOLD_TIME))
  /** What the pointers that are down started from. */
  const before = useRef(transform)
  const axis = useRef<SwipeMovement['axis']>(undefined)
  const holdTimer = useRef<number>(undefined)
  const tapTimer = useRef<number>(undefined)
  const isMouse = useRef(true)
  const [dragging, setDragging] = useState(false)
  const pannable = (to: Transform) => box !== undefined && canPan(to, box, stageSize)

  // React's wheel listeners are passive and could not prevent the page from scrolling.
  const onWheel = useEffectEvent((event: WheelEvent) => {
    event.preventDefault()
    if (box === undefined) return
    onTransform(zoomAt(transform, transform.scale * wheelFactor(event), recogniser.positionOf(event)))
  })
  useEffect(() => {
    const element = stage.current
    element?.addEventListener('wheel', onWheel, { passive: false })
    return () => element?.removeEventListener('wheel', onWheel)
  }, [stage])
  useEffect(
    () => () => {
      window.clearTimeout(holdTimer.current)
      window.clearTimeout(tapTimer.current)
    },
    [],
  )

  function endHold() {
    window.clearTimeout(holdTimer.current)
    onHold(false)
  }

  function onPointerDown(event: PointerEvent<HTMLElement>) {
    if (event.button !== 0 || isOnControls(event)) return
    isMouse.current = event.pointerType === 'mouse'
    // A click on a video must reach the video.
    recogniser.press(event, { capture: !(event.target instanceof HTMLVideoElement) })
    before.current = transform
    axis.current = undefined
    if (event.pointerType !== 'mouse') {
      if (recogniser.pointers === 1) swipe.onStart()
      // A second finger turns a swipe into a pinch.
      else swipe.onEnd('none', 0)
    }
    window.clearTimeout(holdTimer.current)
    if (recogniser.pointers === 1) holdTimer.current = window.setTimeout(() => onHold(true), HOLD_TIME)
  }

  function onPointerMove(event: PointerEvent<HTMLElement>) {
    // The button was released outside the window.
    if (event.buttons === 0) return onPointerUp(event)
    const gesture = recogniser.move(event)
    if (gesture === undefined) return
    const { pointers, start, by, factor, pinched } = gesture
    window.clearTimeout(holdTimer.current)
    if (pointers > 1) {
      if (box === undefined) return
      setDragging(true)
      onTransform(panBy(zoomAt(before.current, before.current.scale * factor, start), by))
    } else if (pannable(transform)) {
      setDragging(true)
      onTransform(panBy(before.current, by))
    } else if (event.pointerType !== 'mouse' && !pinched) {
      axis.current ??= Math.abs(by.x) >= Math.abs(by.y) ? 'x' : 'y'
      swipe.onMove({ axis: axis.current, distance: by[axis.current] })
    }
  }

  function onPointerUp(event: PointerEvent<HTMLElement>) {
    const ended = recogniser.release(event)
    if (ended === undefined) return
    endHold()
    const swiped = axis.current
    axis.current = undefined
    if (ended.pointers > 0) {
      before.current = transform
      return
    }
    setDragging(false)
    if (swiped !== undefined) {
      const movement = { axis: swiped, distance: ended.end[swiped] - ended.start[swiped] }
      const velocity = ended.velocity[swiped]
      const cancelled = event.type === 'pointercancel'
      return swipe.onEnd(cancelled ? 'none' : classifySwipe(movement, velocity), velocity)
    }
    if (event.pointerType === 'mouse') return
    // The finger may have stopped the animation of the swipe before.
    swipe.onEnd('none', 0)
    onTouchTap(ended)
  }

  /** A single tap waits until no second one can follow. */
  function onTouchTap({ tap, end }: EndedGesture) {
    if (tap === undefined) return
    window.clearTimeout(tapTimer.current)
    if (tap === 'single') tapTimer.current = window.setTimeout(onTap, DOUBLE_TAP.milliseconds)
    else if (isAtRest(transform)) onTransform(zoomAt(transform, DOUBLE_TAP_SCALE, end))
    else onReset()
  }

  /** Holding a photo plays its clip instead of opening the browser's menu; a right click still opens it. */
  function onContextMenu(event: MouseEvent) {
    if (recogniser.pointers > 0) event.preventDefault()
  }

  /** Browsers also report a double tap as a double click, and do not say that it was one. */
  function onDoubleClick({ target }: MouseEvent) {
    if (target instanceof Element && target.closest('button, a') !== null) return
    if (isMouse.current) onReset()
  }

  return {
    /** Whether the image follows a pointer; then it must not be animated. */
    dragging,
    handlers: {
      onPointerDown,
      onPointerMove,
      onPointerUp,
      onPointerCancel: onPointerUp,
      onDoubleClick,
      onContextMenu,
    },
  }
}

function isAtRest({ scale, rotation }: Transform): boolean {
  return scale === 1 && rotation % 360 === 0
}

/** The controls of a video, and buttons over the stage. */
const CONTROLS_HEIGHT = 72

function isOnControls({ target, nativeEvent }: PointerEvent): boolean {
  if (target instanceof HTMLVideoElement) return nativeEvent.offsetY > target.clientHeight - CONTROLS_HEIGHT
  return target instanceof Element && target.closest('button, a') !== null
}

export type SwipeDirection = 'left' | 'right' | 'up' | 'down' | 'none'

const MIN_DISTANCE = 80
const FLICK = { distance: 24, velocity: 0.4 }

/** Far enough or fast enough. A finger that turns back cancels the swipe. */
export function classifySwipe({ axis, distance }: SwipeMovement, velocity: number): SwipeDirection {
  const fast = Math.abs(velocity) >= FLICK.velocity
  if (fast && Math.sign(velocity) !== Math.sign(distance)) return 'none'
  const far = Math.abs(distance)
  if (far < MIN_DISTANCE && !(fast && far >= FLICK.distance)) return 'none'
  if (axis === 'x') return distance > 0 ? 'right' : 'left'
  return distance > 0 ? 'down' : 'up'
}
