import { crc32, deflateSync } from 'node:zlib'
import type { Colour } from './pictures.ts'

// Files with known sample values: written without any library that could convert colours.

type Triple = readonly [number, number, number]

interface RgbSpace {
  /** XYZ of red, green and blue, as stored in an ICC profile (D50). */
  readonly primaries: readonly [Triple, Triple, Triple]
  /** From linear light to the encoded value, both from 0 to 1. */
  encode(linear: number): number
}

function srgbCurve(linear: number): number {
  return linear <= 0.0031308 ? linear * 12.92 : 1.055 * linear ** (1 / 2.4) - 0.055
}

function gammaCurve(gamma: number): (linear: number) => number {
  return linear => linear ** (1 / gamma)
}

export const rgbSpaces = {
  sRGB: {
    primaries: [
      [0.43607, 0.22249, 0.01392],
      [0.38515, 0.71687, 0.09708],
      [0.14307, 0.06061, 0.7141],
    ],
    encode: srgbCurve,
  },
  'Display P3': {
    primaries: [
      [0.51512, 0.2412, -0.00105],
      [0.29198, 0.69225, 0.04189],
      [0.1571, 0.06657, 0.78407],
    ],
    encode: srgbCurve,
  },
  'Adobe RGB': {
    primaries: [
      [0.60974, 0.31111, 0.01947],
      [0.20528, 0.62567, 0.06087],
      [0.14919, 0.06322, 0.74457],
    ],
    encode: gammaCurve(563 / 256),
  },
  ProPhoto: {
    primaries: [
      [0.79767, 0.28804, 0],
      [0.13519, 0.71187, 0],
      [0.03134, 0.00009, 0.82491],
    ],
    encode: gammaCurve(1.8),
  },
} as const satisfies Record<string, RgbSpace>
export type RgbSpaceName = keyof typeof rgbSpaces

const D50: Triple = [0.9642, 1, 0.82491]

/** Linear light, from 0 to 1, of an sRGB value (0 to 255). */
export function linearLight(value: number): number {
  const share = value / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}

/** An sRGB colour (0 to 255) as XYZ under D50. */
export function toXyz(colour: Colour): Triple {
  const linear = colour.map(linearLight)
  const { primaries } = rgbSpaces.sRGB
  const sum = (axis: 0 | 1 | 2) =>
    primaries.reduce((total, primary, index) => total + primary[axis] * (linear[index] ?? 0), 0)
  return [sum(0), sum(1), sum(2)]
}

/** An sRGB colour in another RGB space, from 0 to 1. */
export function inSpace(name: RgbSpaceName, colour: Colour): number[] {
  const { primaries, encode } = rgbSpaces[name]
  return solve(primaries, toXyz(colour)).map(linear => encode(Math.min(1, Math.max(0, linear))))
}

/** An sRGB colour as CIELAB under D50: L from 0 to 100, a and b around 0. */
export function toLab(colour: Colour): Triple {
  const f = (t: number) => (t > 216 / 24389 ? Math.cbrt(t) : (t * 24389) / 27 / 116 + 16 / 116)
  const [x, y, z] = toXyz(colour).map((value, axis) => f(value / (D50[axis] ?? 1))) as [number, number, number]
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)]
}

/** Cramer's rule. */
function solve([r, g, b]: RgbSpace['primaries'], target: Triple): number[] {
  const determinant = (p: Triple, q: Triple, s: Triple) =>
    p[0] * (q[1] * s[2] - q[2] * s[1]) - q[0] * (p[1] * s[2] - p[2] * s[1]) + s[0] * (p[1] * q[2] - p[2] * q[1])
  const whole = determinant(r, g, b)
  return [determinant(target, g, b) / whole, determinant(r, target, b) / whole, determinant(r, g, target) / whole]
}

/** An ICC profile of version 2, as cameras, scanners and editors embed it. */
export function rgbProfile(name: RgbSpaceName): Buffer {
  const { primaries, encode } = rgbSpaces[name]
  const curve = curveTag(encode)
  return profile('RGB ', name, [
    ['rXYZ', xyzTag(primaries[0])],
    ['gXYZ', xyzTag(primaries[1])],
    ['bXYZ', xyzTag(primaries[2])],
    ['rTRC', curve],
    ['gTRC', curve],
    ['bTRC', curve],
  ])
}

export function greyProfile(gamma: number): Buffer {
  return profile('GRAY', `Grey gamma ${gamma}`, [['kTRC', curveTag(gammaCurve(gamma))]])
}

function profile(space: string, name: string, tags: [string, Buffer][]): Buffer {
  const all: [string, Buffer][] = [['desc', textTag(name)], ['wtpt', xyzTag(D50)], ...tags]
  const header = Buffer.alloc(128)
  header.writeUInt32BE(0x02400000, 8)
  header.write(`mntr${space}XYZ `, 12)
  header.write('acsp', 36)
  for (const [axis, value] of D50.entries()) header.writeInt32BE(Math.round(value * 65_536), 68 + axis * 4)
  const table = Buffer.alloc(4 + all.length * 12)
  table.writeUInt32BE(all.length)
  let at = header.length + table.length
  for (const [index, [tag, content]] of all.entries()) {
    table.write(tag, 4 + index * 12)
    table.writeUInt32BE(at, 8 + index * 12)
    table.writeUInt32BE(content.length, 12 + index * 12)
    at += content.length
  }
  header.writeUInt32BE(at)
  return Buffer.concat([header, table, ...all.map(([, content]) => content)])
}

function xyzTag(values: Triple): Buffer {
  const tag = Buffer.alloc(20)
  tag.write('XYZ ')
  for (const [axis, value] of values.entries()) tag.writeInt32BE(Math.round(value * 65_536), 8 + axis * 4)
  return tag
}

const CURVE_POINTS = 1_024

/** The inverse curve, from the encoded value to linear light, as sampled points. */
function curveTag(encode: (linear: number) => number): Buffer {
  const tag = Buffer.alloc(12 + CURVE_POINTS * 2)
  tag.write('curv')
  tag.writeUInt32BE(CURVE_POINTS, 8)
  for (let point = 0; point < CURVE_POINTS; point++) {
    const wanted = point / (CURVE_POINTS - 1)
    let [low, high] = [0, 1]
    for (let step = 0; step < 40; step++) {
      const middle = (low + high) / 2
      if (encode(middle) < wanted) low = middle
      else high = middle
    }
    tag.writeUInt16BE(Math.round(low * 65_535), 12 + point * 2)
  }
  return tag
}

function textTag(text: string): Buffer {
  const tag = Buffer.alloc(12 + text.length + 1 + 78 + 1)
  tag.write('desc')
  tag.writeUInt32BE(text.length + 1, 8)
  tag.write(text, 12)
  return tag
}

export interface Samples {
  readonly width: number
  readonly height: number
  readonly channels: number
  readonly bits: 8 | 16
  /** Samples of a pixel, each from 0 to 1. */
  at(x: number, y: number): readonly number[]
}

function rows({ width, height, channels, bits, at }: Samples, bigEndian: boolean): Buffer[] {
  return Array.from({ length: height }, (_, y) => {
    const row = Buffer.alloc((width * channels * bits) / 8)
    for (let x = 0; x < width; x++) {
      for (const [channel, value] of at(x, y).entries()) {
        const index = x * channels + channel
        if (bits === 8) row[index] = Math.round(value * 255)
        else if (bigEndian) row.writeUInt16BE(Math.round(value * 65_535), index * 2)
        else row.writeUInt16LE(Math.round(value * 65_535), index * 2)
      }
    }
    return row
  })
}

/** A PNG with these samples; `chunks` such as cICP are written before the pixels. */
export function makePng(
  samples: Samples,
  { icc, chunks = [] }: { icc?: Buffer; chunks?: [string, Buffer][] } = {},
): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(samples.width)
  header.writeUInt32BE(samples.height, 4)
  header[8] = samples.bits
  header[9] = [0, 0, 4, 2, 6][samples.channels] ?? 2
  const lines = rows(samples, true).map(row => Buffer.concat([Buffer.of(0), row]))
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', header),
    ...(icc ? [pngChunk('iCCP', Buffer.concat([Buffer.from('profile\0\0'), deflateSync(icc)]))] : []),
    ...chunks.map(([type, content]) => pngChunk(type, content)),
    pngChunk('IDAT', deflateSync(Buffer.concat(lines))),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

function pngChunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), content])
  const chunk = Buffer.alloc(named.length + 8)
  chunk.writeUInt32BE(content.length)
  named.copy(chunk, 4)
  chunk.writeUInt32BE(crc32(named), named.length + 4)
  return chunk
}

export const photometric = { grey: 1, rgb: 2, cmyk: 5, lab: 8 } as const

const TILE = 16

/** An RGB TIFF whose colours are stored one after the other, each in tiles of 16 × 16 pixels. */
export function makeTiffOfPlanes(samples: Samples): Buffer {
  const { width, height, channels, bits, at } = samples
  const tiles: Buffer[] = []
  for (let channel = 0; channel < channels; channel++) {
    for (let top = 0; top < height; top += TILE) {
      for (let left = 0; left < width; left += TILE) {
        const plane = (x: number, y: number) => [at(left + x, top + y)[channel] ?? 0]
        tiles.push(...rows({ width: TILE, height: TILE, channels: 1, bits, at: plane }, false))
      }
    }
  }
  const pixels = Buffer.concat(tiles)
  const count = (width / TILE) * (height / TILE) * channels
  const tileBytes = (TILE * TILE * bits) / 8
  const [SHORT, LONG] = [3, 4]
  const FIELDS = 11
  const bitsAt = 8 + 2 + FIELDS * 12 + 4
  const [offsetsAt, lengthsAt] = [bitsAt + channels * 2, bitsAt + channels * 2 + count * 4]
  const pixelsAt = lengthsAt + count * 4
  const fields: [tag: number, type: number, count: number, value: number][] = [
    [0x0100, LONG, 1, width],
    [0x0101, LONG, 1, height],
    [0x0102, SHORT, channels, bitsAt],
    [0x0103, SHORT, 1, 1],
    [0x0106, SHORT, 1, photometric.rgb],
    [0x0115, SHORT, 1, channels],
    [0x011c, SHORT, 1, 2],
    [0x0142, LONG, 1, TILE],
    [0x0143, LONG, 1, TILE],
    [0x0144, LONG, count, offsetsAt],
    [0x0145, LONG, count, lengthsAt],
  ]
  const file = Buffer.alloc(pixelsAt + pixels.length)
  writeDirectory(file, fields)
  for (let channel = 0; channel < channels; channel++) file.writeUInt16LE(bits, bitsAt + channel * 2)
  for (let tile = 0; tile < count; tile++) {
    file.writeUInt32LE(pixelsAt + tile * tileBytes, offsetsAt + tile * 4)
    file.writeUInt32LE(tileBytes, lengthsAt + tile * 4)
  }
  pixels.copy(file, pixelsAt)
  return file
}

/** Several TIFF files of one page each as the pages of one file. */
export function joinTiffPages(pages: readonly Buffer[]): Buffer {
  const file = Buffer.concat(pages)
  let [start, next] = [0, 4]
  for (const page of pages) {
    const directory = start + page.readUInt32LE(4)
    file.writeUInt32LE(directory, next)
    const count = file.readUInt16LE(directory)
    for (let at = directory + 2; at < directory + 2 + count * 12; at += 12) {
      const isOffset = file.readUInt16LE(at) === 0x0111 || file.readUInt16LE(at + 2) * file.readUInt32LE(at + 4) > 4
      if (isOffset) file.writeUInt32LE(file.readUInt32LE(at + 8) + start, at + 8)
    }
    next = directory + 2 + count * 12
    start += page.length
  }
  return file
}

/** An uncompressed TIFF with these samples. */
export function makeTiff(samples: Samples, kind: keyof typeof photometric, icc?: Buffer): Buffer {
  const { width, height, channels, bits } = samples
  const pixels = Buffer.concat(rows(samples, false))
  const bitsPerSample = Buffer.alloc(channels * 2)
  for (let channel = 0; channel < channels; channel++) bitsPerSample.writeUInt16LE(bits, channel * 2)
  const count = icc ? 10 : 9
  const bitsAt = 8 + 2 + count * 12 + 4
  const iccAt = bitsAt + bitsPerSample.length
  const pixelsAt = iccAt + (icc ? icc.length + (icc.length % 2) : 0)
  const [SHORT, LONG, UNDEFINED] = [3, 4, 7]
  const fields: [tag: number, type: number, count: number, value: number][] = [
    [0x0100, LONG, 1, width],
    [0x0101, LONG, 1, height],
    [0x0102, SHORT, channels, channels === 1 ? bits : bitsAt],
    [0x0103, SHORT, 1, 1],
    [0x0106, SHORT, 1, photometric[kind]],
    [0x0111, LONG, 1, pixelsAt],
    [0x0115, SHORT, 1, channels],
    [0x0116, LONG, 1, height],
    [0x0117, LONG, 1, pixels.length],
    ...(icc ? [[0x8773, UNDEFINED, icc.length, iccAt] as [number, number, number, number]] : []),
  ]
  const file = Buffer.alloc(pixelsAt + pixels.length)
  writeDirectory(file, fields)
  bitsPerSample.copy(file, bitsAt)
  icc?.copy(file, iccAt)
  pixels.copy(file, pixelsAt)
  return file
}

function writeDirectory(file: Buffer, fields: [tag: number, type: number, count: number, value: number][]): void {
  file.write('II')
  file.writeUInt16LE(42, 2)
  file.writeUInt32LE(8, 4)
  file.writeUInt16LE(fields.length, 8)
  for (const [index, [tag, type, values, value]] of fields.entries()) {
    const at = 10 + index * 12
    file.writeUInt16LE(tag, at)
    file.writeUInt16LE(type, at + 2)
    file.writeUInt32LE(values, at + 4)
    file.writeUInt32LE(value, at + 8)
  }
}
