import { variants } from '#contract/limits.ts'
import type { MediaFile } from '#contract/media.ts'

type Pictured = Pick<MediaFile, 'thumbnail_url' | 'variant_urls' | 'width' | 'height'>

/** Upscaling by this factor is not visible. */
const TOLERANCE = 1.2

/** The smallest image that fills a square of this many device pixels sharply: the thumbnail or the next size. */
export function thumbnailUrlFor(file: Pictured, pixels: number): string | undefined {
  const thumbnail = file.thumbnail_url ?? undefined
  if (file.variant_urls === null || file.width === null || file.height === null) return thumbnail
  const [long, short] = [Math.max(file.width, file.height), Math.min(file.width, file.height)]
  // The square is cropped from the centre, so the shorter side has to fill it.
  const thumbnailShort = Math.min(1, variants.thumbnail.maxSize / long) * short
  return thumbnailShort * TOLERANCE >= Math.min(pixels, short) ? thumbnail : file.variant_urls.mobile
}
