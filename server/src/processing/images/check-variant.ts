import { type VariantName, variants } from '#contract/limits.ts'
import { ProcessingError, unreadable } from '../errors.ts'
import { detectFormat } from '../recognise.ts'
import { fitInside, type Size, toPixels } from './pixels.ts'
import { openSource } from './source.ts'
import { makeThumbhash, THUMBHASH_SIDE } from './thumbhash.ts'

export interface ClientVariant {
  /** What a client sent as a smaller picture of an original. */
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
      /** No client makes such a picture by mistake. */
      readonly tooComplex?: boolean | undefined
    }

/**
 * Whether what a client sent can stand as this variant. Every byte of it is decoded, since anyone can write a header; a
 * JPEG straight to a small size, which is less work and finds the same faults.
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
  const { size, metadata } = source
  if (source.orientation !== 1) return rejected('It does not stand upright by itself.')
  // A variant is shown to everyone; where a photo was taken stays with the original.
  if (metadata.exif || metadata.xmp || metadata.iptc) return rejected('It carries metadata of its own.')
  const wrongSize = sizeProblem(size, claim)
  if (wrongSize) return rejected(wrongSize)
  const small = fitInside(size, THUMBHASH_SIDE)
  const seen = source.open({ failOn: 'error' }).resize(small.width, small.height, { fit: 'fill' })
  const pixels = await toPixels(seen).catch(error => {
    throw unreadable({ cause: error })
  })
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
