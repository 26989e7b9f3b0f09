import { createHash, randomBytes } from 'node:crypto'

/** 256 random bits, opaque to the client. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

/** Whether a text has the format of our tokens. */
export function isToken(text: string): boolean {
  return /^[\w-]{43}$/.test(text)
}

/** Only the hash of a token is stored, so that tokens in a stolen database are useless. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
