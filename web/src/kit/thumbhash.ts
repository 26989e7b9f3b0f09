import { thumbHashToAverageRGBA, thumbHashToDataURL } from 'thumbhash'

/** Enough for what is on the screen and around it; a picture of 32 pixels takes about 4 KB. */
const MOST = 600

const decoded = new Map<string, string>()

/** The blurred picture behind a thumbnail, as an address. Undefined where the hash cannot be read. */
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
  return bytes && thumbHashToDataURL(bytes)
}

/** What the whole picture comes to in one colour: a thousandth of the work. */
export function averageColour(thumbhash: string): string | undefined {
  const bytes = bytesOf(thumbhash)
  if (bytes === undefined) return undefined
  const { r, g, b } = thumbHashToAverageRGBA(bytes)
  return `rgb(${[r, g, b].map(part => Math.round(part * 255)).join(' ')})`
}

function bytesOf(thumbhash: string): Uint8Array | undefined {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(thumbhash) || thumbhash.length % 4 !== 0) return undefined
  const bytes = Uint8Array.from(atob(thumbhash), character => character.charCodeAt(0))
  return bytes.length < SHORTEST ? undefined : bytes
}
