import { limitView, type Size, unproject, type View, worldWidth, zoomAround } from './view.ts'

interface Options {
  start: View
  /** Called at most once per frame while something changes. */
  draw: (view: View, size: Size) => void
  /** The view has not changed for a moment. */
  onSettle: (view: View, size: Size) => void
  /** A click or tap that was no gesture. */
  onPoint?: ((latitude: number, longitude: number) => void) | undefined
}

const SETTLED_AFTER = 140
/** Pixels that a finger may move in a tap. */
const TAP_DISTANCE = 6
const DOUBLE_TAP = 300
const KEY_STEP = 120
/** The share of the speed that is left after a millisecond. */
const FRICTION = 0.996

interface Touch {
  x: number
  y: number
}

/** Moves a map by touch, mouse, wheel and keyboard. Outside of React, because it changes 60 times a second. */
export class MapEngine {
  view: View
  size: Size
  readonly #element: HTMLElement
  readonly #options: Options
  readonly #stop = new AbortController()
  readonly #resizes: ResizeObserver
  readonly #touches = new Map<number, Touch>()
  #frame = 0
  #settle: number | undefined
  #animation: ((now: number) => boolean) | undefined
  /** Where the animation ends. */
  #goal: View | undefined
  #pressed: (Touch & { onMarker: boolean; moved: boolean }) | undefined
  /** The last press was a drag, so that the click that follows is none. */
  #dragged = false
  #lastTap = { at: 0, x: 0, y: 0 }
  #speed = { x: 0, y: 0, at: 0 }

  constructor(element: HTMLElement, options: Options) {
    this.#element = element
    this.#options = options
    this.size = { width: element.clientWidth, height: element.clientHeight }
    this.view = limitView(options.start, this.size)
    const listen = <Name extends keyof HTMLElementEventMap>(
      name: Name,
      act: (event: HTMLElementEventMap[Name]) => void,
      options: AddEventListenerOptions = { passive: true },
    ) => element.addEventListener(name, act, { ...options, signal: this.#stop.signal })
    listen('pointerdown', event => this.#press(event))
    listen('pointermove', event => this.#move(event))
    listen('pointerup', event => this.#release(event))
    listen('pointercancel', event => this.#cancel(event))
    listen('click', event => this.#click(event), { capture: true })
    listen('wheel', event => this.#wheel(event), { passive: false })
    listen('keydown', event => this.#key(event), { passive: false })
    this.#resizes = new ResizeObserver(() => {
      this.size = { width: element.clientWidth, height: element.clientHeight }
      this.set(this.view)
    })
    this.#resizes.observe(element)
    this.redraw()
  }

  destroy(): void {
    this.#stop.abort()
    this.#resizes.disconnect()
    cancelAnimationFrame(this.#frame)
    clearTimeout(this.#settle)
  }

  /** Jumps there. */
  set(view: View): void {
    this.#animation = undefined
    this.#change(view)
  }

  /** Moves there, or jumps if the person wants no motion. */
  animateTo(target: View, ms = 220): void {
    const goal = limitView(target, this.size)
    if (window.matchMedia('(prefers-reduced-motion: reduce)').matches) {
      this.set(goal)
      return
    }
    const from = this.view
    // The shorter way around the world.
    const right = ((((goal.x - from.x + 0.5) % 1) + 1) % 1) - 0.5
    const began = performance.now()
    this.#animate(now => {
      const part = Math.min(1, Math.max(0, (now - began) / ms))
      const eased = 1 - (1 - part) ** 3
      const zoom = from.zoom + (goal.zoom - from.zoom) * eased
      this.#change({ x: from.x + right * eased, y: from.y + (goal.y - from.y) * eased, zoom })
      return part < 1
    }, goal)
  }

  zoomBy(steps: number, right = 0, down = 0): void {
    const from = this.#next()
    const { zoom } = limitView({ ...from, zoom: from.zoom + steps }, this.size)
    this.animateTo(zoomAround(from, zoom, right, down))
  }

  redraw(): void {
    if (this.#frame !== 0) return
    this.#frame = requestAnimationFrame(now => {
      this.#frame = 0
      if (this.#animation !== undefined && !this.#animation(now)) this.#animation = undefined
      this.#options.draw(this.view, this.size)
      if (this.#animation !== undefined) this.redraw()
    })
  }

  /** The view after the animation that is running, so that quick clicks and keys add up. */
  #next(): View {
    return (this.#animation && this.#goal) ?? this.view
  }

  #animate(step: (now: number) => boolean, goal?: View): void {
    this.#animation = step
    this.#goal = goal
    this.redraw()
  }

  #change(view: View): void {
    this.view = limitView(view, this.size)
    this.redraw()
    clearTimeout(this.#settle)
    this.#settle = window.setTimeout(() => this.#options.onSettle(this.view, this.size), SETTLED_AFTER)
  }

  #moveBy(right: number, down: number): void {
    const world = worldWidth(this.view.zoom)
    this.#change({ ...this.view, x: this.view.x - right / world, y: this.view.y - down / world })
  }

  /** In pixels from the centre of the map. */
  #positionOf(event: MouseEvent): Touch {
    const { left, top } = this.#element.getBoundingClientRect()
    return { x: event.clientX - left - this.size.width / 2, y: event.clientY - top - this.size.height / 2 }
  }

  #press(event: PointerEvent): void {
    if (event.button !== 0) return
    this.#animation = undefined
    const at = this.#positionOf(event)
    this.#touches.set(event.pointerId, at)
    // Captured by the map, a press on a marker would be no click of it; it is captured when it becomes a drag.
    const onMarker = (event.target as Element).closest('a, button') !== null
    if (!onMarker) this.#element.setPointerCapture(event.pointerId)
    this.#pressed = { ...at, onMarker, moved: this.#touches.size > 1 }
    this.#dragged = false
    this.#speed = { x: 0, y: 0, at: event.timeStamp }
  }

  #move(event: PointerEvent): void {
    const before = this.#touches.get(event.pointerId)
    if (before === undefined) return
    const now = this.#positionOf(event)
    const other = [...this.#touches].find(([id]) => id !== event.pointerId)?.[1]
    this.#touches.set(event.pointerId, now)
    const pressed = this.#pressed
    if (pressed && !pressed.moved && Math.hypot(now.x - pressed.x, now.y - pressed.y) > TAP_DISTANCE) {
      pressed.moved = true
      this.#element.setPointerCapture(event.pointerId)
    }
    if (other !== undefined) this.#pinch(before, now, other)
    else if (this.#pressed?.moved) this.#drag(before, now, event.timeStamp)
  }

  #drag(before: Touch, now: Touch, timeStamp: number): void {
    this.#moveBy(now.x - before.x, now.y - before.y)
    const ms = Math.max(1, timeStamp - this.#speed.at)
    // Averaged, since single events are uneven.
    const share = Math.min(1, ms / 40)
    this.#speed = {
      x: this.#speed.x * (1 - share) + ((now.x - before.x) / ms) * share,
      y: this.#speed.y * (1 - share) + ((now.y - before.y) / ms) * share,
      at: timeStamp,
    }
  }

  #pinch(before: Touch, now: Touch, other: Touch): void {
    const [was, is] = [Math.hypot(before.x - other.x, before.y - other.y), Math.hypot(now.x - other.x, now.y - other.y)]
    if (was < 1 || is < 1) return
    const { zoom } = limitView({ ...this.view, zoom: this.view.zoom + Math.log2(is / was) }, this.size)
    const centre = { x: (before.x + other.x) / 2, y: (before.y + other.y) / 2 }
    this.#change(zoomAround(this.view, zoom, centre.x, centre.y))
    this.#moveBy((now.x - before.x) / 2, (now.y - before.y) / 2)
  }

  #release(event: PointerEvent): void {
    const pressed = this.#pressed
    if (!this.#touches.delete(event.pointerId) || this.#touches.size > 0) return
    this.#pressed = undefined
    if (!pressed) return
    this.#dragged = pressed.moved
    if (pressed.moved) this.#glide(event.timeStamp)
    else if (!pressed.onMarker) this.#tap(this.#positionOf(event), event.timeStamp)
  }

  #tap(at: Touch, timeStamp: number): void {
    const isDouble =
      timeStamp - this.#lastTap.at < DOUBLE_TAP && Math.hypot(at.x - this.#lastTap.x, at.y - this.#lastTap.y) < 30
    this.#lastTap = isDouble ? { at: 0, x: 0, y: 0 } : { at: timeStamp, ...at }
    if (isDouble) {
      this.zoomBy(1, at.x, at.y)
      return
    }
    this.#point(at.x, at.y)
  }

  /** Chooses a point, in pixels from the centre. */
  #point(right: number, down: number): void {
    const world = worldWidth(this.view.zoom)
    const { latitude, longitude } = unproject(this.view.x + right / world, this.view.y + down / world)
    this.#options.onPoint?.(latitude, longitude)
  }

  /** A drag that began on a marker does not open it. */
  #click(event: MouseEvent): void {
    if (!this.#dragged) return
    this.#dragged = false
    event.stopPropagation()
  }

  #cancel({ pointerId }: PointerEvent): void {
    this.#touches.delete(pointerId)
    this.#pressed = undefined
  }

  /** The map moves on for a moment after a quick drag. */
  #glide(now: number): void {
    let { x, y } = this.#speed
    if (now - this.#speed.at > 60 || Math.hypot(x, y) < 0.15) return
    if (window.matchMedia('(prefers-reduced-motion: reduce)').matches) return
    let last = performance.now()
    this.#animate(at => {
      const ms = Math.min(50, Math.max(1, at - last))
      last = at
      this.#moveBy(x * ms, y * ms)
      x *= FRICTION ** ms
      y *= FRICTION ** ms
      return Math.hypot(x, y) > 0.02
    })
  }

  #wheel(event: WheelEvent): void {
    event.preventDefault()
    this.#animation = undefined
    // Lines and pages of other browsers, in pixels; a pinch on a touchpad is a wheel with Ctrl in small steps.
    const pixels = event.deltaY * (event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? this.size.height : 1)
    const steps = Math.max(-1, Math.min(1, -pixels * (event.ctrlKey ? 0.015 : 0.0035)))
    const { zoom } = limitView({ ...this.view, zoom: this.view.zoom + steps }, this.size)
    const { x, y } = this.#positionOf(event)
    this.#change(zoomAround(this.view, zoom, x, y))
  }

  #key(event: KeyboardEvent): void {
    if (event.target !== this.#element || event.ctrlKey || event.metaKey || event.altKey) return
    const from = this.#next()
    const world = worldWidth(from.zoom)
    const step = (right: number, down: number) =>
      this.animateTo({ ...from, x: from.x + (right * KEY_STEP) / world, y: from.y + (down * KEY_STEP) / world }, 120)
    const acts: Record<string, () => void> = {
      ArrowLeft: () => step(-1, 0),
      ArrowRight: () => step(1, 0),
      ArrowUp: () => step(0, -1),
      ArrowDown: () => step(0, 1),
      '+': () => this.zoomBy(1),
      '=': () => this.zoomBy(1),
      '-': () => this.zoomBy(-1),
      Enter: () => this.#point(0, 0),
    }
    const act = acts[event.key]
    if (act === undefined) return
    event.preventDefault()
    act()
  }
}
