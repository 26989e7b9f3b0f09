import { createHash, createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'

/** 256 random bits, opaque to the client. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

/** Whether a text has the format of our tokens. */
export function isToken(text: string): boolean {
  return /^[\w-]{43}$/.test(text)
}

/** Without those that look like others, because people type them on phones. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789'

/** About 124 random bits, in five groups. */
export function newAppPassword(): string {
  const group = () => Array.from({ length: 5 }, () => LETTERS[randomInt(LETTERS.length)]).join('')
  return Array.from({ length: 5 }, group).join('-')
}

/** Whether a text has the format of our app passwords, which no token has; phones may begin with a capital letter. */
export function isAppPassword(text: string): boolean {
  return /^[a-z2-9]{5}(?:-[a-z2-9]{5}){4}$/i.test(text)
}

/** Only the hash of a token is stored, so that tokens in a stolen database are useless. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

/** An id that only this server can have given for this purpose. Nothing is stored of it. */
export function idToken(secret: Buffer, purpose: string, id: number): string {
  return `${id}.${createHmac('sha256', secret).update(`${purpose} ${id}`).digest('base64url')}`
}

/** Undefined if it is no such token. */
export function idInToken(secret: Buffer, purpose: string, token: string | undefined): number | undefined {
  const [, id] = /^([1-9]\d{0,14})\.[\w-]{43}$/.exec(token ?? '') ?? []
  if (token === undefined || id === undefined) return undefined
  const [given, expected] = [Buffer.from(token), Buffer.from(idToken(secret, purpose, Number(id)))]
  return given.length === expected.length && timingSafeEqual(given, expected) ? Number(id) : undefined
}
