import type { PartKind } from '../db/schema.ts'
import { randomSuffix, storedName } from '../storage/keys.ts'

/** Common to the keys of all parts of a file and never changed: `2024/06/IMG_1234~k3v9x2ab`. */
export function newKeyStem(name: string, date: Date): string {
  const month = String(date.getUTCMonth() + 1).padStart(2, '0')
  return `${date.getUTCFullYear()}/${month}/${storedName(name, randomSuffix(), '')}`
}

export function originalKey(stem: string, extension: string): string {
  return `originals/${stem}.${extension}`
}

/**
 * Contains a version, so that a new picture has a new URL (cache busting), and a random suffix, so that a retried job
 * never collides with the objects of a server that was killed.
 */
export function partKey(stem: string, kind: PartKind, version: number, extension: string): string {
  return `variants/${stem}/${kind}-v${version}-${randomSuffix()}.${extension}`
}

export function keyStemOf(key: string): string {
  return key.replace(/^originals\//, '').replace(/\.[^./]+$/, '')
}
