import { CannotPrepare } from '../prepare.ts'

/** Decodes an image upright and in sRGB. The caller closes the bitmap. */
export async function decode(file: Blob, format: DecodableFormat): Promise<ImageBitmap> {
  if (format === 'tiff') await checkTiff(file)
  try {
    return await createImageBitmap(file, { imageOrientation: 'from-image', premultiplyAlpha: 'premultiply' })
  } catch (error) {
    // Few browsers decode these formats. The decoders are large, so each is loaded on demand.
    if (format === 'heic') {
      const { decodeHeic } = await import('./decode-heic.ts')
      return decodeHeic(new Uint8Array(await file.arrayBuffer()))
    }
    if (format === 'tiff') {
      const { decodeTiff } = await import('./decode-tiff.ts')
      return decodeTiff(file)
    }
    throw new CannotPrepare('undecodable', { cause: error })
  }
}

export type DecodableFormat = 'jpeg' | 'png' | 'webp' | 'gif' | 'avif' | 'bmp' | 'heic' | 'tiff'

/** How many bytes {@link detectFormat} needs. */
export const HEAD_BYTES = 256

/** Formats that browsers cannot show, which need a full-size JPEG next to the original. */
const shownByFew = new Set<DecodableFormat>(['bmp', 'heic', 'tiff'])

export function isBrowserFormat(format: DecodableFormat): boolean {
  return !shownByFew.has(format)
}

/** Detects the format by the content, like the server; names and MIME types are often wrong. */
export function detectFormat(head: Uint8Array): DecodableFormat | undefined {
  const text = String.fromCharCode(...head.subarray(0, HEAD_BYTES))
  if (text.startsWith('\xff\xd8\xff')) return 'jpeg'
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (text.startsWith('GIF87a') || text.startsWith('GIF89a')) return 'gif'
  if (text.startsWith('RIFF') && text.startsWith('WEBP', 8)) return 'webp'
  if (text.startsWith('BM') && text.startsWith('\0\0\0', 15)) return 'bmp'
  // BigTIFF and Canon RAW files are left to the server.
  if ((text.startsWith('II*\0') || text.startsWith('MM\0*')) && !text.startsWith('CR', 8)) return 'tiff'
  return text.startsWith('ftyp', 4) ? isoPicture(text) : undefined
}

const heifBrands = new Set('heic heix heim heis hevc hevx hevm hevs mif1 mif2 mif3 msf1'.split(' '))

function isoPicture(head: string): DecodableFormat | undefined {
  const end = Math.min(head.length, head.charCodeAt(2) * 256 + head.charCodeAt(3))
  const brands: string[] = []
  for (let at = 8; at + 4 <= end; at += 4) {
    // The second entry is a version number; in a minimised file ("mini") it is the codec's brand.
    if (at !== 12 || brands[0] === 'mif3') brands.push(head.slice(at, at + 4))
  }
  // A Canon RAW file has an image brand too.
  if (brands[0] === 'crx ') return undefined
  if (brands.includes('avif') || brands.includes('avis')) return 'avif'
  return brands.some(brand => heifBrands.has(brand)) ? 'heic' : undefined
}

const tags = {
  width: 0x0100,
  height: 0x0101,
  photometric: 0x0106,
  subDirectories: 0x014a,
  sampleFormat: 0x0153,
  colourProfile: 0x8773,
  dngVersion: 0xc612,
}

const GREY = new Set([0, 1])
const RGB = 2
const PALETTE = 3
const YCBCR = 6
const WHOLE_NUMBERS = 1

const MAX_ENTRIES = 512
/** More would exceed a phone's memory, which holds the file, its pixels and the bitmap. */
const MAX_PIXELS = 64_000_000

/**
 * Rejects TIFF files other than ordinary photos and scans. Most RAW files are TIFF files whose first image is a small
 * preview, and a canvas lacks some colour spaces; both are left to the server.
 */
export async function checkTiff(file: Blob): Promise<void> {
  const entries = await firstDirectory(file)
  const [photometric = RGB, width = 0, height = 0, sampleFormat = WHOLE_NUMBERS] = [
    entries.get(tags.photometric),
    entries.get(tags.width),
    entries.get(tags.height),
    entries.get(tags.sampleFormat),
  ]
  const isRaw = entries.has(tags.dngVersion) || entries.has(tags.subDirectories)
  if (isRaw || width * height === 0) throw new CannotPrepare('unknownPicture')
  if (width * height > MAX_PIXELS) throw new CannotPrepare('tooLarge')
  const isGrey = GREY.has(photometric)
  const known = isGrey || photometric === RGB || photometric === PALETTE || photometric === YCBCR
  // Browsers ignore the profiles of grey images.
  if (!known || (isGrey && entries.has(tags.colourProfile)) || sampleFormat !== WHOLE_NUMBERS) {
    throw new CannotPrepare('colours')
  }
}

/** The value of each tag; for several values the first if it fits, otherwise their offset. */
async function firstDirectory(file: Blob): Promise<Map<number, number>> {
  const entries = new Map<number, number>()
  const head = new DataView(await file.slice(0, 10).arrayBuffer())
  if (head.byteLength < 10) return entries
  const little = head.getUint8(0) === 0x49
  const start = head.getUint32(4, little)
  const directory = new DataView(await file.slice(start, start + 2 + MAX_ENTRIES * 12).arrayBuffer())
  if (directory.byteLength < 2) return entries
  const count = Math.min(directory.getUint16(0, little), Math.floor((directory.byteLength - 2) / 12))
  for (let at = 2; at < 2 + count * 12; at += 12) {
    const type = directory.getUint16(at + 2, little)
    const several = directory.getUint32(at + 4, little) > (type === 3 ? 2 : 1)
    const value = type === 3 && !several ? directory.getUint16(at + 8, little) : directory.getUint32(at + 8, little)
    const tag = directory.getUint16(at, little)
    entries.set(tag, tag === tags.sampleFormat && several ? await shortAt(file, value, little) : value)
  }
  return entries
}

async function shortAt(file: Blob, at: number, little: boolean): Promise<number> {
  const bytes = await file.slice(at, at + 2).arrayBuffer()
  return bytes.byteLength === 2 ? new DataView(bytes).getUint16(0, little) : 0
}
