import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto'
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

/** Queries of the current window, kept because a page asks for those of one file six times; past this many, anew. */
const REMEMBERED = 20_000

export function createSigning(options: { secret: Uint8Array; clock: Clock }): Signing {
  const secret = createSecretKey(options.secret)
  let rememberedExpiry = 0
  const plainQueries = new Map<string, string>()
  const downloadQueries = new Map<string, string>()

  function signatureOf(expiry: string, signed: string): string {
    return createHmac('sha256', secret).update(`${expiry}:${signed}`).digest('base64url')
  }

  function remember(queries: Map<string, string>, name: string, make: (expiry: string) => string): string {
    const expiry = (Math.floor(options.clock() / 1000 / WINDOW_SECONDS) + 2) * WINDOW_SECONDS
    if (expiry !== rememberedExpiry || queries.size >= REMEMBERED) {
      plainQueries.clear()
      downloadQueries.clear()
      rememberedExpiry = expiry
    }
    let query = queries.get(name)
    if (query === undefined) {
      query = make(String(expiry))
      queries.set(name, query)
    }
    return query
  }

  return {
    sign(key, download) {
      const scope = scopeOf(key)
      if (download === undefined) {
        return remember(plainQueries, scope, expiry => `exp=${expiry}&sig=${signatureOf(expiry, signedPart(scope))}`)
      }
      const name = download.toWellFormed()
      const signed = signedPart(scope, name)
      return remember(
        downloadQueries,
        signed,
        expiry => `exp=${expiry}&sig=${signatureOf(expiry, signed)}&download=${encodeURIComponent(name)}`,
      )
    },

    secondsLeft(key, { exp, sig, download }) {
      if (typeof exp !== 'string' || !/^\d{1,12}$/.test(exp) || typeof sig !== 'string') return
      if (download !== undefined && typeof download !== 'string') return
      if (!equalInConstantTime(sig, signatureOf(exp, signedPart(scopeOf(key), download)))) return
      const milliseconds = Number(exp) * 1000 - options.clock()
      return milliseconds > 0 ? Math.floor(milliseconds / 1000) : undefined
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
