import type { PartKind } from '../db/schema.ts'
import { randomSuffix, storedName } from '../storage/keys.ts'

/** Chosen when a file is taken in and never changed: `2024/06/IMG_1234~k3v9x2ab`, the same for all its parts. */
export function newKeyStem(name: string, date: Date): string {
  const month = String(date.getUTCMonth() + 1).padStart(2, '0')
  return `${date.getUTCFullYear()}/${month}/${storedName(name, randomSuffix(), '')}`
}

export function originalKey(stem: string, extension: string): string {
  return `originals/${stem}.${extension}`
}

/**
 * Carries a version, so that a picture that is made anew has a new address; and a tail, so that whoever makes it never
 * meets the keys of a server that was killed while it made the same.
 */
export function partKey(stem: string, kind: PartKind, version: number, extension: string): string {
  return `variants/${stem}/${kind}-v${version}-${randomSuffix()}.${extension}`
}

export function keyStemOf(key: string): string {
  return key.replace(/^originals\//, '').replace(/\.[^./]+$/, '')
}
