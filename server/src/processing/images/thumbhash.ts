import { rgbaToThumbHash } from 'thumbhash'
import { fitInside, fromPixels, type Pixels } from './pixels.ts'

/** More pixels change nothing that the hash can hold. */
export const THUMBHASH_SIDE = 32

/** A blurred preview of a few bytes, in base64, to show until the picture has arrived. */
export async function makeThumbhash(pixels: Pixels): Promise<string> {
  const { width, height } = fitInside(pixels, THUMBHASH_SIDE)
  const rgba = await fromPixels(pixels).resize(width, height, { fit: 'fill' }).ensureAlpha().raw().toBuffer()
  return Buffer.from(rgbaToThumbHash(width, height, rgba)).toString('base64')
}
