/** Which pixels of a line count for each pixel of a shorter one, and how much. */
export interface Filter {
  /** How many count for each. */
  readonly taps: number
  /** The first of them. */
  readonly starts: Int32Array
  /** Whole numbers that add up to 1 << 14 for each: integers are what a processor multiplies fastest. */
  readonly weights: Int16Array
}

const UNIT = 1 << 14

export function makeFilter(from: number, to: number, lobes: number): Filter {
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

/** What rounding leaves over goes to the heaviest weight, or white would not stay white. */
function quantise(exact: Float64Array, weights: Int16Array): void {
  const unit = UNIT / exact.reduce((sum, weight) => sum + weight, 0)
  weights.set(exact.map(weight => Math.round(weight * unit)))
  const rest = UNIT - weights.reduce((sum, weight) => sum + weight, 0)
  const heaviest = weights.indexOf(Math.max(...weights))
  weights[heaviest] = (weights[heaviest] ?? 0) + rest
}
