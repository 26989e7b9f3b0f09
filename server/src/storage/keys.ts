import { randomBytes } from 'node:crypto'
import { AppError } from '#server/kit/errors.ts'
import type { SafeName } from '#server/kit/safe-path.ts'

declare const keyBrand: unique symbol

/** The name of a stored object. Every storage parses the keys that it is given, even those from the database. */
export type StorageKey = SafeName & { readonly [keyBrand]: true }

// A key is a readable path: `originals/2024/06/IMG_1234~k3v9x2ab.jpg`. All parts of a file share the folder, name and
// random suffix: `variants/2024/06/IMG_1234~k3v9x2ab/thumbnail-v1.jpg`.

/** Begins the keys of originals that stay in a watched folder. Storage holds them only after a restore. */
export const WATCHED = 'watched/'

const MAX_KEY_BYTES = 1000
const MAX_SEGMENT_BYTES = 255

/** Control characters, line separators, lone surrogates, bidirectional controls, the byte order mark and backslashes. */
const FORBIDDEN = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Bidi_Control}\uFEFF\\]/u
const ALL_FORBIDDEN = new RegExp(FORBIDDEN, 'gu')

/** Fast path: nearly all keys match this. */
const PLAIN = /^(?:[\w~-][\w.~ -]{0,200}\/){0,4}[\w~-][\w.~ -]{0,120}$/

/** False for path traversal, names that another file system would change, and hidden files. */
export function isKey(text: string): text is StorageKey {
  if (PLAIN.test(text)) return true
  return (
    Buffer.byteLength(text) <= MAX_KEY_BYTES &&
    !FORBIDDEN.test(text) &&
    text === text.normalize('NFC') &&
    text.split('/').every(isValidSegment)
  )
}

export function parseKey(text: string): StorageKey {
  if (!isKey(text)) throw new AppError('invalid', 'storage.noSuchName')
  return text
}

function isValidSegment(segment: string): boolean {
  return segment !== '' && !segment.startsWith('.') && Buffer.byteLength(segment) <= MAX_SEGMENT_BYTES
}

/** Without 0, 1, l and o, which are easily confused. */
const SUFFIX_ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789'
const SUFFIX_AT = /~[a-z0-9]{8}(?=[./]|$)/y

export function randomSuffix(): string {
  return Array.from(randomBytes(8), byte => SUFFIX_ALPHABET[byte % SUFFIX_ALPHABET.length]).join('')
}

/**
 * The path below the first folder up to the random suffix, which all keys of one file share and no other file has. The
 * last `~` counts, since names may contain others. A key without a suffix is its own scope.
 */
export function scopeOf(key: string): string {
  SUFFIX_AT.lastIndex = Math.max(key.lastIndexOf('~'), 0)
  // After a match, `lastIndex` of a sticky expression is the end of the match.
  return SUFFIX_AT.test(key) ? key.slice(key.indexOf('/') + 1, SUFFIX_AT.lastIndex) : key
}

/** A file's own folder or, in a seeded library, its suffix comes before the size. */
const SMALL_PICTURE = /^variants\/.*(?:\/|~[a-z0-9]{8}\.)(?:thumbnail|mobile)-v\d+(?:-[a-z0-9]{8})?\.(?:jpg|png)$/u

/** Whether the key is that of a thumbnail or of the next size, which grids show. */
export function isSmallPicture(key: string): boolean {
  return SMALL_PICTURE.test(key)
}

const MAX_STEM_BYTES = 120

/** The file name in storage: `IMG_1234~k3v9x2ab.jpg`. The stem is the original name, sanitised for all file systems. */
export function storedName(name: string, tail: string, extension: string): string {
  return `${readableStem(name)}~${tail}${extension && `.${extension}`}`
}

function readableStem(name: string): string {
  const lastPart = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1)
  const stem = lastPart
    .replace(/\.(?=\d*[a-z])[a-z0-9]{1,5}$/i, '')
    .replace(ALL_FORBIDDEN, '')
    .replace(/[/:*?"<>|]/g, '_')
    .normalize('NFC')
    .replace(/^[\s.]+/u, '')
  return truncateToBytes(stem, MAX_STEM_BYTES).replace(/[\s.\u200D]+$/u, '') || 'file'
}

/** Never splits a character. */
export function truncateToBytes(text: string, max: number): string {
  let bytes = 0
  let end = 0
  for (const character of text) {
    bytes += Buffer.byteLength(character)
    if (bytes > max) break
    end += character.length
  }
  return text.slice(0, end)
}
