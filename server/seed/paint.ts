import sharp, { type Exif } from 'sharp'
import { parseWallClock } from '#contract/metadata.ts'
import { randomFrom } from './random.ts'
import { lightFor, paintScene } from './scenes.ts'
import type { StoryFile } from './story.ts'

export type PaintedFormat = 'jpeg' | 'png' | 'webp'

/** Mostly landscape; some portrait, few panoramas. */
const shapes = [
  { width: 1280, height: 853 },
  { width: 1280, height: 853 },
  { width: 1280, height: 960 },
  { width: 853, height: 1280 },
  { width: 960, height: 1280 },
  { width: 1600, height: 680 },
] as const

/** A generated picture that resembles a photo, with camera metadata. */
export async function paint(file: StoryFile, format: PaintedFormat): Promise<Buffer> {
  const random = randomFrom(file.number, 3)
  const { width, height } = random.pick(shapes)
  const shapesOfScene = paintScene[file.scene]({ width, height, random, light: lightFor(random) })
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${half(width)}" height="${half(height)}" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none">${shapesOfScene}${VIGNETTE}</svg>`
  // Rendered at half size and enlarged, which takes a third of the time; the grain hides it. In two steps, because
  // Sharp would render an SVG at the size it is resized to.
  const small = await sharp(Buffer.from(svg)).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const enlarged = sharp(small.data, { raw: small.info }).resize(width, height, { fit: 'fill', kernel: 'linear' })
  const pixels = await enlarged.raw().toBuffer()
  addGrain(pixels, random.whole(0, GRAIN_LENGTH - 1))
  const picture = sharp(pixels, { raw: { width, height, channels: 3 } })
  if (file.metadata) picture.withExif(exifOf(file))
  return picture.toFormat(format, { quality: 86 }).toBuffer()
}

/** Rounded up: a half pixel along an edge would be visible as a gap. */
function half(length: number): number {
  return Math.ceil(length / 2)
}

/** A prime, so that the grain does not repeat along the rows of a picture. */
const GRAIN_LENGTH = 65_537
const grain = makeGrain()

function makeGrain(): Int8Array {
  const random = randomFrom(0, 5)
  return Int8Array.from({ length: GRAIN_LENGTH }, () => Math.round(random.between(-4, 4) + random.between(-4, 4)))
}

/** Sensor noise. Sharp's own blending took longer than all other steps together. */
function addGrain(pixels: Buffer, start: number): void {
  for (let at = 0, from = start; at < pixels.length; at++, from = from + 1 === GRAIN_LENGTH ? 0 : from + 1) {
    const value = (pixels[at] ?? 0) + (grain[from] ?? 0)
    pixels[at] = Math.max(0, Math.min(255, value))
  }
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
