import { join } from 'node:path'
import type { JpegOptions, Sharp } from 'sharp'
import { type VariantName, variants } from '#contract/limits.ts'
import { formats } from '../formats.ts'
import { decode, flatten, type OutputFormat } from './decode.ts'
import { applyOrientation, fitInside, fromPixels, resize } from './pixels.ts'
import type { SourceFile } from './source.ts'
import { makeThumbhash } from './thumbhash.ts'

export interface VariantRequest extends SourceFile {
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
  /** Part of the original could not be read; the variants show what could. */
  readonly damaged: boolean
  /** A blurred preview of a few bytes, in base64. */
  readonly thumbhash: string
  readonly variants: readonly MadeVariant[]
}

/** From large to small: each is made of the one before it, so that the original is decoded once. */
const chain = ['desktop', 'website', 'mobile', 'thumbnail'] as const

export async function makeVariants(order: VariantRequest): Promise<MadeImage> {
  const family = order.format === 'png' ? 'png' : 'jpeg'
  const { source, pixels: largest, damaged } = await decode(order, family, variants.desktop.maxSize)
  const made: MadeVariant[] = []
  let pixels = largest
  for (const name of chain) {
    pixels = await resize(pixels, fitInside(source.size, variants[name].maxSize))
    made.push(await write(fromPixels(pixels), name, family, order.outDir))
  }
  if (order.full || source.hdr) {
    const image = applyOrientation(flatten(source.open(), family), source.orientation)
    made.push(await write(image, 'full', family, order.outDir))
  }
  const thumbhash = await makeThumbhash(pixels)
  return { ...source.size, damaged, thumbhash, variants: made }
}

async function write(image: Sharp, name: VariantName, family: OutputFormat, folder: string): Promise<MadeVariant> {
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
