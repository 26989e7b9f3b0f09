import sharp, { type Exif } from 'sharp'
import { parseWallClock } from '#contract/metadata.ts'
import { randomFrom } from './random.ts'
import { lightFor, paintScene } from './scenes.ts'
import type { StoryFile } from './story.ts'

export type PaintedFormat = 'jpeg' | 'png' | 'webp'

/** Landscape, most often; upright; and now and then a wide one. */
const shapes = [
  { width: 1280, height: 853 },
  { width: 1280, height: 853 },
  { width: 1280, height: 960 },
  { width: 853, height: 1280 },
  { width: 960, height: 1280 },
  { width: 1600, height: 680 },
] as const

/** A picture that looks a little like a photo, with what a camera would have written into it. */
export async function paint(file: StoryFile, format: PaintedFormat): Promise<Buffer> {
  const random = randomFrom(file.number, 3)
  const { width, height } = random.pick(shapes)
  const shapesOfScene = paintScene[file.scene]({ width, height, random, light: lightFor(random) })
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${shapesOfScene}${VIGNETTE}</svg>`
  grain ??= makeGrain()
  const picture = sharp(Buffer.from(svg))
    .composite([{ input: await grain, tile: true, blend: 'soft-light' }])
    .removeAlpha()
  if (file.metadata) picture.withExif(exifOf(file))
  return picture.toFormat(format, { quality: 86 }).toBuffer()
}

let grain: Promise<Buffer> | undefined

/** A little noise, as every sensor adds it. */
function makeGrain(): Promise<Buffer> {
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 7 }
  return sharp({ create: { width: 400, height: 400, channels: 3, background: '#808080', noise } })
    .png()
    .toBuffer()
}

const VIGNETTE = `<radialGradient id="edge" r=".75"><stop offset=".55" stop-opacity="0"/><stop offset="1" stop-opacity=".35"/></radialGradient>
  <rect width="100%" height="100%" fill="url(#edge)"/>`

function exifOf({ metadata }: StoryFile): Exif {
  const { dateTimeOriginal, make, model, latitude, longitude, iso, fNumber, exposureTime, focalLength } = metadata ?? {}
  const clock = parseWallClock(dateTimeOriginal ?? '')
  const taken = clock?.local.replaceAll('-', ':').replace('T', ' ') ?? ''
  const offset = dateTimeOriginal?.slice(19)
  return {
    IFD0: { Make: make ?? '', Model: model ?? '', DateTime: taken },
    IFD2: {
      DateTimeOriginal: taken,
      ...(offset ? { OffsetTimeOriginal: offset } : {}),
      ISOSpeedRatings: String(iso),
      FNumber: fraction(fNumber),
      ExposureTime: `1/${Math.round(1 / (exposureTime ?? 1))}`,
      FocalLength: fraction(focalLength),
    },
    ...(latitude == null || longitude == null ? {} : { IFD3: position(latitude, longitude) }),
  }
}

function position(latitude: number, longitude: number): Record<string, string> {
  return {
    GPSLatitudeRef: latitude < 0 ? 'S' : 'N',
    GPSLatitude: inDegrees(latitude),
    GPSLongitudeRef: longitude < 0 ? 'W' : 'E',
    GPSLongitude: inDegrees(longitude),
  }
}

function inDegrees(value: number): string {
  const size = Math.abs(value)
  const minutes = (size % 1) * 60
  return `${Math.floor(size)}/1 ${Math.floor(minutes)}/1 ${Math.round((minutes % 1) * 6_000)}/100`
}

function fraction(value: number | null | undefined): string {
  return `${Math.round((value ?? 1) * 10)}/10`
}
