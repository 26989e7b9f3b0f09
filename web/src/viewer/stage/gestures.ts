import { type MouseEvent, type PointerEvent, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { canPan, type Point, panBy, type Size, type Transform, wheelFactor, zoomAt } from './transform.ts'

interface Gestures {
  stage: RefObject<HTMLElement | null>
  stageSize: Size
  box: Size
  transform: Transform
  onTransform: (transform: Transform) => void
  onSwipe: (swipe: Exclude<Swipe, 'none'>) => void
  /** A tap with a finger. */
  onTap: () => void
  /** A finger or the mouse button is held on the image. */
  onHold: (holding: boolean) => void
  /** A double click. */
  onReset: () => void
}

interface ActiveGesture {
  transform: Transform
  centre: Point
  distance: number
  began: number
  moved: boolean
  pinched: boolean
}

/** Smaller movements do not count, because fingers tremble. */
const MOVE_THRESHOLD = 8
const HOLD_TIME = 350

/** Wheel, mouse and touch gestures on the image: zoom, pan, swipe, tap and hold. */
export function useGestures({
  stage,
  stageSize,
  box,
  transform,
  onTransform,
  onSwipe,
  onTap,
  onHold,
  onReset,
}: Gestures) {
  const pointers = useRef(new Map<number, Point>())
  const active = useRef<ActiveGesture | null>(null)
  const holdTimer = useRef<number>(undefined)
  const [swipeOffset, setSwipeOffset] = useState<Point | null>(null)
  const [dragging, setDragging] = useState(false)

  const fromCentre = (event: { clientX: number; clientY: number }): Point => {
    const around = stage.current?.getBoundingClientRect() ?? { left: 0, top: 0, width: 0, height: 0 }
    return { x: event.clientX - around.left - around.width / 2, y: event.clientY - around.top - around.height / 2 }
  }

  // React's wheel listeners are passive and could not prevent the page from scrolling.
  const onWheel = useEffectEvent((event: WheelEvent) => {
    event.preventDefault()
    onTransform(zoomAt(transform, transform.scale * wheelFactor(event), fromCentre(event)))
  })
  useEffect(() => {
    const element = stage.current
    element?.addEventListener('wheel', onWheel, { passive: false })
    return () => element?.removeEventListener('wheel', onWheel)
  }, [stage])
  useEffect(() => () => window.clearTimeout(holdTimer.current), [])

  function startGesture(time: number) {
    const now = [...pointers.current.values()]
    active.current = {
      transform,
      centre: centreOf(now),
      distance: distanceOf(now),
      began: time,
      moved: active.current?.moved ?? false,
      pinched: now.length > 1 || (active.current?.pinched ?? false),
    }
  }

  function endHold() {
    window.clearTimeout(holdTimer.current)
    onHold(false)
  }

  function onPointerDown(event: PointerEvent<HTMLElement>) {
    if (event.button !== 0 || isOnControls(event)) return
    pointers.current.set(event.pointerId, fromCentre(event))
    // A click on a video must reach the video.
    if (!(event.target instanceof HTMLVideoElement)) event.currentTarget.setPointerCapture(event.pointerId)
    startGesture(event.timeStamp)
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
      setDragging(true)
      onTransform(
        panBy(zoomAt(start.transform, (start.transform.scale * distanceOf(now)) / start.distance, start.centre), by),
      )
    } else if (canPan(transform, box, stageSize)) {
      setDragging(true)
      onTransform(panBy(start.transform, by))
    } else if (event.pointerType !== 'mouse' && !start.pinched) {
      setSwipeOffset({ x: by.x, y: Math.max(0, by.y) })
    }
  }

  function onPointerUp(event: PointerEvent<HTMLElement>) {
    const start = active.current
    if (start === null || !pointers.current.delete(event.pointerId)) return
    endHold()
    if (pointers.current.size > 0) return startGesture(event.timeStamp)
    active.current = null
    setSwipeOffset(null)
    setDragging(false)
    if (event.type === 'pointercancel' || event.pointerType === 'mouse' || start.pinched) return
    const end = fromCentre(event)
    const movement = {
      x: end.x - start.centre.x,
      y: end.y - start.centre.y,
      milliseconds: event.timeStamp - start.began,
    }
    if (!start.moved && movement.milliseconds < HOLD_TIME) return onTap()
    const swipe = canPan(start.transform, box, stageSize) ? 'none' : classifySwipe(movement)
    if (swipe !== 'none') onSwipe(swipe)
  }

  /** Holding a photo plays its clip instead of opening the browser's menu; a right click still opens it. */
  function onContextMenu(event: MouseEvent) {
    if (pointers.current.size > 0) event.preventDefault()
  }

  return {
    /** How far a finger has dragged the image aside. */
    swipeOffset,
    /** Whether the image follows a pointer; then it must not be animated. */
    dragging: dragging || swipeOffset !== null,
    handlers: {
      onPointerDown,
      onPointerMove,
      onPointerUp,
      onPointerCancel: onPointerUp,
      onDoubleClick: onReset,
      onContextMenu,
    },
  }
}

function centreOf(points: readonly Point[]): Point {
  const sum = points.reduce((a, b) => ({ x: a.x + b.x, y: a.y + b.y }), { x: 0, y: 0 })
  return { x: sum.x / points.length, y: sum.y / points.length }
}

function distanceOf(points: readonly Point[]): number {
  const [one, other] = points
  return one === undefined || other === undefined ? 1 : Math.max(1, Math.hypot(one.x - other.x, one.y - other.y))
}

/** The controls of a video, and buttons over the stage. */
const CONTROLS_HEIGHT = 72

function isOnControls({ target, nativeEvent }: PointerEvent): boolean {
  if (target instanceof HTMLVideoElement) return nativeEvent.offsetY > target.clientHeight - CONTROLS_HEIGHT
  return target instanceof Element && target.closest('button, a') !== null
}

/** A swipe over an image that cannot be panned. */
export type Swipe = 'previous' | 'next' | 'close' | 'none'

interface Movement {
  x: number
  y: number
  milliseconds: number
}

const MIN_DISTANCE = 80
const FLICK = { distance: 24, pixelsPerMillisecond: 0.4 }

/** Far enough or fast enough, and clearly in one direction. Swiping down closes the viewer. */
export function classifySwipe({ x, y, milliseconds }: Movement): Swipe {
  const [across, down] = [Math.abs(x), Math.abs(y)]
  const counts = (distance: number) =>
    distance >= MIN_DISTANCE ||
    (distance >= FLICK.distance && distance / Math.max(1, milliseconds) >= FLICK.pixelsPerMillisecond)
  if (across > down * 1.2) return counts(across) ? (x > 0 ? 'previous' : 'next') : 'none'
  if (y > across * 1.2 && y >= MIN_DISTANCE) return 'close'
  return 'none'
}
