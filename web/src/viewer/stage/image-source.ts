import { variants } from '#contract/limits.ts'
import type { MediaFile } from '#contract/media.ts'

type ImageFields = Pick<MediaFile, 'url' | 'variant_urls' | 'width' | 'height' | 'mime_type' | 'file_type' | 'animated'>

/** Upscaling by this factor is not visible. */
const TOLERANCE = 1.15

const sizes = ['mobile', 'website', 'desktop'] as const

/**
 * The URL of the smallest image that is sharp at this many device pixels along its longer side: a variant, or the full-
 * size file if none is large enough. Animated images use the original unless `still` is set. Undefined if there is no
 * image yet.
 */
export function imageUrlFor(file: ImageFields, pixels: number, { still = false } = {}): string | undefined {
  const full = file.file_type === 'image' ? (file.url ?? undefined) : undefined
  if (isAnimated(file) && full !== undefined && !still) return full
  if (file.variant_urls === null) return full
  const long = Math.max(file.width ?? 0, file.height ?? 0) || Number.POSITIVE_INFINITY
  const needed = Math.min(pixels, long) / TOLERANCE
  const size = sizes.find(name => variants[name].maxSize >= needed)
  return size === undefined ? (full ?? file.variant_urls.desktop) : file.variant_urls[size]
}

/**
 * Whether the original must be shown because variants are stills. GIFs count as animated until the server has inspected
 * them.
 */
function isAnimated(file: Pick<MediaFile, 'mime_type' | 'animated'>): boolean {
  return file.animated || file.mime_type === 'image/gif'
}

/** Other formats are always shown as JPEG. */
export function mayBeTransparent({ mime_type }: Pick<MediaFile, 'mime_type'>): boolean {
  return ['image/png', 'image/webp', 'image/gif', 'image/avif'].includes(mime_type)
}

/** Whether this browser can play the type; null means that every browser can. */
export function canPlay(type: string | null): boolean {
  return type === null || document.createElement('video').canPlayType(type) !== ''
}

/** Compares URLs without their signatures. */
export function isSameImage(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && withoutQuery(one) === withoutQuery(other)
}

function withoutQuery(address: string): string {
  return address.split('?')[0] ?? address
}

/** A ready file needs no signed URL: without one it is fetched with the session. */
export function canBeShown(file: MediaFile): boolean {
  // Until a video is converted, its original is for browsers that play it.
  if (file.file_type === 'video' && file.status === 'processing' && !canPlay(file.playback_type)) return false
  return file.status === 'ready' || file.url !== null || (file.file_type === 'image' && file.variant_urls !== null)
}
