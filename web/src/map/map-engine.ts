import { type EndedGesture, GestureRecogniser, type Point } from '../ui/gestures.ts'
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
const KEY_STEP = 120
/** The share of the speed that is left after a millisecond. */
const FRICTION = 0.996

/** Moves a map by touch, mouse, wheel and keyboard. Outside of React, because it changes 60 times a second. */
export class MapEngine {
  view: View
  size: Size
  readonly #element: HTMLElement
  readonly #options: Options
  readonly #stop = new AbortController()
  readonly #resizes: ResizeObserver
  readonly #gestures: GestureRecogniser
  #frame = 0
  #settle: number | undefined
  #animation: ((now: number) => boolean) | undefined
  /** Where the animation ends. */
  #goal: View | undefined
  /** What the pointers that are down started from. */
  #before: View
  #onMarker = false
  /** The last press was a drag, so that the click that follows is none. */
  #dragged = false

  constructor(element: HTMLElement, options: Options) {
    this.#element = element
    this.#options = options
    this.size = { width: element.clientWidth, height: element.clientHeight }
    this.view = limitView(options.start, this.size)
    this.#before = this.view
    this.#gestures = new GestureRecogniser(() => element)
    const listen = <Name extends keyof HTMLElementEventMap>(
      name: Name,
      act: (event: HTMLElementEventMap[Name]) => void,
      options: AddEventListenerOptions = { passive: true },
    ) => element.addEventListener(name, act, { ...options, signal: this.#stop.signal })
    listen('pointerdown', event => this.#press(event))
    listen('pointermove', event => this.#move(event))
    listen('pointerup', event => this.#release(event))
    listen('pointercancel', event => this.#release(event))
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

  #press(event: PointerEvent): void {
    if (event.button !== 0) return
    this.#animation = undefined
    // Captured by the map, a press on a marker would be no click of it; it is captured when it becomes a drag.
    this.#onMarker = (event.target as Element).closest('a, button') !== null
    this.#gestures.press(event, { capture: !this.#onMarker })
    this.#before = this.view
    this.#dragged = false
  }

  #move(event: PointerEvent): void {
    // The button was released outside the window.
    if (event.buttons === 0) this.#release(event)
    const gesture = this.#gestures.move(event)
    if (gesture === undefined) return
    const { start, by, factor } = gesture
    const { zoom } = limitView({ ...this.#before, zoom: this.#before.zoom + Math.log2(factor) }, this.size)
    const { x, y } = zoomAround(this.#before, zoom, start.x, start.y)
    const world = worldWidth(zoom)
    this.#change({ x: x - by.x / world, y: y - by.y / world, zoom })
  }

  #release(event: PointerEvent): void {
    const ended = this.#gestures.release(event)
    if (ended === undefined) return
    this.#before = this.view
    if (ended.pointers > 0) return
    this.#dragged = ended.moved || ended.pinched
    if (this.#dragged) this.#glide(ended)
    else if (!this.#onMarker && ended.tap === 'double') this.zoomBy(1, ended.end.x, ended.end.y)
    else if (!this.#onMarker && ended.tap === 'single') this.#point(ended.end)
  }

  /** Chooses a point, in pixels from the centre. */
  #point({ x, y }: Point): void {
    const world = worldWidth(this.view.zoom)
    const { latitude, longitude } = unproject(this.view.x + x / world, this.view.y + y / world)
    this.#options.onPoint?.(latitude, longitude)
  }

  /** A drag that began on a marker does not open it. */
  #click(event: MouseEvent): void {
    if (!this.#dragged) return
    this.#dragged = false
    event.stopPropagation()
  }

  /** The map moves on for a moment after a quick drag. */
  #glide({ pinched, velocity }: EndedGesture): void {
    let { x, y } = velocity
    if (pinched || Math.hypot(x, y) < 0.15) return
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
    // A drag goes on from where it started.
    if (this.#gestures.pointers > 0) return
    this.#animation = undefined
    // Lines and pages of other browsers, in pixels; a pinch on a touchpad is a wheel with Ctrl in small steps.
    const pixels = event.deltaY * (event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? this.size.height : 1)
    const steps = Math.max(-1, Math.min(1, -pixels * (event.ctrlKey ? 0.015 : 0.0035)))
    const { zoom } = limitView({ ...this.view, zoom: this.view.zoom + steps }, this.size)
    const { x, y } = this.#gestures.positionOf(event)
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
      Enter: () => this.#point({ x: 0, y: 0 }),
    }
    const act = acts[event.key]
    if (act === undefined) return
    event.preventDefault()
    act()
  }
}
