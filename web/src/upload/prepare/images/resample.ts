import type { Size } from './sizes.ts'

/** One number per pixel, as a canvas keeps them: red in the lowest eight bits, then green, blue and alpha. */
export interface Pixels extends Size {
  readonly data: Int32Array<ArrayBuffer>
}

/** A picture that is read a few rows at a time, so that a large one never lies in memory twice. */
export interface PixelRows extends Size {
  readonly rowsAtOnce: number
  readRows(first: number, count: number): Int32Array
}

export function rowsOf({ data, width, height }: Pixels): PixelRows {
  const readRows = (first: number, count: number) => data.subarray(first * width, (first + count) * width)
  return { width, height, rowsAtOnce: height, readRows }
}

/**
 * Scales down with Lanczos's filter, as the server does. The browser's own scaling is softer: of some photographs it
 * makes thumbnails whose likeness (SSIM) with the server's is no more than 0.92.
 */
export function resample(source: PixelRows, target: Size, transparent: boolean): Pixels {
  if (source.width === target.width && source.height === target.height) return readWhole(source)
  if (!transparent) return scale(source, target)
  // What shows through must not bleed into what is seen: each colour counts as much as it covers.
  const colours = scale(mapRows(source, multipliedByAlpha), target)
  const alphas = scale(mapRows(source, alphaAlone), target)
  return { ...target, data: colours.data.map((colour, at) => dividedByAlpha(colour, (alphas.data[at] ?? 0) & 255)) }
}

function readWhole({ width, height, rowsAtOnce, readRows }: PixelRows): Pixels {
  const data = new Int32Array(width * height)
  for (let first = 0; first < height; first += rowsAtOnce) {
    data.set(readRows(first, Math.min(rowsAtOnce, height - first)), first * width)
  }
  return { data, width, height }
}

function scale(source: PixelRows, { width, height }: Size): Pixels {
  const lobes = Math.max(width, height) > LARGE_SIDE ? 2 : 3
  const narrow = scaleAcross(source, width, lobes)
  const { taps, starts, weights } = makeFilter(source.height, height, lobes)
  const data = new Int32Array(width * height)
  for (let y = 0; y < height; y++) {
    const from = y * taps
    const top = (starts[y] ?? 0) * width
    for (let x = 0; x < width; x++) data[y * width + x] = weigh(narrow, top + x, width, weights, from, from + taps)
  }
  return { data, width, height }
}

function scaleAcross(source: PixelRows, width: number, lobes: number): Int32Array {
  const { taps, starts, weights } = makeFilter(source.width, width, lobes)
  const narrow = new Int32Array(width * source.height)
  let at = 0
  for (let first = 0; first < source.height; first += source.rowsAtOnce) {
    const rows = source.readRows(first, Math.min(source.rowsAtOnce, source.height - first))
    for (let start = 0; start < rows.length; start += source.width) {
      for (let x = 0; x < width; x++) {
        narrow[at++] = weigh(rows, start + (starts[x] ?? 0), 1, weights, x * taps, (x + 1) * taps)
      }
    }
  }
  return narrow
}

interface Filter {
  /** How many source pixels count for one of the target. */
  readonly taps: number
  /** The first of them, for each target pixel. */
  readonly starts: Int32Array
  readonly weights: Int32Array
}

/** Weights are whole numbers that add up to this: integers are what a browser multiplies fastest. */
const UNIT_BITS = 14
const HALF = 1 << (UNIT_BITS - 1)
const OPAQUE = 255 << 24

/** One pixel of the target, opaque. Nearly all the time goes into this loop, so it checks nothing. */
function weigh(pixels: Int32Array, first: number, step: number, weights: Int32Array, from: number, to: number): number {
  let at = first
  let red = HALF
  let green = HALF
  let blue = HALF
  for (let tap = from; tap < to; tap++) {
    const weight = weights[tap] as number
    const pixel = pixels[at] as number
    red = (red + Math.imul(weight, pixel & 255)) | 0
    green = (green + Math.imul(weight, (pixel >> 8) & 255)) | 0
    blue = (blue + Math.imul(weight, (pixel >> 16) & 255)) | 0
    at = (at + step) | 0
  }
  return toByte(red >> UNIT_BITS) | (toByte(green >> UNIT_BITS) << 8) | (toByte(blue >> UNIT_BITS) << 16) | OPAQUE
}

function toByte(value: number): number {
  return Math.max(0, Math.min(255, value))
}

/** Above this a filter of two lobes does: it takes two thirds of the time, and nobody can tell the pictures apart. */
const LARGE_SIDE = 1_000

function makeFilter(from: number, to: number, lobes: number): Filter {
  const scale = Math.max(1, from / to)
  const taps = Math.min(from, Math.ceil(2 * lobes * scale))
  const starts = new Int32Array(to)
  const weights = new Int32Array(to * taps)
  const exact = new Float64Array(taps)
  for (let target = 0; target < to; target++) {
    const centre = ((target + 0.5) * from) / to
    const start = Math.max(0, Math.min(from - taps, Math.round(centre - taps / 2)))
    starts[target] = start
    for (let tap = 0; tap < taps; tap++) exact[tap] = lanczos((start + tap + 0.5 - centre) / scale, lobes)
    quantise(exact, weights.subarray(target * taps, (target + 1) * taps))
  }
  return { taps, starts, weights }
}

function lanczos(x: number, lobes: number): number {
  if (x === 0) return 1
  if (Math.abs(x) >= lobes) return 0
  const angle = Math.PI * x
  return (lobes * Math.sin(angle) * Math.sin(angle / lobes)) / (angle * angle)
}

/** What rounding leaves over goes to the heaviest weight, or white would not stay white. */
function quantise(exact: Float64Array, weights: Int32Array): void {
  const unit = (1 << UNIT_BITS) / exact.reduce((sum, weight) => sum + weight, 0)
  weights.set(exact.map(weight => Math.round(weight * unit)))
  const rest = (1 << UNIT_BITS) - weights.reduce((sum, weight) => sum + weight, 0)
  const heaviest = weights.indexOf(Math.max(...weights))
  weights[heaviest] = (weights[heaviest] ?? 0) + rest
}

function mapRows(source: PixelRows, change: (pixel: number) => number): PixelRows {
  return { ...source, readRows: (first, count) => source.readRows(first, count).map(change) }
}

function multipliedByAlpha(pixel: number): number {
  const alpha = pixel >>> 24
  const times = (channel: number) => Math.round(((channel & 255) * alpha) / 255)
  return times(pixel) | (times(pixel >> 8) << 8) | (times(pixel >> 16) << 16)
}

function alphaAlone(pixel: number): number {
  return pixel >>> 24
}

function dividedByAlpha(pixel: number, alpha: number): number {
  if (alpha === 0) return 0
  const parts = (channel: number) => toByte(Math.round(((channel & 255) * 255) / alpha))
  return parts(pixel) | (parts(pixel >> 8) << 8) | (parts(pixel >> 16) << 16) | (alpha << 24)
}
