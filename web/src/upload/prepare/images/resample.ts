import { type VariantName, variants } from '#contract/limits.ts'
import scaleModule from './scale.wat'

export interface Size {
  readonly width: number
  readonly height: number
}

/** The size that fits into a variant's bounds with the same aspect ratio, never enlarged. */
export function sizeOfVariant({ width, height }: Size, name: VariantName): Size {
  const scale = Math.min(1, variants[name].maxSize / Math.max(width, height))
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

export function rowsOf({ data, width, height }: Pixels): PixelRows {
  const readRows = (first: number, count: number) => data.subarray(first * width, (first + count) * width)
  return { width, height, rowsAtOnce: height, readRows }
}

/**
 * Downscales with a Lanczos filter, as the server does. The browser's own scaling is softer: some of its thumbnails
 * reach an SSIM of only 0.92 with the server's.
 */
export function resample(source: PixelRows, target: Size, transparent: boolean): Pixels {
  if (source.width === target.width && source.height === target.height) return readWhole(source)
  if (!transparent) return scale(source, target)
  // Premultiplied alpha keeps the colour of transparent pixels from bleeding into visible ones.
  const { data } = scale(mapRows(source, multipliedByAlpha), target)
  return { ...target, data: data.map(dividedByAlpha) }
}

function readWhole({ width, height, rowsAtOnce, readRows }: PixelRows): Pixels {
  const data = new Int32Array(width * height)
  for (let first = 0; first < height; first += rowsAtOnce) {
    data.set(readRows(first, Math.min(rowsAtOnce, height - first)), first * width)
  }
  return { data, width, height }
}

function mapRows(source: PixelRows, change: (pixel: number) => number): PixelRows {
  return { ...source, readRows: (first, count) => source.readRows(first, count).map(change) }
}

function multipliedByAlpha(pixel: number): number {
  const alpha = pixel >>> 24
  const times = (channel: number) => Math.round(((channel & 255) * alpha) / 255)
  return times(pixel) | (times(pixel >> 8) << 8) | (times(pixel >> 16) << 16) | (alpha << 24)
}

function dividedByAlpha(pixel: number): number {
  const alpha = pixel >>> 24
  if (alpha === 0) return 0
  const parts = (channel: number) => Math.min(255, Math.round(((channel & 255) * 255) / alpha))
  return parts(pixel) | (parts(pixel >> 8) << 8) | (parts(pixel >> 16) << 16) | (alpha << 24)
}

/** One number per pixel in canvas order: red in the lowest eight bits, then green, blue and alpha. */
export interface Pixels extends Size {
  readonly data: Int32Array<ArrayBuffer>
}

/** An image that is read a few rows at a time, so that a large one is not in memory twice. */
export interface PixelRows extends Size {
  readonly rowsAtOnce: number
  readRows(first: number, count: number): Int32Array
}

/** The WebAssembly functions. Pointers are byte offsets in the memory. */
interface FilterExports {
  readonly memory: WebAssembly.Memory
  filterRows(source: number, stride: number, weights: number, taps: number, target: number, end: number): void
  filterAlongRow(row: number, starts: number, weights: number, taps: number, target: number, end: number): void
}

const filters = new WebAssembly.Instance(new WebAssembly.Module(scaleModule)).exports as unknown as FilterExports

/** For larger outputs a Lanczos filter with two lobes suffices: a third less time, and no visible difference. */
const LARGE_SIDE = 1_000

/** Rows copied at once. */
const STRIP = 64

/** Scales each channel separately. See `resample` for transparent images. */
function scale(source: PixelRows, { width, height }: Size): Pixels {
  const lobes = Math.max(width, height) > LARGE_SIDE ? 2 : 3
  const down = makeFilter(source.height, height, lobes)
  const across = perChannel(makeFilter(source.width, width, lobes))
  const strip = Math.min(STRIP, source.rowsAtOnce)
  const stride = source.width * PIXEL
  const capacity = down.taps + strip

  const layout = new MemoryLayout()
  const downWeights = layout.add(down.weights.byteLength)
  const acrossStarts = layout.add(across.starts.byteLength)
  const acrossWeights = layout.add(across.weights.byteLength)
  const rows = layout.add(capacity * stride)
  const squeezed = layout.add(stride)
  const finished = layout.add(width * PIXEL)
  const memory = layout.open()
  new Int16Array(memory, downWeights).set(down.weights)
  new Int32Array(memory, acrossStarts).set(across.starts)
  new Int16Array(memory, acrossWeights).set(across.weights)

  const data = new Int32Array(width * height)
  const bytes = new Uint8Array(memory)
  const finishedRow = new Int32Array(memory, finished, width)
  let [top, bottom] = [0, 0]
  for (let y = 0; y < height; y++) {
    const first = down.starts[y] ?? 0
    while (bottom < first + down.taps) {
      const count = Math.min(strip, source.height - bottom)
      if (bottom + count - top > capacity) {
        // Discards rows that are no longer needed.
        bytes.copyWithin(rows, rows + (first - top) * stride, rows + (bottom - top) * stride)
        top = first
      }
      new Int32Array(memory, rows + (bottom - top) * stride).set(source.readRows(bottom, count))
      bottom += count
    }
    const weights = downWeights + y * down.taps * down.weights.BYTES_PER_ELEMENT
    filters.filterRows(rows + (first - top) * stride, stride, weights, down.taps, squeezed, squeezed + stride)
    filters.filterAlongRow(squeezed, acrossStarts, acrossWeights, across.taps, finished, finished + width * PIXEL)
    data.set(finishedRow, y * width)
  }
  return { data, width, height }
}

const PIXEL = 4

/** Converts a filter for `filterAlongRow`: an even number of taps, a weight per channel, starts in bytes. */
function perChannel({ taps, starts, weights }: Filter): Filter {
  const evenTaps = taps + (taps % 2)
  const spread = new Int16Array(starts.length * evenTaps * PIXEL)
  for (let target = 0; target < starts.length; target++) {
    for (let tap = 0; tap < taps; tap++) {
      const at = (target * evenTaps + tap) * PIXEL
      spread.fill(weights[target * taps + tap] ?? 0, at, at + PIXEL)
    }
  }
  return { taps: evenTaps, starts: starts.map(start => start * PIXEL), weights: spread }
}

/** Allocates the WebAssembly memory for one image. It never shrinks; it holds only a few rows. */
class MemoryLayout {
  static readonly #page = 65_536
  /** The filters read and write 16 bytes at once, so they may touch as many after the end. */
  static readonly #atOnce = 16
  #bytes = 0

  /** Returns the offset of the reserved bytes. */
  add(bytes: number): number {
    const at = this.#bytes
    this.#bytes += Math.ceil(bytes / MemoryLayout.#atOnce + 1) * MemoryLayout.#atOnce
    return at
  }

  open(): ArrayBuffer {
    const missing = this.#bytes - filters.memory.buffer.byteLength
    if (missing > 0) filters.memory.grow(Math.ceil(missing / MemoryLayout.#page))
    return filters.memory.buffer
  }
}

/** For each target pixel of a line: the source pixels that contribute, and their weights. */
interface Filter {
  /** Source pixels per target pixel. */
  readonly taps: number
  /** Index of the first source pixel. */
  readonly starts: Int32Array
  /** Fixed-point weights, which sum to 1 << 14 for each target pixel. */
  readonly weights: Int16Array
}

const UNIT = 1 << 14

function makeFilter(from: number, to: number, lobes: number): Filter {
  const scale = Math.max(1, from / to)
  const taps = Math.min(from, Math.ceil(2 * lobes * scale))
  const starts = new Int32Array(to)
  const weights = new Int16Array(to * taps)
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

/** The rounding error is added to the largest weight, so that white stays white. */
function quantise(exact: Float64Array, weights: Int16Array): void {
  const unit = UNIT / exact.reduce((sum, weight) => sum + weight, 0)
  weights.set(exact.map(weight => Math.round(weight * unit)))
  const rest = UNIT - weights.reduce((sum, weight) => sum + weight, 0)
  const heaviest = weights.indexOf(Math.max(...weights))
  weights[heaviest] = (weights[heaviest] ?? 0) + rest
}
