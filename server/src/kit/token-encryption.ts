import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { StoredAddress } from '#contract/common.ts'
import { AppError } from './errors.ts'

/** In the data folder, and in no backup: a stolen database or backup must not open any link. */
export const linkKeyFile = 'link.key'

/** Encrypts the secrets of links and invitations, so that their addresses can be shown again. */
export interface TokenEncryption {
  /** `subject` names the row, so that a text copied to another row cannot be decrypted. Null without a key. */
  encrypt(token: string, subject: string): string | null
  /** Null without the right key, or if text or subject were changed. */
  decrypt(encrypted: string, subject: string): string | null
  /** Whether this server has the key of a text: cheap enough for lists. Null: there is no text. */
  stateOf(encrypted: string | null): StoredAddress
}

/** The secret, or an error that says why it cannot be shown again. */
export function decryptOrThrow(encryption: TokenEncryption, encrypted: string | null, subject: string): string {
  if (encrypted === null) throw new AppError('conflict', 'links.addressNotStored')
  const token = encryption.decrypt(encrypted, subject)
  if (token === null) throw new AppError('conflict', 'links.addressOfOtherKey')
  return token
}

interface Options {
  /** The first one encrypts, the others only decrypt what was encrypted before. */
  keys: readonly Buffer[]
  /** The file with one more key; undefined: none. */
  file: string | undefined
  /** Whether to make the file at the first use, if there is no other key. */
  makeFile: boolean
  log: { warn(context: object, message: string): void }
}

const ALGORITHM = 'aes-256-gcm'
const KEY_BYTES = 32
const IV_BYTES = 12
const TAG_BYTES = 16
const VERSION = 'v1'

export function createTokenEncryption({ keys: given, file, makeFile, log }: Options): TokenEncryption {
  const warn = (err: unknown) =>
    log.warn({ err, file }, 'links cannot be shown again: their key cannot be read or made; they work all the same')
  const fromFile = attempt(() => (file === undefined ? undefined : readKeyFile(file)), warn)
  const keys = new Map([...given, ...(fromFile ? [fromFile] : [])].map(key => [idOf(key), key]))

  function keyForNew(): [string, Buffer] | undefined {
    const [first] = keys
    if (first || file === undefined || !makeFile) return first
    const key = attempt(() => makeKeyFile(file), warn)
    if (key) keys.set(idOf(key), key)
    return key && [idOf(key), key]
  }

  return {
    encrypt(token, subject) {
      const [id, key] = keyForNew() ?? []
      if (id === undefined || key === undefined) return null
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv(ALGORITHM, key, iv, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(subject))
      const bytes = Buffer.concat([iv, cipher.update(token, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return [VERSION, id, bytes.toString('base64url')].join('.')
    },
    decrypt(encrypted, subject) {
      const key = keys.get(keyIdOf(encrypted) ?? '')
      const bytes = Buffer.from(encrypted.split('.')[2] ?? '', 'base64url')
      if (!key || bytes.length < IV_BYTES + TAG_BYTES) return null
      try {
        const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
        decipher.setAAD(Buffer.from(subject)).setAuthTag(bytes.subarray(-TAG_BYTES))
        const text = decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES))
        return Buffer.concat([text, decipher.final()]).toString('utf8')
      } catch {
        // The tag does not fit: it was changed, or belongs to another row.
        log.warn({ subject }, 'the encrypted secret of a link was changed outside of the program')
        return null
      }
    },
    stateOf(encrypted) {
      if (encrypted === null) return 'not_stored'
      return keys.has(keyIdOf(encrypted) ?? '') ? 'stored' : 'other_key'
    },
  }
}

function keyIdOf(encrypted: string): string | undefined {
  const [version, id] = encrypted.split('.')
  return version === VERSION ? id : undefined
}

/** Names the key in what it has encrypted, and says nothing about it. */
function idOf(key: Buffer): string {
  return createHash('sha256').update('heirloom link key').update(key).digest('base64url').slice(0, 12)
}

/** 32 bytes in base64, base64url or hex. */
export function parseKey(text: string): Buffer | undefined {
  const trimmed = text.trim()
  if (/^[\da-f]{64}$/i.test(trimmed)) return Buffer.from(trimmed, 'hex')
  if (!/^[\w+/-]{43}=?$/.test(trimmed)) return undefined
  const key = Buffer.from(trimmed, 'base64')
  return key.length === KEY_BYTES ? key : undefined
}

/** Undefined if there is no file, or an empty one. Throws if it does not contain a key. */
function readKeyFile(file: string): Buffer | undefined {
  try {
    const [line = ''] = readFileSync(file, 'utf8').split('\n')
    if (line === '') return undefined
    const key = parseKey(line)
    if (!key) throw new Error(`${file} is not a key: 32 bytes in base64`)
    return key
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/**
 * Appends, so that it never overwrites a key: links that it has encrypted could not be shown again. Of two processes that
 * make the file at the same moment, both use the first line. It is on the disk before the first link is encrypted.
 */
function makeKeyFile(file: string): Buffer | undefined {
  const existing = readKeyFile(file)
  if (existing) return existing
  const folder = dirname(file)
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, `${randomBytes(KEY_BYTES).toString('base64')}\n`, { mode: 0o600, flag: 'a', flush: true })
  syncFolder(folder)
  return readKeyFile(file)
}

function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

function attempt<T>(act: () => T, onError: (error: unknown) => void): T | undefined {
  try {
    return act()
  } catch (error) {
    onError(error)
    return undefined
  }
}
