import { numberFormat } from '../kit/format.ts'
import { texts } from './texts.ts'
import { project, type Size, unproject, type View, worldWidth } from './view.ts'

/** A meridian or parallel: its position on the map in pixels, and its degrees. */
export interface GridLine {
  at: number
  degrees: number
}

const STEPS = [30, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01] as const
/** The least distance between two lines, in pixels. */
const CLOSEST = 110

/**
 * The meridians and parallels in sight, at least one of each: far from coasts, borders and towns nothing else shows that
 * the map moves and where it is.
 */
export function gridLines(
  view: View,
  { width, height }: Size,
  closest = CLOSEST,
): { meridians: GridLine[]; parallels: GridLine[] } {
  const world = worldWidth(view.zoom)
  // Towards the poles the projection stretches, and parallels are further apart.
  const stretched = world / Math.cos((unproject(view.x, view.y).latitude * Math.PI) / 180)
  const [left, right] = [view.x - width / 2 / world, view.x + width / 2 / world]
  const [top, bottom] = [view.y - height / 2 / world, view.y + height / 2 / world]
  const meridians = multiples(left * 360 - 180, right * 360 - 180, stepOf(world, closest)).map(degrees => ({
    at: (project(0, degrees).x - left) * world,
    degrees: ((((degrees + 180) % 360) + 360) % 360) - 180,
  }))
  const parallels = multiples(
    unproject(0, bottom).latitude,
    unproject(0, top).latitude,
    stepOf(stretched, closest),
  ).map(degrees => ({
    at: (project(degrees, 0).y - top) * world,
    degrees,
  }))
  return { meridians, parallels }
}

function stepOf(world: number, closest: number): number {
  return STEPS.findLast(step => (step / 360) * world >= closest) ?? STEPS[0]
}

function multiples(from: number, to: number, step: number): number[] {
  const [first, last] = [Math.ceil(from / step), Math.floor(to / step)]
  // Rounded, because 3 * 0.1 is not 0.3.
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => Number(((first + i) * step).toFixed(2)))
}

/** As in "31.25° N". */
export function degreesText(degrees: number, axis: 'latitude' | 'longitude'): string {
  if (degrees === 0) return '0°'
  const { north, south, east, west } = texts.degrees
  const [positive, negative] = axis === 'latitude' ? [north, south] : [east, west]
  return degrees > 0 ? positive({ degrees }) : negative({ degrees: -degrees })
}

const EQUATOR_METRES = 40_075_017
/** The scale is at most this long, in pixels. */
const LONGEST = 110

/** A round distance and its length on the map, in the middle of what is shown. */
export function scaleOf(view: View): { pixels: number; text: string } {
  const { latitude } = unproject(view.x, view.y)
  const metresPerPixel = (EQUATOR_METRES * Math.cos((latitude * Math.PI) / 180)) / worldWidth(view.zoom)
  const most = metresPerPixel * LONGEST
  const power = 10 ** Math.floor(Math.log10(most))
  const metres = power * ([5, 2, 1].find(digit => digit * power <= most) ?? 1)
  const [value, unit] = metres >= 1_000 ? [metres / 1_000, 'kilometer'] : [metres, 'meter']
  return { pixels: metres / metresPerPixel, text: numberFormat(undefined, { style: 'unit', unit }).format(value) }
}
