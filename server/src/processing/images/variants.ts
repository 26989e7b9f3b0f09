import { join } from 'node:path'
import type { JpegOptions, Sharp } from 'sharp'
import { type VariantName, variants } from '#contract/limits.ts'
import { detectFormat } from '../detect-format.ts'
import { ProcessingError, unreadable } from '../errors.ts'
import { formats } from '../formats.ts'
import { isPictureOnly } from '../structure/inspect.ts'
import { decode, flatten, type OutputFormat } from './decode.ts'
import {
  applyOrientation,
  fitInside,
  fromPixels,
  makeThumbhash,
  resize,
  type Size,
  THUMBHASH_SIDE,
  toPixels,
} from './pixels.ts'
import { openSource, type SourceFile } from './source.ts'

export interface VariantRequest extends SourceFile {
  readonly outDir: string
  /** Also make `full`, for an original that browsers cannot show. HDR always gets it. */
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
  /** Size of the original after rotation. */
  readonly width: number
  readonly height: number
  /** Part of the original could not be decoded; the variants show the rest. */
  readonly damaged: boolean
  /** A blurred preview of a few bytes, in base64. */
  readonly thumbhash: string
  readonly variants: readonly MadeVariant[]
}

/** From large to small: each is made from the previous one, so that the original is decoded once. */
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
  // Optimised Huffman tables take a tenth of the time for a large picture and save only 1 % of its size.
  return { quality: Math.round(quality * 100), optimiseCoding: maxSize < 1_000 }
}

export interface ClientVariant {
  /** The picture made by the client. */
  readonly path: string
  readonly name: VariantName
  /** The original's format: variants of a PNG are PNG, of anything else JPEG. */
  readonly originalFormat: string
  /** The original's size, upright. */
  readonly original: Size
}

export type VariantCheck =
  | {
      readonly ok: true
      readonly width: number
      readonly height: number
      readonly mime: string
      readonly thumbhash: string
    }
  | {
      readonly ok: false
      readonly reason: string
      /** No client makes such a picture by accident. */
      readonly tooComplex?: boolean | undefined
    }

/**
 * Whether a picture made by a client can be used as this variant. It is decoded completely, since headers can be forged; a
 * JPEG directly to a small size, which is faster and finds the same errors.
 */
export async function checkVariant(claim: ClientVariant): Promise<VariantCheck> {
  try {
    return await checkDecoded(claim)
  } catch (error) {
    if (!(error instanceof ProcessingError)) throw error
    if (error.failure === 'too_complex') return { ok: false, reason: error.message, tooComplex: true }
    return rejected(error.message)
  }
}

async function checkDecoded(claim: ClientVariant): Promise<VariantCheck> {
  const family = claim.originalFormat === 'png' ? 'png' : 'jpeg'
  const recognised = await detectFormat(claim.path)
  if (recognised?.format !== family) return rejected(`It is not a ${family.toUpperCase()} file.`)
  const source = await openSource({ path: claim.path, format: family }, { failOn: 'error' }).catch(error => {
    throw error instanceof ProcessingError ? error : unreadable({ cause: error })
  })
  const { size } = source
  if (source.orientation !== 1) return rejected('It is not stored upright.')
  const wrongSize = sizeProblem(size, claim)
  if (wrongSize) return rejected(wrongSize)
  const small = fitInside(size, THUMBHASH_SIDE)
  const seen = source.open({ failOn: 'error' }).resize(small.width, small.height, { fit: 'fill' })
  const pixels = await toPixels(seen).catch(error => {
    throw unreadable({ cause: error })
  })
  // For privacy: metadata, such as the position, stays in the original. Guests see variants.
  if (!(await isPictureOnly(claim.path, family))) return rejected('It carries metadata of its own.')
  return { ok: true, ...size, mime: recognised.mime, thumbhash: await makeThumbhash(pixels) }
}

function sizeProblem(size: Size, { name, original }: ClientVariant): string | undefined {
  const words = `${size.width} × ${size.height}`
  if (size.width > original.width || size.height > original.height) return `At ${words} it is larger than the original.`
  const expected = fitInside(original, variants[name].maxSize)
  if (Math.max(size.width, size.height) > variants[name].maxSize) return `At ${words} it is too large for its kind.`
  if (size.width === expected.width && size.height === expected.height) return undefined
  const sameShape = fitInside(original, Math.max(size.width, size.height))
  const off = Math.max(Math.abs(size.width - sameShape.width), Math.abs(size.height - sameShape.height))
  return off > 1 ? `At ${words} it has another shape than the original.` : undefined
}

function rejected(reason: string): VariantCheck {
  return { ok: false, reason }
}
