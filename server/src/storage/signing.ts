import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto'
import type { Clock } from '#server/kit/clock.ts'
import { isSmallPicture, scopeOf } from './keys.ts'

/**
 * Signed URLs (HMAC-SHA256) that give access to a file until they expire. The signature covers the file's scope rather
 * than one key, so it is valid for every part of that file and for no other; it also covers the expiry and the name to
 * save under.
 */
export interface Signing {
  /** The query string that gives access to `key`. */
  sign(key: string, download?: string): string
  /**
   * The query string that gives access to the small pictures of every file: thumbnails and the next size, which grids
   * show. Their keys are unguessable, and those who may see a grid may see all of them.
   */
  signSmallPictures(): string
  /** For how many more seconds this query gives access to `key`; undefined when it does not. */
  secondsLeft(key: string, query: SignedQuery): number | undefined
}

/** Unchecked, as it arrives in a request. */
export interface SignedQuery {
  exp?: unknown
  sig?: unknown
  download?: unknown
  for?: unknown
}

/** All URLs signed within a window are equal, so that browsers can cache them. They expire one window later. */
const WINDOW_SECONDS = 30 * 60
/** The latest expiry that `sign` sets, plus some clock skew between servers. */
const MAX_AHEAD_SECONDS = 2 * WINDOW_SECONDS + 5 * 60

export function createSigning(options: { secret: Uint8Array; clock: Clock }): Signing {
  // A key object, because given bytes Node parses the key for every signature, which takes ten times as long.
  const secret = createSecretKey(options.secret)
  /** A cache of one: the parts of a file are signed one after the other and share the signature. */
  let latest = { scope: '', expiry: '', query: '' }

  function signatureOf(expiry: string, signed: string): string {
    return createHmac('sha256', secret).update(`${expiry}:${signed}`).digest('base64url')
  }

  const currentExpiry = () => String((Math.floor(options.clock() / 1000 / WINDOW_SECONDS) + 2) * WINDOW_SECONDS)

  /** A cache of one, because most requests of browsers have the current expiry. */
  let small = { expiry: '', signature: '' }
  function smallPicturesSignature(expiry: string): string {
    if (small.expiry !== expiry) small = { expiry, signature: signatureOf(expiry, SMALL_PICTURES) }
    return small.signature
  }

  return {
    signSmallPictures() {
      const expiry = currentExpiry()
      return `exp=${expiry}&for=${SMALL_PICTURES}&sig=${smallPicturesSignature(expiry)}`
    },

    sign(key, download) {
      const scope = scopeOf(key)
      const expiry = currentExpiry()
      if (download !== undefined) {
        const name = download.toWellFormed()
        const signature = signatureOf(expiry, signedPart(scope, name))
        return `exp=${expiry}&sig=${signature}&download=${encodeURIComponent(name)}`
      }
      if (latest.scope !== scope || latest.expiry !== expiry) {
        latest = { scope, expiry, query: `exp=${expiry}&sig=${signatureOf(expiry, signedPart(scope))}` }
      }
      return latest.query
    },

    secondsLeft(key, { exp, sig, download, for: group }) {
      if (typeof exp !== 'string' || !/^\d{1,12}$/.test(exp) || typeof sig !== 'string') return
      if (download !== undefined && typeof download !== 'string') return
      if (group !== undefined && (group !== SMALL_PICTURES || download !== undefined || !isSmallPicture(key))) return
      const expected =
        group === undefined ? signatureOf(exp, signedPart(scopeOf(key), download)) : smallPicturesSignature(exp)
      if (!equalInConstantTime(sig, expected)) return
      const milliseconds = Number(exp) * 1000 - options.clock()
      // Later than we ever sign: forged (a leaked secret) or a bug.
      if (milliseconds <= 0 || milliseconds > MAX_AHEAD_SECONDS * 1000) return
      return Math.floor(milliseconds / 1000)
    },
  }
}

/** Differs from what is signed for a file, which begins with a number. */
const SMALL_PICTURES = 'small'

/** Prefixed with the scope's length, so that no two pairs give the same text. */
function signedPart(scope: string, download?: string): string {
  const part = `${scope.length}:${scope}`
  return download === undefined ? part : `${part}:${download}`
}

function equalInConstantTime(given: string, expected: string): boolean {
  const a = Buffer.from(given)
  const b = Buffer.from(expected)
  return a.length === b.length && timingSafeEqual(a, b)
}
