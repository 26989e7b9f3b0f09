import type { HdrColours } from '#contract/hdr-still.ts'
import { createEncoder } from './colour.ts'

// The same steps and numbers as the filters for HDR videos (video/filters.ts): a photo and a video of one evening look alike.

/** White paper in cd/m²; what is as bright becomes 1. */
const WHITE = 203
/** Up to here the curve leaves light as it is; from `PEAK` on it is white. Both are ffmpeg's for files that name no other. */
const LINEAR_UP_TO = 0.3
const PEAK = 10
/** What ffmpeg encodes with, for a display by BT.1886. */
const GAMMA = 2.4

type Matrix = readonly [readonly number[], readonly number[], readonly number[]]

/** From linear light in these primaries to linear light in BT.709. */
const toBt709: Record<HdrColours['primaries'], Matrix | undefined> = {
  bt709: undefined,
  p3: [
    [1.2249402, -0.2249402, 0],
    [-0.0420569, 1.0420569, 0],
    [-0.0196376, -0.0786361, 1.0982736],
  ],
  bt2020: [
    [1.660491, -0.5876411, -0.0728499],
    [-0.1245505, 1.1328999, -0.0083494],
    [-0.0181508, -0.1005789, 1.1187297],
  ],
}

/** Samples of 16 bits in, of 8 bits out, both red, green, blue and perhaps alpha, which stays. */
export function toneMap(samples: Uint16Array, channels: 3 | 4, { transfer, primaries }: HdrColours, out: Buffer): void {
  const decode = tableOf(transfer)
  const matrix = toBt709[primaries]
  for (let at = 0; at < samples.length; at += channels) {
    let red = decode[samples[at] as number] as number
    let green = decode[samples[at + 1] as number] as number
    let blue = decode[samples[at + 2] as number] as number
    if (matrix) {
      const [r, g, b] = [red, green, blue]
      const [m0, m1, m2] = matrix
      red = (m0[0] as number) * r + (m0[1] as number) * g + (m0[2] as number) * b
      green = (m1[0] as number) * r + (m1[1] as number) * g + (m1[2] as number) * b
      blue = (m2[0] as number) * r + (m2[1] as number) * g + (m2[2] as number) * b
    }
    // By the brightest of the three, so that a colour is dimmed and does not change.
    const brightest = Math.max(red, green, blue, 1e-6)
    const scale = brightest <= LINEAR_UP_TO ? 1 : mobius(brightest) / brightest
    out[at] = encode(red * scale)
    out[at + 1] = encode(green * scale)
    out[at + 2] = encode(blue * scale)
    if (channels === 4) out[at + 3] = (samples[at + 3] as number) >> 8
  }
}

const STEPS = 65_536

const curves: Record<HdrColours['transfer'], (value: number) => number> = { pq, hlg }
const tables = new Map<HdrColours['transfer'], Float64Array>()

/** A table takes longer to calculate than a row of a picture, and a picture is mapped row by row: each is kept. */
function tableOf(transfer: HdrColours['transfer']): Float64Array {
  const table = tables.get(transfer) ?? tabulate(curves[transfer])
  tables.set(transfer, table)
  return table
}

function tabulate(curve: (value: number) => number): Float64Array {
  return Float64Array.from({ length: STEPS }, (_, step) => curve(step / (STEPS - 1)))
}

/** SMPTE ST 2084. */
function pq(value: number): number {
  const power = value ** (32 / 2_523)
  return (10_000 / WHITE) * (Math.max(0, power - 107 / 128) / (2_413 / 128 - (2_392 / 128) * power)) ** (8_192 / 1_305)
}

/** ARIB STD-B67, on a display of 1,000 cd/m². Each colour by itself, as ffmpeg does it. */
function hlg(value: number): number {
  const scene = value <= 0.5 ? (value * value) / 3 : (Math.exp((value - 0.55991073) / 0.17883277) + 0.28466892) / 12
  return (1_000 / WHITE) * scene ** 1.2
}

const A = (-LINEAR_UP_TO * LINEAR_UP_TO * (PEAK - 1)) / (LINEAR_UP_TO * LINEAR_UP_TO - 2 * LINEAR_UP_TO + PEAK)
const B = (LINEAR_UP_TO * LINEAR_UP_TO - 2 * LINEAR_UP_TO * PEAK + PEAK) / (PEAK - 1)
const FACTOR = (B * B + 2 * B * LINEAR_UP_TO + LINEAR_UP_TO * LINEAR_UP_TO) / (B - A)

function mobius(light: number): number {
  return (FACTOR * (light + A)) / (light + B)
}

const encode = createEncoder(linear => linear ** (1 / GAMMA))
