import type { HdrColours } from '#contract/hdr-still.ts'

/** Names of sRGB profiles, from which no conversion is needed. */
const srgbNames = /^(sRGB( IEC61966-2[.-]1)?( black scaled)?|sRGB built-in|c2|IEC 61966-2[.-]1 .*sRGB.*)$/i

/** A profile for RGB pixels that differs from sRGB, such as Display P3 or Adobe RGB. */
export function needsConversion(icc: Buffer): boolean {
  return describesRgb(icc) && !srgbNames.test(profileName(icc))
}

export function describesRgb(icc: Buffer): boolean {
  return icc.length > 132 && icc.toString('latin1', 16, 20) === 'RGB '
}

/** The description in an ICC profile, in either of its two encodings. */
function profileName(icc: Buffer): string {
  const tagCount = Math.min(icc.readUInt32BE(128), 100)
  for (let at = 132; at + 12 <= icc.length && at < 132 + tagCount * 12; at += 12) {
    if (icc.toString('latin1', at, at + 4) === 'desc') return textTag(icc, icc.readUInt32BE(at + 4))
  }
  return ''
}

function textTag(icc: Buffer, at: number): string {
  if (at + 28 > icc.length) return ''
  const type = icc.toString('latin1', at, at + 4)
  if (type === 'desc') {
    const length = icc.readUInt32BE(at + 8)
    return withoutPadding(icc.toString('latin1', at + 12, at + 12 + length))
  }
  if (type !== 'mluc') return ''
  const length = icc.readUInt32BE(at + 20)
  const start = at + icc.readUInt32BE(at + 24)
  const text = Buffer.from(icc.subarray(start, start + length - (length % 2)))
  return text.length % 2 === 0 ? withoutPadding(text.swap16().toString('utf16le')) : ''
}

function withoutPadding(text: string): string {
  return text.replace(/\0+$/, '').trim()
}

const STEPS = 65_536

/** Encodes linear light (0 to 1, clipped) as a byte, with a lookup table for speed. */
export function createEncoder(curve: (linear: number) => number): (linear: number) => number {
  const table = Uint8Array.from({ length: STEPS }, (_, step) => Math.round(255 * curve(step / (STEPS - 1))))
  return linear => {
    const step = linear <= 0 ? 0 : linear >= 1 ? STEPS - 1 : Math.round(linear * (STEPS - 1))
    return table[step] as number
  }
}

// Uses the same parameters as the filters for HDR videos (video/filters.ts), so that photos and videos look alike.

/** Reference white in cd/m², which becomes 1. */
const WHITE = 203
/** The curve is linear up to here and clips at `PEAK`. Both are ffmpeg's defaults. */
const LINEAR_UP_TO = 0.3
const PEAK = 10
/** As in ffmpeg, for a BT.1886 display. */
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

/** From 16-bit to 8-bit RGB or RGBA samples; alpha is unchanged. */
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
    // Scaled by the brightest channel, which preserves the hue.
    const brightest = Math.max(red, green, blue, 1e-6)
    const scale = brightest <= LINEAR_UP_TO ? 1 : mobius(brightest) / brightest
    out[at] = encode(red * scale)
    out[at + 1] = encode(green * scale)
    out[at + 2] = encode(blue * scale)
    if (channels === 4) out[at + 3] = (samples[at + 3] as number) >> 8
  }
}

const curves: Record<HdrColours['transfer'], (value: number) => number> = { pq, hlg }
const tables = new Map<HdrColours['transfer'], Float64Array>()

/** Cached, since pictures are mapped row by row and a table takes longer to compute than a row. */
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

/** ARIB STD-B67, on a display of 1,000 cd/m². Applied per channel, as in ffmpeg. */
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
