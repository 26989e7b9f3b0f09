import type { MediaFile } from '#contract/media.ts'
import { isSideways, type Size } from '../../media/rotated.ts'
import { isSameImage } from './image-source.ts'

type Turned = Pick<MediaFile, 'rotation' | 'url'>

/** How far the pixels of an image of this file are rotated already, in degrees. */
export function rotationOfImage({ rotation, url }: Turned, address: string | undefined): number {
  if (rotation === null) return 0
  // Everything that is not a variant is the full-size file, a blob of it included.
  const isFull = address?.startsWith('blob:') === true || isSameImage(address, url ?? undefined)
  return isFull ? rotation.url : rotation.variants
}

/** The size of a file in the direction that somebody has saved; its variants may not be made again yet. */
export function savedSize({
  width,
  height,
  rotation,
}: Pick<MediaFile, 'width' | 'height' | 'rotation'>): Size | undefined {
  if (width === null || height === null) return undefined
  const sideways = rotation !== null && isSideways(rotation.saved - rotation.variants)
  return sideways ? { width: height, height: width } : { width, height }
}
