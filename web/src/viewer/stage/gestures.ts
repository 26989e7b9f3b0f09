import { type MouseEvent, type PointerEvent, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Size } from '../../media/rotated.ts'
import { canPan, type Point, panBy, type Transform, wheelFactor, zoomAt } from './transform.ts'

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

interface ActiveGesture {
  transform: Transform
  centre: Point
  distance: number
  began: number
  moved: boolean
  pinched: boolean
  axis: SwipeMovement['axis'] | undefined
  /** The last positions of a swiping finger, to measure its velocity. */
  track: { at: number; point: Point }[]
}

/** Smaller movements do not count, because fingers tremble. */
const MOVE_THRESHOLD = 8
const HOLD_TIME = 350
const DOUBLE_TAP = { milliseconds: 280, pixels: 40, scale: 2.5 }
/** The velocity of a swipe is measured over its last milliseconds. */
const VELOCITY_WINDOW = 100

/** Wheel, mouse and touch gestures on the image: zoom, pan, swipe, tap and hold. */
export function useGestures(options: Gestures) {
  const { stage, stageSize, box, transform, onTransform, swipe, onTap, onHold, onReset } = options
  const pointers = useRef(new Map<number, Point>())
  const active = useRef<ActiveGesture | null>(null)
  const holdTimer = useRef<number>(undefined)
  const tap = useRef({ timer: 0, at: 0, point: { x: 0, y: 0 } })
  const isMouse = useRef(true)
  const [dragging, setDragging] = useState(false)
  const pannable = (to: Transform) => box !== undefined && canPan(to, box, stageSize)

  const fromCentre = (event: { clientX: number; clientY: number }): Point => {
    const around = stage.current?.getBoundingClientRect() ?? { left: 0, top: 0, width: 0, height: 0 }
    return { x: event.clientX - around.left - around.width / 2, y: event.clientY - around.top - around.height / 2 }
  }

  // React's wheel listeners are passive and could not prevent the page from scrolling.
  const onWheel = useEffectEvent((event: WheelEvent) => {
    event.preventDefault()
    if (box !== undefined) onTransform(zoomAt(transform, transform.scale * wheelFactor(event), fromCentre(event)))
  })
  useEffect(() => {
    const element = stage.current
    element?.addEventListener('wheel', onWheel, { passive: false })
    return () => element?.removeEventListener('wheel', onWheel)
  }, [stage])
  useEffect(
    () => () => {
      window.clearTimeout(holdTimer.current)
      window.clearTimeout(tap.current.timer)
    },
    [],
  )

  function startGesture(time: number) {
    const now = [...pointers.current.values()]
    active.current = {
      transform,
      centre: centreOf(now),
      distance: distanceOf(now),
      began: time,
      moved: active.current?.moved ?? false,
      pinched: now.length > 1 || (active.current?.pinched ?? false),
      axis: undefined,
      track: [],
    }
  }

  function endHold() {
    window.clearTimeout(holdTimer.current)
    onHold(false)
  }

  function onPointerDown(event: PointerEvent<HTMLElement>) {
    if (event.button !== 0 || isOnControls(event)) return
    isMouse.current = event.pointerType === 'mouse'
    pointers.current.set(event.pointerId, fromCentre(event))
    // A click on a video must reach the video.
    if (!(event.target instanceof HTMLVideoElement)) event.currentTarget.setPointerCapture(event.pointerId)
    startGesture(event.timeStamp)
    if (event.pointerType !== 'mouse') {
      if (pointers.current.size === 1) swipe.onStart()
      // A second finger turns a swipe into a pinch.
      else swipe.onEnd('none', 0)
    }
    window.clearTimeout(holdTimer.current)
    if (pointers.current.size === 1) holdTimer.current = window.setTimeout(() => onHold(true), HOLD_TIME)
  }

  function onPointerMove(event: PointerEvent<HTMLElement>) {
    const start = active.current
    if (start === null || !pointers.current.has(event.pointerId)) return
    // The button was released outside the window.
    if (event.buttons === 0) return onPointerUp(event)
    pointers.current.set(event.pointerId, fromCentre(event))
    const now = [...pointers.current.values()]
    const centre = centreOf(now)
    const by = { x: centre.x - start.centre.x, y: centre.y - start.centre.y }
    if (!start.moved && now.length === 1 && Math.hypot(by.x, by.y) < MOVE_THRESHOLD) return
    start.moved = true
    event.currentTarget.setPointerCapture(event.pointerId)
    window.clearTimeout(holdTimer.current)
    if (now.length > 1) {
      if (box === undefined) return
      setDragging(true)
      onTransform(
        panBy(zoomAt(start.transform, (start.transform.scale * distanceOf(now)) / start.distance, start.centre), by),
      )
    } else if (pannable(transform)) {
      setDragging(true)
      onTransform(panBy(start.transform, by))
    } else if (event.pointerType !== 'mouse' && !start.pinched) {
      start.axis ??= Math.abs(by.x) >= Math.abs(by.y) ? 'x' : 'y'
      start.track.push({ at: event.timeStamp, point: centre })
      swipe.onMove({ axis: start.axis, distance: by[start.axis] })
    }
  }

  function onPointerUp(event: PointerEvent<HTMLElement>) {
    const start = active.current
    if (start === null || !pointers.current.delete(event.pointerId)) return
    endHold()
    if (pointers.current.size > 0) return startGesture(event.timeStamp)
    active.current = null
    setDragging(false)
    const end = fromCentre(event)
    if (start.axis !== undefined) {
      const { axis } = start
      const cancelled = event.type === 'pointercancel'
      const movement = { axis, distance: end[axis] - start.centre[axis] }
      const velocity = velocityOf(start.track, event.timeStamp, axis)
      return swipe.onEnd(cancelled ? 'none' : classifySwipe(movement, velocity), velocity)
    }
    if (event.pointerType === 'mouse') return
    // The finger may have stopped the animation of the swipe before.
    swipe.onEnd('none', 0)
    if (event.type === 'pointercancel') return
    if (!start.moved && !start.pinched && event.timeStamp - start.began < HOLD_TIME) onTouchTap(end, event.timeStamp)
  }

  /** A single tap waits until no second one can follow. */
  function onTouchTap(point: Point, at: number) {
    const before = tap.current
    window.clearTimeout(before.timer)
    const near = Math.hypot(point.x - before.point.x, point.y - before.point.y) < DOUBLE_TAP.pixels
    if (at - before.at < DOUBLE_TAP.milliseconds && near) {
      tap.current = { timer: 0, at: 0, point }
      if (isAtRest(transform)) onTransform(zoomAt(transform, DOUBLE_TAP.scale, point))
      else onReset()
      return
    }
    tap.current = { timer: window.setTimeout(onTap, DOUBLE_TAP.milliseconds), at, point }
  }

  /** Holding a photo plays its clip instead of opening the browser's menu; a right click still opens it. */
  function onContextMenu(event: MouseEvent) {
    if (pointers.current.size > 0) event.preventDefault()
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

function centreOf(points: readonly Point[]): Point {
  const sum = points.reduce((a, b) => ({ x: a.x + b.x, y: a.y + b.y }), { x: 0, y: 0 })
  return { x: sum.x / points.length, y: sum.y / points.length }
}

function distanceOf(points: readonly Point[]): number {
  const [one, other] = points
  return one === undefined || other === undefined ? 1 : Math.max(1, Math.hypot(one.x - other.x, one.y - other.y))
}

function velocityOf(track: ActiveGesture['track'], now: number, axis: SwipeMovement['axis']): number {
  const recent = track.filter(({ at }) => now - at <= VELOCITY_WINDOW)
  const [first, last] = [recent[0], recent.at(-1)]
  if (first === undefined || last === undefined) return 0
  return (last.point[axis] - first.point[axis]) / Math.max(1, last.at - first.at)
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
