import { variants } from '#contract/limits.ts'
import type { MediaFile } from '#contract/media.ts'

type Pictured = Pick<MediaFile, 'url' | 'variant_urls' | 'width' | 'height' | 'mime_type' | 'file_type' | 'animated'>

/** A picture may be stretched by this much before anyone sees it. */
const TOLERANCE = 1.15

const sizes = ['mobile', 'website', 'desktop'] as const

/**
 * The smallest picture that is sharp at so many device pixels along its longer side: one of the variants, or the
 * full-size file where none is large enough. What moves is shown as it came, unless it is to stand still. Undefined
 * where there is no picture yet.
 */
export function pictureFor(file: Pictured, pixels: number, { still = false } = {}): string | undefined {
  const full = file.file_type === 'image' ? (file.url ?? undefined) : undefined
  if (moves(file) && full !== undefined && !still) return full
  if (file.variant_urls === null) return full
  const long = Math.max(file.width ?? 0, file.height ?? 0) || Number.POSITIVE_INFINITY
  const needed = Math.min(pixels, long) / TOLERANCE
  const size = sizes.find(name => variants[name].maxSize >= needed)
  return size === undefined ? (full ?? file.variant_urls.desktop) : file.variant_urls[size]
}

/**
 * Whether a picture has to be shown as it came to move: its variants are stills. A GIF nearly always does, and whether
 * this one does is known only once the server has looked into it.
 */
function moves(file: Pick<MediaFile, 'mime_type' | 'animated'>): boolean {
  return file.animated || file.mime_type === 'image/gif'
}

/** Whether something may shine through a picture. Of other kinds all that is shown is a JPEG. */
export function mayBeTransparent({ mime_type }: Pick<MediaFile, 'mime_type'>): boolean {
  return ['image/png', 'image/webp', 'image/gif', 'image/avif'].includes(mime_type)
}

/** Whether this browser has what it takes to play a video of this type; null is a type that all of them play. */
export function canPlay(type: string | null): boolean {
  return type === null || document.createElement('video').canPlayType(type) !== ''
}

/** Whether two addresses lead to the same picture: their signatures may differ. */
export function samePicture(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && withoutQuery(one) === withoutQuery(other)
}

function withoutQuery(address: string): string {
  return address.split('?')[0] ?? address
}
