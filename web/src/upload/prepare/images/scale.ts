import { type Filter, makeFilter } from './lanczos.ts'
import scaleModule from './scale.wat'
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

/** Places are given in bytes of its memory. */
interface Loops {
  readonly memory: WebAssembly.Memory
  weighRows(source: number, stride: number, weights: number, taps: number, target: number, end: number): void
  weighAlongRow(row: number, starts: number, weights: number, taps: number, target: number, end: number): void
}

const loops = new WebAssembly.Instance(new WebAssembly.Module(scaleModule)).exports as unknown as Loops

/** Above this a filter of two lobes does: it takes two thirds of the time, and nobody can tell the pictures apart. */
const LARGE_SIDE = 1_000

/** How many rows are taken over at once. */
const STRIP = 64

/** Every channel by itself: see `resample` for pictures that one can see through. */
export function scale(source: PixelRows, { width, height }: Size): Pixels {
  const lobes = Math.max(width, height) > LARGE_SIDE ? 2 : 3
  const down = makeFilter(source.height, height, lobes)
  const across = perChannel(makeFilter(source.width, width, lobes))
  const strip = Math.min(STRIP, source.rowsAtOnce)
  const stride = source.width * PIXEL
  const capacity = down.taps + strip

  const space = new Space()
  const downWeights = space.add(down.weights.byteLength)
  const acrossStarts = space.add(across.starts.byteLength)
  const acrossWeights = space.add(across.weights.byteLength)
  const rows = space.add(capacity * stride)
  const squeezed = space.add(stride)
  const finished = space.add(width * PIXEL)
  const memory = space.open()
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
        // What no row needs any more makes room.
        bytes.copyWithin(rows, rows + (first - top) * stride, rows + (bottom - top) * stride)
        top = first
      }
      new Int32Array(memory, rows + (bottom - top) * stride).set(source.readRows(bottom, count))
      bottom += count
    }
    const weights = downWeights + y * down.taps * down.weights.BYTES_PER_ELEMENT
    loops.weighRows(rows + (first - top) * stride, stride, weights, down.taps, squeezed, squeezed + stride)
    loops.weighAlongRow(squeezed, acrossStarts, acrossWeights, across.taps, finished, finished + width * PIXEL)
    data.set(finishedRow, y * width)
  }
  return { data, width, height }
}

const PIXEL = 4

/** As `weighAlongRow` wants it: an even number of taps, a weight for each channel, and starts in bytes. */
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

/** The loops' memory, laid out anew for every picture and never less than it was: a few rows are all it holds. */
class Space {
  static readonly #page = 65_536
  /** The loops read and write as much at once, and so up to as much behind the end. */
  static readonly #atOnce = 16
  #bytes = 0

  /** Answers where the bytes will lie. */
  add(bytes: number): number {
    const at = this.#bytes
    this.#bytes += Math.ceil(bytes / Space.#atOnce + 1) * Space.#atOnce
    return at
  }

  open(): ArrayBuffer {
    const missing = this.#bytes - loops.memory.buffer.byteLength
    if (missing > 0) loops.memory.grow(Math.ceil(missing / Space.#page))
    return loops.memory.buffer
  }
}
