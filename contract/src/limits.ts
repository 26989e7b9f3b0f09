/** Every constant of the product. The specification's section 9 is the source; times are in milliseconds. */

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

export const session = {
  /** Signed out when unused for this long: a tablet in a drawer over the winter still works in spring. */
  idle: 90 * DAY,
  /** Signed out after this long, used or not. */
  absolute: 365 * DAY,
  /** How stale "last used" may be; it saves a write on every call. */
  touchEvery: HOUR,
} as const

/** From "Continue with Google" until the provider sends the person back. */
export const signInAttempt = { lasts: 15 * MINUTE } as const

export const rateLimits = {
  window: MINUTE,
  signIn: 120,
  writes: 600,
} as const

/** The longest texts, in characters. */
export const lengths = {
  fileName: 255,
  folderName: 100,
  tag: 50,
  note: 5_000,
  message: 5_000,
  groupTitle: 50,
} as const

export const uploads = {
  /** What one piece of a resumable upload carries. */
  chunkBytes: 8 * 1024 * 1024,
  /** An upload that was begun and left is forgotten after this long. */
  unfinishedLasts: DAY,
  /** A sender from whom nothing has come for this long is gone. A slow one is fine. */
  stallsAfter: MINUTE,
  /** Parts of one form: a photo with all its variants has seven. */
  mostParts: 60,
} as const

export const jsonBodyBytes = 1_000_000

export const toast = { lasts: 4 * SECOND } as const

/** The pictures made of a photo: bound of the longest side in pixels (nothing is ever enlarged), JPEG quality, tail of the name. */
export const variants = {
  thumbnail: { maxSize: 300, quality: 0.8, suffix: '_thumb' },
  mobile: { maxSize: 800, quality: 0.85, suffix: '_mobile' },
  website: { maxSize: 1920, quality: 0.9, suffix: '_website' },
  desktop: { maxSize: 2880, quality: 0.92, suffix: '_desktop' },
  full: { maxSize: Number.POSITIVE_INFINITY, quality: 0.95, suffix: '_full' },
} as const
export type VariantName = keyof typeof variants
