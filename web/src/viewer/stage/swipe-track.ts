import { type RefObject, useEffectEvent, useLayoutEffect, useRef } from 'react'
import type { Size } from '../../media/rotated.ts'
import type { SwipeDirection, SwipeHandlers, SwipeMovement } from './gestures.ts'

/** Space between two photos, in pixels; the same as in viewer.css. */
const GAP = 24
/** How far a photo follows the finger where there is nothing to swipe to. */
const RUBBER_BAND = 0.3
const EASING = 'cubic-bezier(0.2, 0.8, 0.2, 1)'
const DURATION = { shortest: 140, longest: 320, toTile: 220 }
/** In pixels per millisecond, for fingers that lift slowly. */
const SLOWEST = 1.2
/** The size of the photo when the finger is at the lower edge. */
const CLOSING_SCALE = 0.6

interface SwipeTrack {
  /** The open file. */
  id: number
  /** Contains the photo and its neighbours. */
  track: RefObject<HTMLElement | null>
  size: Size
  reducedMotion: boolean
  photoInTile?: (() => Element | null) | undefined
  hasPrevious: boolean
  hasNext: boolean
  /** Mounts the neighbours. */
  onStart: () => void
  onNavigate: (to: 'previous' | 'next') => void
  onSwipeUp: () => void
  /** Returns whether it closes the viewer; if not, the photo moves back. */
  onSwipeDown: () => boolean
  onClose: () => void
}

/**
 * Moves the photo and its neighbours with the finger. The styles are set directly, because rendering for every
 * movement would be too slow. A completed swipe navigates at once: the next photo then moves from where the finger left
 * it to the centre, so that the next swipe need not wait for the animation.
 */
export function useSwipeTrack(options: SwipeTrack): SwipeHandlers {
  const { id, track, size, reducedMotion, hasPrevious, hasNext } = options
  /** Where the track was when the finger touched it during an animation. */
  const grabbedAt = useRef(0)
  /** The position and speed of the last swipe, continued by the photo that it opens. */
  const continued = useRef<{ from: number; velocity: number } | undefined>(undefined)
  const last = useRef<SwipeMovement>({ axis: 'x', distance: 0 })

  function settle(from: string, distance: number, velocity: number) {
    const element = track.current
    if (element === null) return
    element.style.transform = ''
    setClosing(element, 0)
    if (reducedMotion || distance === 0) return
    const time = Math.abs(distance) / Math.max(SLOWEST, Math.abs(velocity))
    const duration = Math.min(DURATION.longest, Math.max(DURATION.shortest, time))
    element.animate([{ transform: from }, { transform: 'none' }], { duration, easing: EASING })
  }

  const continueSwipe = useEffectEvent(() => {
    const swipe = continued.current
    continued.current = undefined
    grabbedAt.current = 0
    if (swipe !== undefined) settle(`translateX(${swipe.from}px)`, swipe.from, swipe.velocity)
  })
  // Before the browser paints the new photo at its final place.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when another file is opened
  useLayoutEffect(() => continueSwipe(), [id])

  /** The position of the track for the finger's movement; it resists where there is no neighbour. */
  function positionFor(distance: number): number {
    const at = grabbedAt.current + distance
    const exists = at > 0 ? hasPrevious : hasNext
    return exists ? at : at * RUBBER_BAND
  }

  function onStart() {
    const element = track.current
    if (element === null) return
    grabbedAt.current = new DOMMatrix(getComputedStyle(element).transform).e
    for (const animation of element.getAnimations()) animation.cancel()
    if (grabbedAt.current !== 0) element.style.transform = `translateX(${grabbedAt.current}px)`
    last.current = { axis: 'x', distance: 0 }
    options.onStart()
  }

  function onMove(movement: SwipeMovement) {
    const element = track.current
    if (element === null) return
    last.current = movement
    element.style.transform = transformFor(movement)
    setClosing(element, movement.axis === 'y' ? progressOf(movement.distance) : 0)
  }

  /** From 0 to 1: how far the photo has moved to the lower edge. */
  const progressOf = (distance: number) => Math.min(1, Math.max(0, distance / Math.max(1, size.height)))

  function transformFor({ axis, distance }: SwipeMovement): string {
    if (axis === 'x') return `translateX(${positionFor(distance)}px)`
    if (distance < 0) return `translateY(${distance * RUBBER_BAND}px)`
    return `translateY(${distance}px) scale(${1 - progressOf(distance) * (1 - CLOSING_SCALE)})`
  }

  function onEnd(direction: SwipeDirection, velocity: number) {
    const { axis, distance } = last.current
    const from = transformFor(last.current)
    const at = axis === 'x' ? positionFor(distance) : distance
    last.current = { axis: 'x', distance: 0 }
    grabbedAt.current = 0
    const to = direction === 'left' ? 'next' : direction === 'right' ? 'previous' : undefined
    if (to !== undefined && (to === 'next' ? hasNext : hasPrevious)) {
      const away = at + (to === 'next' ? 1 : -1) * (size.width + GAP)
      continued.current = { from: away, velocity }
      return options.onNavigate(to)
    }
    if (direction === 'down' && options.onSwipeDown()) return void closeFrom(from)
    settle(from, at, 0)
    if (direction === 'up') options.onSwipeUp()
    // A neighbour that is not loaded yet opens as soon as it is.
    if (to !== undefined) options.onNavigate(to)
  }

  /** The photo returns to its tile, or fades out where the finger left it, then the viewer closes. */
  async function closeFrom(from: string) {
    const element = track.current
    if (element !== null && !reducedMotion) {
      setClosing(element, 1)
      const toTile = moveToTile(element, options.photoInTile?.())
      const frames = [
        { transform: from, opacity: 1 },
        ...(toTile === undefined
          ? [{ transform: `${from} translateY(20%)`, opacity: 0 }]
          : [
              { opacity: 1, offset: 0.7 },
              { transform: `${toTile} ${from}`, opacity: 0 },
            ]),
      ]
      const { finished } = element.animate(frames, {
        duration: toTile === undefined ? DURATION.shortest : DURATION.toTile,
        easing: 'ease-out',
        fill: 'forwards',
      })
      // Cancelled when the viewer was closed otherwise.
      await finished.catch(() => undefined)
    }
    options.onClose()
  }

  return { onStart, onMove, onEnd }
}

/** Moves the photo from where it is on the screen over its tile; undefined if one of them is not on the screen. */
function moveToTile(track: HTMLElement, tile: Element | null | undefined): string | undefined {
  const [photo, to] = [track.querySelector('[data-shown]'), tile].map(it => it?.getBoundingClientRect())
  const stage = track.parentElement?.getBoundingClientRect()
  if (photo === undefined || to === undefined || stage === undefined || photo.width === 0) return undefined
  if (to.bottom <= 0 || to.top >= window.innerHeight) return undefined
  const scale = Math.max(to.width / photo.width, to.height / photo.height)
  // Transforms are around the middle of the track, which fills the stage.
  const by = (axis: 'x' | 'y', side: 'width' | 'height') => {
    const [middle, from, target] = [stage, photo, to].map(box => box[axis] + box[side] / 2) as [number, number, number]
    return target - middle - scale * (from - middle)
  }
  return `translate(${by('x', 'width')}px, ${by('y', 'height')}px) scale(${scale})`
}

/** Fades the background of the viewer and hides its controls; see viewer.css. */
function setClosing(element: HTMLElement, progress: number): void {
  const viewer = element.closest<HTMLElement>('.viewer')
  if (viewer === null) return
  viewer.style.setProperty('--closing', String(progress))
  viewer.toggleAttribute('data-closing', progress > 0)
}
