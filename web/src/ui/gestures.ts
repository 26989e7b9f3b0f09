/** In pixels from the centre of an element. */
export interface Point {
  x: number
  y: number
}

/** What the pointers that are down have done since the last of them came or went. */
export interface Gesture {
  /** How many are down. */
  pointers: number
  /** Their middle at first, and how far it has moved. */
  start: Point
  by: Point
  /** How many times as far apart they are. */
  factor: number
  /** Whether there was more than one, since the first came. */
  pinched: boolean
}

export interface EndedGesture extends Gesture {
  /** Undefined if it was a drag or pinch, was too long, or was cancelled. */
  tap: 'single' | 'double' | undefined
  moved: boolean
  /** Where the pointer left. */
  end: Point
  /** In pixels per millisecond, of the last moments. */
  velocity: Point
}

type PointerInput = Pick<PointerEvent, 'pointerId' | 'clientX' | 'clientY' | 'timeStamp' | 'type'>

/** Smaller movements do not count, because fingers tremble. */
const MOVE_THRESHOLD = 8
export const DOUBLE_TAP = { milliseconds: 280, pixels: 40 } as const
const VELOCITY_WINDOW = 100

/** Tells drags, pinches, taps and double taps on an element apart, from its pointer events. */
export class GestureRecogniser {
  readonly #element: () => HTMLElement | null
  readonly #longestTap: number
  readonly #pointers = new Map<number, Point>()
  #start = { x: 0, y: 0, distance: 1 }
  /** Since the first pointer came. */
  #whole = { began: 0, moved: false, pinched: false }
  /** Where the middle was, to measure its velocity. */
  #track: { at: number; x: number; y: number }[] = []
  #lastTap = { at: Number.NEGATIVE_INFINITY, x: 0, y: 0 }

  constructor(element: () => HTMLElement | null, longestTap = Number.POSITIVE_INFINITY) {
    this.#element = element
    this.#longestTap = longestTap
  }

  /** How many are down. */
  get pointers(): number {
    return this.#pointers.size
  }

  positionOf({ clientX, clientY }: { clientX: number; clientY: number }): Point {
    const { left = 0, top = 0, width = 0, height = 0 } = this.#element()?.getBoundingClientRect() ?? {}
    return { x: clientX - left - width / 2, y: clientY - top - height / 2 }
  }

  /** `capture`: further events go to the element even now, so that what is below the pointer gets no click. */
  press(event: PointerInput, { capture }: { capture: boolean }): void {
    // It is still known if its release was lost.
    this.#pointers.delete(event.pointerId)
    if (this.#pointers.size === 0) this.#whole = { began: event.timeStamp, moved: false, pinched: false }
    else this.#whole.pinched = true
    this.#pointers.set(event.pointerId, this.positionOf(event))
    if (capture) this.#element()?.setPointerCapture(event.pointerId)
    this.#restart()
  }

  /** Undefined for a pointer that is not down, or has not moved far enough. */
  move(event: PointerInput): Gesture | undefined {
    if (!this.#pointers.has(event.pointerId)) return undefined
    this.#pointers.set(event.pointerId, this.positionOf(event))
    const gesture = this.#gesture()
    const { pointers, by } = gesture
    if (!this.#whole.moved && pointers === 1 && Math.hypot(by.x, by.y) < MOVE_THRESHOLD) return undefined
    this.#whole.moved = true
    this.#element()?.setPointerCapture(event.pointerId)
    this.#track.push({ at: event.timeStamp, ...this.#middle() })
    return gesture
  }

  /** Undefined for a pointer that is not down. While `pointers` is above 0, those go on. */
  release(event: PointerInput): EndedGesture | undefined {
    if (!this.#pointers.has(event.pointerId)) return undefined
    const gesture = this.#gesture()
    this.#pointers.delete(event.pointerId)
    const { began, moved, pinched } = this.#whole
    const isCancelled = event.type === 'pointercancel'
    const isTap = !moved && !pinched && !isCancelled && event.timeStamp - began < this.#longestTap
    const end = this.positionOf(event)
    const tap = isTap ? this.#tap(end, event.timeStamp) : undefined
    const velocity = isCancelled ? { x: 0, y: 0 } : this.#velocity(event.timeStamp)
    this.#restart()
    return { ...gesture, pointers: this.#pointers.size, moved, tap, end, velocity }
  }

  #restart(): void {
    this.#start = this.#middle()
    this.#track = []
  }

  #gesture(): Gesture {
    const start = this.#start
    const { x, y, distance } = this.#middle()
    return {
      pointers: this.#pointers.size,
      start,
      by: { x: x - start.x, y: y - start.y },
      factor: distance / start.distance,
      pinched: this.#whole.pinched,
    }
  }

  /** Between the first two pointers. */
  #middle() {
    const [one = { x: 0, y: 0 }, other = one] = this.#pointers.values()
    const distance = Math.max(1, Math.hypot(one.x - other.x, one.y - other.y))
    return { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2, distance }
  }

  #tap({ x, y }: Point, at: number): 'single' | 'double' {
    const last = this.#lastTap
    const isDouble = at - last.at < DOUBLE_TAP.milliseconds && Math.hypot(x - last.x, y - last.y) < DOUBLE_TAP.pixels
    this.#lastTap = { at: isDouble ? Number.NEGATIVE_INFINITY : at, x, y }
    return isDouble ? 'double' : 'single'
  }

  #velocity(now: number): Point {
    const recent = this.#track.filter(({ at }) => now - at <= VELOCITY_WINDOW)
    const [first, last] = [recent[0], recent.at(-1)]
    if (first === undefined || last === undefined) return { x: 0, y: 0 }
    const time = Math.max(1, last.at - first.at)
    return { x: (last.x - first.x) / time, y: (last.y - first.y) / time }
  }
}
