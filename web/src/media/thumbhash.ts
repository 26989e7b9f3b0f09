import { thumbHashToAverageRGBA, thumbHashToDataURL } from 'thumbhash'

/** Cache size: enough for the screen and its overscan. One image of 32 pixels takes about 4 KB. */
const MOST = 600

const decoded = new Map<string, string>()

/**
 * The blurred placeholder of a thumbnail as a data URL. Undefined for an invalid hash, and for a transparent image,
 * through which it would stay visible.
 */
export function blurredPicture(thumbhash: string): string | undefined {
  const known = decoded.get(thumbhash)
  if (known !== undefined) return known
  const picture = decode(thumbhash)
  if (picture === undefined) return undefined
  decoded.set(thumbhash, picture)
  // FIFO eviction: a Map keeps insertion order, so the first entry is the oldest.
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
 * The average colour, which is far cheaper to compute than the blurred image. Transparent images get a light colour,
 * because a drawing would be invisible on its own average colour.
 */
export function backgroundColour(thumbhash: string): string | undefined {
  const bytes = bytesOf(thumbhash)
  if (bytes === undefined) return undefined
  if (hasAlpha(bytes)) return 'var(--behind-transparency)'
  const { r, g, b } = thumbHashToAverageRGBA(bytes)
  return `rgb(${[r, g, b].map(part => Math.round(part * 255)).join(' ')})`
}

/** The alpha flag is the highest bit of the first 24. */
function hasAlpha(bytes: Uint8Array): boolean {
  return ((bytes[2] ?? 0) & 0x80) !== 0
}

function bytesOf(thumbhash: string): Uint8Array | undefined {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(thumbhash) || thumbhash.length % 4 !== 0) return undefined
  const bytes = Uint8Array.from(atob(thumbhash), character => character.charCodeAt(0))
  return bytes.length < SHORTEST ? undefined : bytes
}
