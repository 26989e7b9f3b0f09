import { join } from 'node:path'
import sharp, { type JpegOptions, type Sharp, type SharpOptions } from 'sharp'
import { type VariantName, variants } from '#contract/limits.ts'
import { unreadable } from '../errors.ts'
import { formats } from '../formats.ts'
import { describesRgb, needsConversion } from './colour.ts'
import { fitInside, fromPixels, isNearlyEmpty, type Pixels, resize, toPixels, turn } from './pixels.ts'
import { openSource, type Source, type SourceFile } from './source.ts'
import { makeThumbhash } from './thumbhash.ts'
import { toTiff } from './tiff.ts'

export interface VariantOrder extends SourceFile {
  readonly outDir: string
  /** Also make `full`, for an original that browsers cannot show. */
  readonly full: boolean
}

export interface MadeVariant {
  readonly name: VariantName
  readonly path: string
  readonly width: number
  readonly height: number
  readonly size: number
  readonly mime: string
}

export interface MadeImage {
  /** The original's size as it is seen, upright. */
  readonly width: number
  readonly height: number
  readonly animated: boolean
  /** Part of the original could not be read; the variants show what could. */
  readonly damaged: boolean
  /** A blurred preview of a few bytes, in base64. */
  readonly thumbhash: string
  readonly variants: readonly MadeVariant[]
}

type Family = 'jpeg' | 'png'

const strict: SharpOptions = { failOn: 'error' }
/** Goes on after damage, however often it occurs; the limits of the process hold. */
const lenient: SharpOptions = { failOn: 'none', unlimited: true }

/** From large to small: each is made of the one before it, so that the original is decoded once. */
const chain = ['desktop', 'website', 'mobile', 'thumbnail'] as const

export async function makeVariants(order: VariantOrder): Promise<MadeImage> {
  const source = await openSource(order)
  const family = order.format === 'png' ? 'png' : 'jpeg'
  const { pixels: largest, damaged } = await decode(source, family)
  const made: MadeVariant[] = []
  let pixels = largest
  for (const name of chain) {
    pixels = await resize(pixels, fitInside(source.size, variants[name].maxSize))
    made.push(await write(fromPixels(pixels), name, family, order.outDir))
  }
  if (order.full) {
    const image = source.open(damaged ? lenient : strict)
    made.push(await write(turn(flatten(image, family), source.orientation), 'full', family, order.outDir))
  }
  const thumbhash = await makeThumbhash(pixels)
  return { ...source.size, animated: source.animated, damaged, thumbhash, variants: made }
}

/** The picture upright, in sRGB, no larger than the largest variant; of a damaged file, what can be read of it. */
async function decode(source: Source, family: Family): Promise<{ pixels: Pixels; damaged: boolean }> {
  try {
    return { pixels: await decodeOnce(source, family, strict), damaged: false }
  } catch (error) {
    // A photo cut short on a dying card is still worth seeing, unless hardly anything is left of it.
    const pixels = await decodeOnce(source, family, lenient).catch(() => undefined)
    if (!pixels || isNearlyEmpty(pixels)) throw unreadable(error)
    return { pixels, damaged: true }
  }
}

async function decodeOnce(source: Source, family: Family, reading: SharpOptions): Promise<Pixels> {
  const { icc, space, width, height } = source.metadata
  // Colours are converted and the picture is turned after it has become small, where both cost least.
  const profile = icc && space === 'srgb' && describesRgb(icc) ? icc : undefined
  const stored = fitInside({ width, height }, variants.desktop.maxSize)
  const image = source.open({ ...reading, ignoreIcc: profile !== undefined })
  const pixels = await toPixels(flatten(image, family).resize(stored.width, stored.height, { fit: 'fill' }))
  const converts = profile !== undefined && needsConversion(profile)
  if (!converts && source.orientation === 1) return pixels
  const small = converts ? sharp(toTiff(pixels, profile)) : fromPixels(pixels)
  return toPixels(turn(small, source.orientation))
}

/** JPEG knows no transparency; what is behind a picture here is white. */
function flatten(image: Sharp, family: Family): Sharp {
  return family === 'jpeg' ? image.flatten({ background: 'white' }) : image
}

async function write(image: Sharp, name: VariantName, family: Family, folder: string): Promise<MadeVariant> {
  const { extension, mime } = formats[family]
  const path = join(folder, `${name}.${extension}`)
  const encoded = family === 'png' ? image.png({ adaptiveFiltering: true }) : image.jpeg(jpegOptions(name))
  const { width, height, size } = await encoded.toFile(path)
  return { name, path, width, height, size, mime }
}

function jpegOptions(name: VariantName): JpegOptions {
  const { quality, maxSize } = variants[name]
  // Code tables made to measure take a tenth of all the work on a large picture and save a hundredth of its bytes.
  return { quality: Math.round(quality * 100), optimiseCoding: maxSize < 1_000 }
}
