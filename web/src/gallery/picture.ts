import { variants } from '#contract/limits.ts'
import type { MediaFile } from '#contract/media.ts'

type Pictured = Pick<MediaFile, 'thumbnail_url' | 'variant_urls' | 'width' | 'height'>

/** A picture may be stretched by this much before anyone sees it. */
const TOLERANCE = 1.2

/** The smallest picture that fills a square of so many device pixels sharply: the thumbnail, or the next size up. */
export function pictureFor(file: Pictured, pixels: number): string | undefined {
  const thumbnail = file.thumbnail_url ?? undefined
  if (file.variant_urls === null || file.width === null || file.height === null) return thumbnail
  const [long, short] = [Math.max(file.width, file.height), Math.min(file.width, file.height)]
  // The square shows the middle of the picture, so it is the shorter side that has to fill it.
  const thumbnailShort = Math.min(1, variants.thumbnail.maxSize / long) * short
  return thumbnailShort * TOLERANCE >= Math.min(pixels, short) ? thumbnail : file.variant_urls.mobile
}
