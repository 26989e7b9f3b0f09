import { createHash, randomBytes } from 'node:crypto'

/** 256 random bits, opaque to its holder. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

/** Whether a text has the shape of our tokens; any other was not made by us. */
export function isToken(text: string): boolean {
  return /^[\w-]{43}$/.test(text)
}

/** What is kept of a token: with a stolen database nobody can use it. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
