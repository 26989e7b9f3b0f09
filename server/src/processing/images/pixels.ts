import sharp, { type Sharp } from 'sharp'
import { rgbaToThumbHash } from 'thumbhash'
import { ProcessingError } from '../errors.ts'

/** Interleaved 8-bit RGB or RGBA, row by row. */
export interface Pixels {
  readonly data: Buffer
  readonly width: number
  readonly height: number
  readonly channels: 3 | 4
}

export interface Size {
  readonly width: number
  readonly height: number
}

/** 268 megapixels: more than phones and panoramas have. Larger files are usually decompression bombs. */
export const MAX_PIXELS = 0x3fff * 0x3fff

/** For baseline JPEG, which is decoded row by row and scaled while reading, so that it is never in memory as a whole. */
export const MAX_PIXELS_BY_ROW = 1_000_000_000

export function refuseIfTooLarge({ width, height }: Size, mostPixels = MAX_PIXELS): void {
  if (width * height <= mostPixels) return
  throw tooLarge(`${Math.round((width * height) / 1_000_000).toLocaleString('en')} megapixels`)
}

export function tooLarge(howLarge: string): ProcessingError {
  return new ProcessingError('too_large', `This photo is too large to show (${howLarge}); the original is safe.`)
}

export async function toPixels(image: Sharp): Promise<Pixels> {
  const { data, info } = await image.toColourspace('srgb').raw().toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  if (channels !== 3 && channels !== 4) throw new Error(`Expected three or four channels, not ${channels}`)
  return { data, width, height, channels }
}

export function fromPixels({ data, ...raw }: Pixels): Sharp {
  return sharp(data, { raw })
}

export async function resize(pixels: Pixels, { width, height }: Size): Promise<Pixels> {
  if (pixels.width === width && pixels.height === height) return pixels
  return toPixels(fromPixels(pixels).resize(width, height, { fit: 'fill' }))
}

/** The largest size with the same aspect ratio within a square, never enlarged. */
export function fitInside({ width, height }: Size, bound: number): Size {
  const scale = Math.min(1, bound / Math.max(width, height))
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

/** Makes a picture with this EXIF orientation upright. Sharp mirrors before it rotates. */
export function applyOrientation(image: Sharp, orientation: number): Sharp {
  switch (orientation) {
    case 2:
      return image.flop()
    case 3:
      return image.rotate(180)
    case 4:
      return image.flip()
    case 5:
      return image.flip().rotate(90)
    case 6:
      return image.rotate(90)
    case 7:
      return image.flop().rotate(90)
    case 8:
      return image.rotate(270)
    default:
      return image
  }
}

/** Each turns the previous one by 90 degrees clockwise. */
const quarterTurns = [
  [1, 6, 3, 8],
  [2, 7, 4, 5],
]

/** The EXIF orientation of a picture that is made upright and then rotated clockwise, by a multiple of 90 degrees. */
export function rotateOrientation(orientation: number, degrees: number): number {
  const turns = quarterTurns.find(series => series.includes(orientation)) ?? []
  return turns[(turns.indexOf(orientation) + degrees / 90) % 4] ?? orientation
}

/** The size after {@link applyOrientation}. */
export function orientedSize({ width, height }: Size, orientation: number): Size {
  return orientation >= 5 ? { width: height, height: width } : { width, height }
}

/** Values for pixels that could not be decoded: grey in JPEG, black in other formats. */
const fillValues = [128, 0]
const SAMPLES = 20_000

/** Whether almost nothing of a damaged picture could be decoded. */
export function isNearlyEmpty({ data, width, height, channels }: Pixels): boolean {
  const step = Math.max(1, Math.floor((width * height) / SAMPLES)) * channels
  let seen = 0
  const filled = fillValues.map(() => 0)
  for (let at = 0; at < data.length; at += step) {
    seen++
    const index = fillValues.findIndex(value => data[at] === value && data[at + 1] === value && data[at + 2] === value)
    if (index !== -1) filled[index] = (filled[index] ?? 0) + 1
  }
  return Math.max(...filled) > seen * 0.95
}

/** More pixels would not change the hash. */
export const THUMBHASH_SIDE = 32

/** A blurred preview of a few bytes, in base64, shown until the picture is loaded. */
export async function makeThumbhash(pixels: Pixels): Promise<string> {
  const { width, height } = fitInside(pixels, THUMBHASH_SIDE)
  const rgba = await fromPixels(pixels).resize(width, height, { fit: 'fill' }).ensureAlpha().raw().toBuffer()
  return Buffer.from(rgbaToThumbHash(width, height, rgba)).toString('base64')
}
