export type DecodableFormat = 'jpeg' | 'png' | 'webp' | 'gif' | 'avif' | 'bmp' | 'heic' | 'tiff'

/** How much of a file's beginning {@link recogniseImage} looks at. */
export const HEAD_BYTES = 256

/** Formats that need a picture beside the original that every browser can show. */
const shownByFew = new Set<DecodableFormat>(['bmp', 'heic', 'tiff'])

export function browsersShow(format: DecodableFormat): boolean {
  return !shownByFew.has(format)
}

/** What a picture is by its bytes, as the server will see it; names and types are often wrong. */
export function recogniseImage(head: Uint8Array): DecodableFormat | undefined {
  const text = String.fromCharCode(...head.subarray(0, HEAD_BYTES))
  if (text.startsWith('\xff\xd8\xff')) return 'jpeg'
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (text.startsWith('GIF87a') || text.startsWith('GIF89a')) return 'gif'
  if (text.startsWith('RIFF') && text.startsWith('WEBP', 8)) return 'webp'
  if (text.startsWith('BM') && text.startsWith('\0\0\0', 15)) return 'bmp'
  // Of BigTIFF, and of Canon's RAW files, the server takes care.
  if ((text.startsWith('II*\0') || text.startsWith('MM\0*')) && !text.startsWith('CR', 8)) return 'tiff'
  return text.startsWith('ftyp', 4) ? isoPicture(text) : undefined
}

const heifBrands = new Set('heic heix heim heis hevc hevx hevm hevs mif1 mif2 mif3 msf1'.split(' '))

function isoPicture(head: string): DecodableFormat | undefined {
  const end = Math.min(head.length, head.charCodeAt(2) * 256 + head.charCodeAt(3))
  const brands: string[] = []
  for (let at = 8; at + 4 <= end; at += 4) {
    // Between the first brand and the others is a version; of a minimised picture ("mini") it is the codec's brand.
    if (at !== 12 || brands[0] === 'mif3') brands.push(head.slice(at, at + 4))
  }
  // A Canon RAW file calls itself a picture too.
  if (brands[0] === 'crx ') return undefined
  if (brands.includes('avif') || brands.includes('avis')) return 'avif'
  return brands.some(brand => heifBrands.has(brand)) ? 'heic' : undefined
}
