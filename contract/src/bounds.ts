import { z } from 'zod'
import { refusal } from './refusal.ts'

/** About a centimetre. */
const STEPS_PER_DEGREE = 1e7

/**
 * Finer values are noise, and the smallest numbers make Postgres fail: it reports an underflow where JavaScript and SQLite
 * compute zero. Without -0, which JSON does not have.
 */
function rounded(degrees: number): number {
  return Math.round(degrees * STEPS_PER_DEGREE) / STEPS_PER_DEGREE + 0
}

export const Latitude = z.number().min(-90).max(90).overwrite(rounded)
export const Longitude = z.number().min(-180).max(180).overwrite(rounded)

/** A part of the map, in degrees. It crosses the date line where `west` is greater than `east`. */
export interface Bounds {
  west: number
  south: number
  east: number
  north: number
}

const degrees = String.raw`-?\d{1,3}(?:\.\d{1,9})?`

/** A text, so that it is one parameter of a URL and one field of a stored filter. */
export const BoundsInText = z
  .string()
  .regex(new RegExp(`^${degrees},${degrees},${degrees},${degrees}$`), refusal('places.bounds'))
  .refine(text => isOnEarth(readBounds(text)), refusal('places.notOnMap'))
  .describe('West, south, east and north in degrees, with commas between them; west > east crosses the date line')

export function readBounds(text: string): Bounds {
  const [west = 0, south = 0, east = 0, north = 0] = text.split(',').map(Number)
  return { west, south, east, north }
}

/** Rounded outwards to about 0.1 m, so that a file on the edge stays inside. */
export function writeBounds({ west, south, east, north }: Bounds): string {
  const round = (how: (value: number) => number, value: number) => String(how(value * 1e6) / 1e6)
  return [
    round(Math.floor, Math.max(-180, west)),
    round(Math.floor, Math.max(-90, south)),
    round(Math.ceil, Math.min(180, east)),
    round(Math.ceil, Math.min(90, north)),
  ].join(',')
}

function isOnEarth({ west, south, east, north }: Bounds): boolean {
  const isLongitude = (value: number) => Math.abs(value) <= 180
  return isLongitude(west) && isLongitude(east) && south >= -90 && north <= 90 && south <= north
}
