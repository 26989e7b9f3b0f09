import { open, readFile } from 'node:fs/promises'
import sharp, { type Metadata, type Sharp, type SharpOptions } from 'sharp'
import type { HdrColours } from '#contract/hdr-still.ts'
import { createEncoder, toneMap } from './colour.ts'
import { MAX_PIXELS, refuseIfTooLarge, toPixels } from './pixels.ts'
import { allocateTiff, toTiff } from './tiff.ts'

/**
 * Converts pictures whose colours sharp would get wrong to a TIFF in memory; undefined for others. sharp returns 16-bit
 * pictures in Display P3 without a profile, ignores the profile of grey ones, and makes HDR pale.
 */
export async function toSrgbTiff(
  input: string | Buffer,
  { icc, space, hasAlpha }: Pick<Metadata, 'icc' | 'space' | 'hasAlpha'>,
  hdr: HdrColours | undefined,
  reading: SharpOptions,
): Promise<Buffer | undefined> {
  const open = (options?: SharpOptions) => sharp(input, { limitInputPixels: MAX_PIXELS, ...reading, ...options })
  if (hdr) return toneMapped(open({ ignoreIcc: true }), hdr)
  if (!icc) return undefined
  if (space === 'rgb16') return toTiff(await toPixels(open().withIccProfile('srgb')))
  if (space !== 'grey16') return undefined
  const readGrey = (image: Sharp) => image.toColourspace('b-w').raw().toBuffer({ resolveWithObject: true })
  const { data: grey, info } = await readGrey(open({ ignoreIcc: true }))
  const { width, height } = info
  if (!hasAlpha) return toTiff({ data: grey, width, height, channels: 1 }, icc)
  // sharp writes grey without its alpha channel.
  const { data: alpha } = await readGrey(open({ ignoreIcc: true }).extractChannel('alpha'))
  const data = Buffer.alloc(grey.length * 2)
  for (let at = 0; at < grey.length; at++) {
    data[at * 2] = grey[at] as number
    data[at * 2 + 1] = alpha[at] as number
  }
  return toTiff({ data, width, height, channels: 2 }, icc)
}

async function toneMapped(image: Sharp, hdr: HdrColours): Promise<Buffer> {
  const { data, info } = await image
    .toColourspace('rgb16')
    .raw({ depth: 'ushort' })
    .toBuffer({ resolveWithObject: true })
  const { width, height } = info
  const channels = info.channels as 3 | 4
  const tiff = allocateTiff({ width, height, channels })
  toneMap(new Uint16Array(data.buffer, data.byteOffset, data.length / 2), channels, hdr, tiff.pixels)
  return tiff.file
}

const PHOTOMETRIC = 0x0106
const RGB = 2
/** In CIELAB a and b are signed; in ICCLAB they have an offset. */
const [CIELAB, ICCLAB] = [8, 9]

/**
 * Converts a CIELAB TIFF of 8 or 16 bits, as written by editors, to sRGB; undefined for any other TIFF. sharp reads only
 * some of them, and assumes a white point of D65 instead of D50, which shifts the colours. Samples of other kinds, such
 * as floats, are written by libvips alone, and sharp reads them.
 */
export async function labTiffToSrgb(path: string, reading: SharpOptions): Promise<Buffer | undefined> {
  const field = await findTiffField(path, PHOTOMETRIC)
  if (field?.value !== CIELAB && field?.value !== ICCLAB) return undefined
  const file = await readFile(path)
  // Relabelled as RGB, so that sharp does not convert the samples.
  if (field.littleEndian) file.writeUInt16LE(RGB, field.at)
  else file.writeUInt16BE(RGB, field.at)
  const options = { limitInputPixels: MAX_PIXELS, ...reading, ignoreIcc: true }
  const metadata = await sharp(file, options).metadata()
  refuseIfTooLarge(metadata)
  if (metadata.depth !== 'uchar' && metadata.depth !== 'ushort') return undefined
  const { data, info } = await sharp(file, options)
    .toColourspace('rgb16')
    .raw({ depth: 'ushort' })
    .toBuffer({ resolveWithObject: true })
  const { width, height } = info
  const channels = info.channels as 3 | 4
  const tiff = allocateTiff({ width, height, channels, orientation: metadata.orientation })
  const samples = new Uint16Array(data.buffer, data.byteOffset, data.length / 2)
  labToSrgb(samples, channels, { eightBits: metadata.depth === 'uchar', signed: field.value === CIELAB }, tiff.pixels)
  return tiff.file
}

const PLANAR_CONFIGURATION = 0x011c
const SEPARATE_PLANES = 2
const TILE_WIDTH = 0x0142
const COMPRESSION = 0x0103
const YCBCR = 6
/** The old and the new kind. */
const JPEG_COMPRESSIONS = [6, 7]

/** Whether libvips reads a TIFF wrongly: with tiles for each colour, or in YCbCr without JPEG, which it takes for RGB. */
export async function isMisreadTiff(path: string): Promise<boolean> {
  const planes = await findTiffField(path, PLANAR_CONFIGURATION)
  if (planes?.value === SEPARATE_PLANES && (await findTiffField(path, TILE_WIDTH))) return true
  if ((await findTiffField(path, PHOTOMETRIC))?.value !== YCBCR) return false
  const compression = await findTiffField(path, COMPRESSION)
  return !JPEG_COMPRESSIONS.includes(compression?.value ?? 0)
}

/** A field of the first page with its value as a short number, and where that is stored. Not for BigTIFF. */
async function findTiffField(path: string, tag: number) {
  const file = await open(path)
  const read = async (at: number, bytes: number) => (await file.read(Buffer.alloc(bytes), 0, bytes, at)).buffer
  try {
    const header = await read(0, 8)
    const littleEndian = header[0] === 0x49
    const short = (from: Buffer, at: number) => (littleEndian ? from.readUInt16LE(at) : from.readUInt16BE(at))
    if (short(header, 2) !== 42) return undefined
    const directoryAt = littleEndian ? header.readUInt32LE(4) : header.readUInt32BE(4)
    const count = short(await read(directoryAt, 2), 0)
    const fields = await read(directoryAt + 2, count * 12)
    for (let at = 0; at < fields.length; at += 12) {
      if (short(fields, at) !== tag) continue
      return { at: directoryAt + 2 + at + 8, value: short(fields, at + 8), littleEndian }
    }
    return undefined
  } finally {
    await file.close()
  }
}

/** From XYZ under D50 to linear sRGB. */
const toLinear = [
  [3.1338561, -1.6168667, -0.4906146],
  [-0.9787684, 1.9161415, 0.033454],
  [0.0719453, -0.2289914, 1.4052427],
] as const
const WHITE = [0.96422, 1, 0.82521] as const

interface SampleFormat {
  readonly eightBits: boolean
  readonly signed: boolean
}

function labToSrgb(samples: Uint16Array, channels: 3 | 4, { eightBits, signed }: SampleFormat, out: Buffer): void {
  const mostLightness = eightBits ? 255 << 8 : 65_535
  // Of 8-bit samples that were widened to 16 only the upper byte is significant.
  const mask = eightBits ? 0xff00 : 0xffff
  const chroma = (value: number) => (signed ? ((value & mask) << 16) >> 16 : (value & mask) - 32_768) / 256
  for (let at = 0; at < samples.length; at += channels) {
    const fy = ((100 * ((samples[at] as number) & mask)) / mostLightness + 16) / 116
    const x = WHITE[0] * fromF(fy + chroma(samples[at + 1] as number) / 500)
    const y = WHITE[1] * fromF(fy)
    const z = WHITE[2] * fromF(fy - chroma(samples[at + 2] as number) / 200)
    for (const [part, [fromX, fromY, fromZ]] of toLinear.entries()) {
      out[at + part] = encode(fromX * x + fromY * y + fromZ * z)
    }
    if (channels === 4) out[at + 3] = (samples[at + 3] as number) >> 8
  }
}

function fromF(f: number): number {
  return f > 6 / 29 ? f * f * f : (f - 16 / 116) * (108 / 841)
}

const encode = createEncoder(linear => (linear <= 0.0031308 ? linear * 12.92 : 1.055 * linear ** (1 / 2.4) - 0.055))
