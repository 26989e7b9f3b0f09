import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify<string, Buffer, number, Buffer>(scrypt)
const BYTES = 32

/** With a random salt, so that equal passwords have different hashes. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const hash = await derive(password.normalize('NFC'), salt, BYTES)
  return `${salt.toString('base64url')}.${hash.toString('base64url')}`
}

export async function isPassword(given: string, stored: string): Promise<boolean> {
  const [salt = '', hash = ''] = stored.split('.')
  const derived = await derive(given.normalize('NFC'), Buffer.from(salt, 'base64url'), BYTES)
  return timingSafeEqual(derived, Buffer.from(hash, 'base64url'))
}
