import { thumbHashToAverageRGBA, thumbHashToDataURL } from 'thumbhash'

/** Enough for what is on the screen and around it; a picture of 32 pixels takes about 4 KB. */
const MOST = 600

const decoded = new Map<string, string>()

/**
 * The blurred picture behind a thumbnail, as an address. Undefined where the hash cannot be read, and for a transparent
 * picture, through which it would still be seen after the picture has loaded.
 */
export function blurredPicture(thumbhash: string): string | undefined {
  const known = decoded.get(thumbhash)
  if (known !== undefined) return known
  const picture = decode(thumbhash)
  if (picture === undefined) return undefined
  decoded.set(thumbhash, picture)
  // A Map keeps the order of arrival, so the first is the oldest.
  const oldest = decoded.keys().next().value
  if (decoded.size > MOST && oldest !== undefined) decoded.delete(oldest)
  return picture
}

const SHORTEST = 5

function decode(thumbhash: string): string | undefined {
  const bytes = bytesOf(thumbhash)
  return bytes === undefined || hasAlpha(bytes) ? undefined : thumbHashToDataURL(bytes)
}

/**
 * The colour behind a picture: its average, a thousandth of the work of the blurred one; for a transparent picture a light
 * one, since its average is that of its drawing, which would vanish on it.
 */
export function backgroundColour(thumbhash: string): string | undefined {
  const bytes = bytesOf(thumbhash)
  if (bytes === undefined) return undefined
  if (hasAlpha(bytes)) return 'var(--behind-transparency)'
  const { r, g, b } = thumbHashToAverageRGBA(bytes)
  return `rgb(${[r, g, b].map(part => Math.round(part * 255)).join(' ')})`
}

/** The highest bit of the first 24. */
function hasAlpha(bytes: Uint8Array): boolean {
  return ((bytes[2] ?? 0) & 0x80) !== 0
}

function bytesOf(thumbhash: string): Uint8Array | undefined {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(thumbhash) || thumbhash.length % 4 !== 0) return undefined
  const bytes = Uint8Array.from(atob(thumbhash), character => character.charCodeAt(0))
  return bytes.length < SHORTEST ? undefined : bytes
}
