import { numberFormat } from '../kit/format.ts'
import { texts } from './texts.ts'

/** The duration of a video as players show it: 0:07, 12:30, 1:02:03. */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds))
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  const padded = (part: number) => String(part).padStart(2, '0')
  return hours > 0 ? `${hours}:${padded(minutes)}:${padded(rest)}` : `${minutes}:${padded(rest)}`
}

/** As in "48.8584° N, 2.2945° E". */
export function formatCoordinates(latitude: number, longitude: number): string {
  const { north, south, east, west } = texts.directions
  return `${formatDegrees(latitude, north, south)}, ${formatDegrees(longitude, east, west)}`
}

type Direction = (values: { degrees: string }) => string

function formatDegrees(value: number, positive: Direction, negative: Direction): string {
  const degrees = numberFormat(undefined, fourDecimals).format(Math.abs(value))
  return value < 0 ? negative({ degrees }) : positive({ degrees })
}

const fourDecimals = { minimumFractionDigits: 4, maximumFractionDigits: 4 }
