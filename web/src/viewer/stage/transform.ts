import { rotationStep, zoom } from '#contract/limits.ts'
import { isSideways, type Size } from '../../media/rotated.ts'
import type { Point } from '../../ui/gestures.ts'

/** Zoom, pan and rotation of the image. */
export interface Transform {
  scale: number
  /** Offset of its centre from the centre of the stage. */
  x: number
  y: number
  /** In degrees. Grows beyond 360, so that the animation always turns the same way. */
  rotation: number
}

export const identity: Transform = { scale: 1, x: 0, y: 0, rotation: 0 }

/** Small images are enlarged at most by this factor. */
const MAX_UPSCALE = 2

/** Size of the image at 1×, before rotation, fitted into the stage. */
export function fitSize(picture: Size, stage: Size, rotation: number): Size {
  const { width, height } = rotatedSize(picture, rotation)
  if (width <= 0 || height <= 0 || stage.width <= 0 || stage.height <= 0) return { width: 0, height: 0 }
  const factor = Math.min(stage.width / width, stage.height / height, MAX_UPSCALE)
  return { width: picture.width * factor, height: picture.height * factor }
}

function rotatedSize({ width, height }: Size, rotation: number): Size {
  return isSideways(rotation) ? { width: height, height: width } : { width, height }
}

function clampScale(scale: number): number {
  return Math.min(zoom.largest, Math.max(zoom.smallest, scale))
}

/** The next zoom step up or down from any scale. */
export function nextZoomStep(scale: number, direction: 1 | -1): number {
  const steps = scale / zoom.step
  // A scale close to a step counts as that step.
  const from = Math.abs(steps - Math.round(steps)) < 0.01 ? Math.round(steps) : steps
  const to = direction === 1 ? Math.floor(from) + 1 : Math.ceil(from) - 1
  return clampScale(to * zoom.step)
}

/** Zooms and keeps the point `around` in place. */
export function zoomAt(transform: Transform, scale: number, around: Point): Transform {
  const to = clampScale(scale)
  const factor = to / transform.scale
  return {
    ...transform,
    scale: to,
    x: around.x - (around.x - transform.x) * factor,
    y: around.y - (around.y - transform.y) * factor,
  }
}

export function panBy(transform: Transform, by: Point): Transform {
  return { ...transform, x: transform.x + by.x, y: transform.y + by.y }
}

/** Rotates around the centre of the stage. */
export function rotated(transform: Transform): Transform {
  return { ...transform, x: -transform.y, y: transform.x, rotation: transform.rotation + rotationStep }
}

/** How far the image may be moved each way: by the part that overflows the stage. */
function panLimits(transform: Transform, box: Size, stage: Size): Point {
  const { width, height } = rotatedSize(box, transform.rotation)
  return {
    x: Math.max(0, (width * transform.scale - stage.width) / 2),
    y: Math.max(0, (height * transform.scale - stage.height) / 2),
  }
}

/** Limits the pan so that no edge of the image moves inside the stage. */
export function clampToStage(transform: Transform, box: Size, stage: Size): Transform {
  const most = panLimits(transform, box, stage)
  const [x, y] = [clampTo(transform.x, most.x), clampTo(transform.y, most.y)]
  return x === transform.x && y === transform.y ? transform : { ...transform, x, y }
}

/** A fitted image can overflow the stage by a rounding error. */
const ROUNDING_ERROR = 0.5

export function canPan(transform: Transform, box: Size, stage: Size): boolean {
  const { x, y } = panLimits(transform, box, stage)
  return x > ROUNDING_ERROR || y > ROUNDING_ERROR
}

function clampTo(value: number, most: number): number {
  return Math.min(most, Math.max(-most, value))
}

/** A mouse wheel notch zooms by about a fifth, a trackpad pinch follows the fingers. */
export function wheelFactor(event: { deltaY: number; deltaMode: number; ctrlKey: boolean }): number {
  const pixels = event.deltaY * (event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1)
  return Math.exp(-Math.min(300, Math.max(-300, pixels)) * (event.ctrlKey ? 0.01 : 0.002))
}
