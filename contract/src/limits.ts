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

export const jsonBodyBytes = 1_000_000

export const toast = { lasts: 4 * SECOND } as const

export const badge = { cap: 99 } as const
