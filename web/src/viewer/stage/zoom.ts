import { rotationStep, zoom } from '#contract/limits.ts'

export interface Size {
  width: number
  height: number
}

/** In CSS pixels from the middle of the stage. */
export interface Point {
  x: number
  y: number
}

/** How the picture is looked at. */
export interface Look {
  scale: number
  /** How far its middle is from the middle of the stage. */
  x: number
  y: number
  /** Degrees. Grows past 360, so that a fourth turn goes on in the same direction. */
  turn: number
}

export const atRest: Look = { scale: 1, x: 0, y: 0, turn: 0 }

/** Small pictures are shown larger than they are, but not so large that they are only blurred. */
const LARGEST_BLOW_UP = 2

/** How large the picture is at 1×, before it is turned: as large as the stage takes it. */
export function fitted(picture: Size, stage: Size, turn: number): Size {
  const { width, height } = upright(picture, turn)
  if (width <= 0 || height <= 0 || stage.width <= 0 || stage.height <= 0) return { width: 0, height: 0 }
  const factor = Math.min(stage.width / width, stage.height / height, LARGEST_BLOW_UP)
  return { width: picture.width * factor, height: picture.height * factor }
}

/** What a turned picture takes up. */
function upright({ width, height }: Size, turn: number): Size {
  return isOnItsSide(turn) ? { width: height, height: width } : { width, height }
}

function isOnItsSide(turn: number): boolean {
  return Math.abs(turn / rotationStep) % 2 === 1
}

function clampScale(scale: number): number {
  return Math.min(zoom.largest, Math.max(zoom.smallest, scale))
}

/** The next of the fixed steps, up or down, from wherever a wheel or two fingers have left it. */
export function nextStep(scale: number, direction: 1 | -1): number {
  const steps = scale / zoom.step
  // What a wheel leaves a hair's breadth beside a step counts as that step.
  const from = Math.abs(steps - Math.round(steps)) < 0.01 ? Math.round(steps) : steps
  const to = direction === 1 ? Math.floor(from) + 1 : Math.ceil(from) - 1
  return clampScale(to * zoom.step)
}

/** Another scale, with what is under `around` staying where it is. */
export function zoomed(look: Look, scale: number, around: Point): Look {
  const to = clampScale(scale)
  const factor = to / look.scale
  return {
    ...look,
    scale: to,
    x: around.x - (around.x - look.x) * factor,
    y: around.y - (around.y - look.y) * factor,
  }
}

export function panned(look: Look, by: Point): Look {
  return { ...look, x: look.x + by.x, y: look.y + by.y }
}

/** A turn about the middle of the stage, so that what was looked at stays in sight. */
export function turned(look: Look): Look {
  return { ...look, x: -look.y, y: look.x, turn: look.turn + rotationStep }
}

/** How far a picture of this size may be moved each way: as far as there is more of it than the stage shows. */
function reach(look: Look, box: Size, stage: Size): Point {
  const { width, height } = upright(box, look.turn)
  return {
    x: Math.max(0, (width * look.scale - stage.width) / 2),
    y: Math.max(0, (height * look.scale - stage.height) / 2),
  }
}

/** The same, but never with the picture's edge inside the stage where it could fill it. */
export function within(look: Look, box: Size, stage: Size): Look {
  const most = reach(look, box, stage)
  const [x, y] = [clampTo(look.x, most.x), clampTo(look.y, most.y)]
  return x === look.x && y === look.y ? look : { ...look, x, y }
}

/** A fitted picture can overflow the stage by a rounding error. */
const ROUNDING_ERROR = 0.5

export function canPan(look: Look, box: Size, stage: Size): boolean {
  const { x, y } = reach(look, box, stage)
  return x > ROUNDING_ERROR || y > ROUNDING_ERROR
}

function clampTo(value: number, most: number): number {
  return Math.min(most, Math.max(-most, value))
}

/** How a wheel zooms: a notch of a mouse by about a fifth, a trackpad's pinch as the fingers do. */
export function wheelFactor(event: { deltaY: number; deltaMode: number; ctrlKey: boolean }): number {
  const pixels = event.deltaY * (event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1)
  return Math.exp(-Math.min(300, Math.max(-300, pixels)) * (event.ctrlKey ? 0.01 : 0.002))
}
