import { join } from 'node:path'
import sharp, { type JpegOptions, type Sharp, type SharpOptions } from 'sharp'
import { type VariantName, variants } from '#contract/limits.ts'
import { ProcessingError, unreadable } from '../errors.ts'
import { formats } from '../formats.ts'
import { needsConversion } from './colour.ts'
import { fitInside, fromPixels, isNearlyEmpty, type Pixels, resize, toPixels, turn } from './pixels.ts'
import { openSource, type Source, type SourceFile } from './source.ts'
import { makeThumbhash } from './thumbhash.ts'
import { toTiff } from './tiff.ts'

export interface VariantOrder extends SourceFile {
  readonly outDir: string
  /** Also make `full`, for an original that browsers cannot show. One in HDR gets it anyway. */
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
  const family = order.format === 'png' ? 'png' : 'jpeg'
  const { source, pixels: largest, damaged } = await decode(order, family)
  const made: MadeVariant[] = []
  let pixels = largest
  for (const name of chain) {
    pixels = await resize(pixels, fitInside(source.size, variants[name].maxSize))
    made.push(await write(fromPixels(pixels), name, family, order.outDir))
  }
  if (order.full || source.hdr) {
    const image = turn(flatten(source.open(), family), source.orientation)
    made.push(await write(image, 'full', family, order.outDir))
  }
  const thumbhash = await makeThumbhash(pixels)
  return { ...source.size, animated: source.animated, damaged, thumbhash, variants: made }
}

interface Decoded {
  readonly source: Source
  /** Upright, in sRGB, no larger than the largest variant. */
  readonly pixels: Pixels
  readonly damaged: boolean
}

/** Of a damaged file, what can be read of it. */
async function decode(file: SourceFile, family: Family): Promise<Decoded> {
  try {
    const source = await openSource(file, strict)
    return { source, pixels: await decodeOnce(source, family), damaged: false }
  } catch (error) {
    if (error instanceof ProcessingError) throw error
    // A photo cut short on a dying card is still worth seeing, unless hardly anything is left of it.
    const rest = await decodeDamaged(file, family).catch(() => undefined)
    if (!rest || isNearlyEmpty(rest.pixels)) throw unreadable(error)
    return { ...rest, damaged: true }
  }
}

async function decodeDamaged(file: SourceFile, family: Family) {
  const source = await openSource(file, lenient)
  return { source, pixels: await decodeOnce(source, family) }
}

async function decodeOnce({ stored, profile, orientation, open }: Source, family: Family): Promise<Pixels> {
  // Colours are converted and the picture is turned after it has become small, where both cost least.
  const { width, height } = fitInside(stored, variants.desktop.maxSize)
  const image = open({ ignoreIcc: profile !== undefined })
  const pixels = await toPixels(flatten(image, family).resize(width, height, { fit: 'fill' }))
  const converts = profile !== undefined && needsConversion(profile)
  if (!converts && orientation === 1) return pixels
  const small = converts ? sharp(toTiff(pixels, profile)) : fromPixels(pixels)
  return toPixels(turn(small, orientation))
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
