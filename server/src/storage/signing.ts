import { hash, timingSafeEqual } from 'node:crypto'
import type { Clock } from '#server/kit/clock.ts'
import { scopeOf } from './keys.ts'

/**
 * Signatures that open a file for a while. A signature is over the file's scope, not over one key, so that it opens
 * every part of that file and no part of another; it also fixes the expiry and the name to save under.
 */
export interface Signing {
  /** The query string that opens `key`. */
  sign(key: string, download?: string): string
  /** For how many more seconds this query opens `key`; undefined when it does not. */
  secondsLeft(key: string, query: SignedQuery): number | undefined
}

/** As it arrives: anything at all may stand in a query. */
export interface SignedQuery {
  exp?: unknown
  sig?: unknown
  download?: unknown
}

/** Every address made within a window is the same. It lasts one more window, so that none is born about to expire. */
const WINDOW_SECONDS = 30 * 60
/** The farthest expiry that `sign` writes, with room for servers whose clocks differ a little. */
const MAX_AHEAD_SECONDS = 2 * WINDOW_SECONDS + 5 * 60

export function createSigning(options: { secret: Uint8Array; clock: Clock }): Signing {
  const secret = Buffer.from(options.secret).toString('base64url')
  /** Kept because whoever shows a file asks for each of its parts in turn, and all have the same. */
  let latest = { scope: '', expiry: '', query: '' }

  /**
   * A list of two hundred files holds four hundred of these, so their price is felt. SHA-3 needs no HMAC around it: nobody can
   * continue a text from its digest, so a secret in front is enough (as in KMAC), and it takes a third of the time.
   */
  function signatureOf(expiry: string, signed: string): string {
    return hash('sha3-256', `${secret}:${expiry}:${signed}`, 'base64url')
  }

  return {
    sign(key, download) {
      const scope = scopeOf(key)
      const expiry = String((Math.floor(options.clock() / 1000 / WINDOW_SECONDS) + 2) * WINDOW_SECONDS)
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

    secondsLeft(key, { exp, sig, download }) {
      if (typeof exp !== 'string' || !/^\d{1,12}$/.test(exp) || typeof sig !== 'string') return
      if (download !== undefined && typeof download !== 'string') return
      if (!equalInConstantTime(sig, signatureOf(exp, signedPart(scopeOf(key), download)))) return
      const milliseconds = Number(exp) * 1000 - options.clock()
      // We never sign farther ahead: such a link was forged (a leaked secret, a bug) and must not outlive the window.
      if (milliseconds <= 0 || milliseconds > MAX_AHEAD_SECONDS * 1000) return
      return Math.floor(milliseconds / 1000)
    },
  }
}

/** With the scope's length in front, no two pairs give one text. */
function signedPart(scope: string, download?: string): string {
  const part = `${scope.length}:${scope}`
  return download === undefined ? part : `${part}:${download}`
}

function equalInConstantTime(given: string, expected: string): boolean {
  const a = Buffer.from(given)
  const b = Buffer.from(expected)
  return a.length === b.length && timingSafeEqual(a, b)
}
