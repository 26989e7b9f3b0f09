import type { Size } from './images/pixels.ts'

/**
 * Limits for the animated WebP that is made where browsers cannot play the original. Animations beyond them are shown
 * as stills.
 */
export const animationLimits = {
  frames: 1_000,
  /** All frames of the original together: ImageMagick keeps them in memory, with three or four bytes for each pixel. */
  decodedPixels: 150_000_000,
  /** All frames of the WebP together; larger ones are scaled down. Encoding them takes about 20 seconds. */
  pixels: 60_000_000,
  /** A WebP cannot be longer than 16,383 pixels, and no screen shows more than this. */
  side: 4_096,
} as const

export interface AnimationRequest {
  readonly path: string
  readonly format: 'jxl'
  readonly outDir: string
}

/** Name of the file in `outDir`. */
export const ANIMATION_NAME = 'animation.webp'

/** An animated WebP. */
export interface MadeAnimation extends Size {
  readonly size: number
}

/** Longest side of an animation of this many frames. */
export function animationSide({ width, height }: Size, frames: number): number {
  const scale = Math.min(1, Math.sqrt(animationLimits.pixels / (frames * width * height)))
  return Math.max(1, Math.min(animationLimits.side, Math.floor(Math.max(width, height) * scale)))
}

/** Browsers show frames without a duration for this long. */
export const DEFAULT_FRAME_MS = 100
