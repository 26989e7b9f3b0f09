import { type MouseEvent, type PointerEvent, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { type Swipe, swipeOf } from './swipe.ts'
import { canPan, type Look, type Point, panned, type Size, wheelFactor, zoomed } from './zoom.ts'

interface Gestures {
  stage: RefObject<HTMLElement | null>
  stageSize: Size
  box: Size
  look: Look
  onLook: (look: Look) => void
  onSwipe: (swipe: Exclude<Swipe, 'none'>) => void
  /** A finger touched the picture and left it. */
  onTap: () => void
  /** A finger or the mouse rests on the picture, until it is lifted. */
  onHold: (holding: boolean) => void
  /** A double click. */
  onReset: () => void
}

interface Held {
  look: Look
  middle: Point
  distance: number
  began: number
  moved: boolean
  pinched: boolean
}

/** Fingers are not still: less than this is no movement. */
const STILL = 8
const HOLD = 350

/** Wheel, mouse and fingers on the picture: zooming and moving it about, turning to another, and resting on it. */
export function useGestures({ stage, stageSize, box, look, onLook, onSwipe, onTap, onHold, onReset }: Gestures) {
  const pointers = useRef(new Map<number, Point>())
  const held = useRef<Held | null>(null)
  const holdTimer = useRef<number>(undefined)
  const [drift, setDrift] = useState<Point | null>(null)
  const [dragging, setDragging] = useState(false)

  const fromMiddle = (event: { clientX: number; clientY: number }): Point => {
    const around = stage.current?.getBoundingClientRect() ?? { left: 0, top: 0, width: 0, height: 0 }
    return { x: event.clientX - around.left - around.width / 2, y: event.clientY - around.top - around.height / 2 }
  }

  // A wheel would scroll the page, and only a listener that says so beforehand can keep it from that.
  const onWheel = useEffectEvent((event: WheelEvent) => {
    event.preventDefault()
    onLook(zoomed(look, look.scale * wheelFactor(event), fromMiddle(event)))
  })
  useEffect(() => {
    const element = stage.current
    element?.addEventListener('wheel', onWheel, { passive: false })
    return () => element?.removeEventListener('wheel', onWheel)
  }, [stage])
  useEffect(() => () => window.clearTimeout(holdTimer.current), [])

  function begin(time: number) {
    const now = [...pointers.current.values()]
    held.current = {
      look,
      middle: middleOf(now),
      distance: distanceOf(now),
      began: time,
      moved: held.current?.moved ?? false,
      pinched: now.length > 1 || (held.current?.pinched ?? false),
    }
  }

  function endHold() {
    window.clearTimeout(holdTimer.current)
    onHold(false)
  }

  function onPointerDown(event: PointerEvent<HTMLElement>) {
    if (event.button !== 0 || isOnControls(event)) return
    pointers.current.set(event.pointerId, fromMiddle(event))
    // A click on a film has to reach the film.
    if (!(event.target instanceof HTMLVideoElement)) event.currentTarget.setPointerCapture(event.pointerId)
    begin(event.timeStamp)
    window.clearTimeout(holdTimer.current)
    if (pointers.current.size === 1) holdTimer.current = window.setTimeout(() => onHold(true), HOLD)
  }

  function onPointerMove(event: PointerEvent<HTMLElement>) {
    const start = held.current
    if (start === null || !pointers.current.has(event.pointerId)) return
    // Let go outside the window.
    if (event.buttons === 0) return onPointerUp(event)
    pointers.current.set(event.pointerId, fromMiddle(event))
    const now = [...pointers.current.values()]
    const middle = middleOf(now)
    const by = { x: middle.x - start.middle.x, y: middle.y - start.middle.y }
    if (!start.moved && now.length === 1 && Math.hypot(by.x, by.y) < STILL) return
    start.moved = true
    event.currentTarget.setPointerCapture(event.pointerId)
    window.clearTimeout(holdTimer.current)
    if (now.length > 1) {
      setDragging(true)
      onLook(panned(zoomed(start.look, (start.look.scale * distanceOf(now)) / start.distance, start.middle), by))
    } else if (canPan(look, box, stageSize)) {
      setDragging(true)
      onLook(panned(start.look, by))
    } else if (event.pointerType !== 'mouse' && !start.pinched) {
      setDrift({ x: by.x, y: Math.max(0, by.y) })
    }
  }

  function onPointerUp(event: PointerEvent<HTMLElement>) {
    const start = held.current
    if (start === null || !pointers.current.delete(event.pointerId)) return
    endHold()
    if (pointers.current.size > 0) return begin(event.timeStamp)
    held.current = null
    setDrift(null)
    setDragging(false)
    if (event.type === 'pointercancel' || event.pointerType === 'mouse' || start.pinched) return
    const end = fromMiddle(event)
    const movement = {
      x: end.x - start.middle.x,
      y: end.y - start.middle.y,
      milliseconds: event.timeStamp - start.began,
    }
    if (!start.moved && movement.milliseconds < HOLD) return onTap()
    const swipe = canPan(start.look, box, stageSize) ? 'none' : swipeOf(movement)
    if (swipe !== 'none') onSwipe(swipe)
  }

  /** A finger that rests on the photo wants to see it move, not what the browser offers; a mouse may have its menu. */
  function onContextMenu(event: MouseEvent) {
    if (pointers.current.size > 0) event.preventDefault()
  }

  return {
    /** How far a finger has moved the picture aside. */
    drift,
    /** Whether the picture follows a pointer now, and so must not lag behind it. */
    following: dragging || drift !== null,
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

function middleOf(points: readonly Point[]): Point {
  const sum = points.reduce((a, b) => ({ x: a.x + b.x, y: a.y + b.y }), { x: 0, y: 0 })
  return { x: sum.x / points.length, y: sum.y / points.length }
}

function distanceOf(points: readonly Point[]): number {
  const [one, other] = points
  return one === undefined || other === undefined ? 1 : Math.max(1, Math.hypot(one.x - other.x, one.y - other.y))
}

/** The bar in which browsers show a film's controls, and buttons that stand on the stage. */
const CONTROLS_HEIGHT = 72

function isOnControls({ target, nativeEvent }: PointerEvent): boolean {
  if (target instanceof HTMLVideoElement) return nativeEvent.offsetY > target.clientHeight - CONTROLS_HEIGHT
  return target instanceof Element && target.closest('button, a') !== null
}
