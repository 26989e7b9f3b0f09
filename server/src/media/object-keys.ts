import type { PartKind } from '../db/schema.ts'
import { randomSuffix, storedName, WATCHED } from '../storage/keys.ts'

/** Common to the keys of all parts of a file and never changed: `2024/06/IMG_1234~k3v9x2ab`. */
export function newKeyStem(name: string, date: Date): string {
  const month = String(date.getUTCMonth() + 1).padStart(2, '0')
  return `${date.getUTCFullYear()}/${month}/${storedName(name, randomSuffix(), '')}`
}

export function originalKey(stem: string, extension: string): string {
  return `originals/${stem}.${extension}`
}

/** The key of a part that stays in a watched folder: `source-folders/watched-storage.ts` finds its path. */
export function watchedKey(key: string): string {
  return `${WATCHED}${keyStemOf(key)}${key.slice(key.lastIndexOf('.'))}`
}

/** Identifies parts that are made together: the keys of the others follow from the key of one. */
export interface PartSet {
  stem: string
  version: number
  suffix: string
}

/** The suffix is random, so that a retried job never collides with the objects of a server that was killed. */
export function newPartSet(stem: string, version: number): PartSet {
  return { stem, version, suffix: randomSuffix() }
}

/** Contains the version, so that a new picture has a new URL (cache busting). */
export function partKey({ stem, version, suffix }: PartSet, kind: PartKind, extension: string): string {
  return `variants/${stem}/${kind}-v${version}-${suffix}.${extension}`
}

export function keyStemOf(key: string): string {
  return key.replace(/^(?:originals|watched)\//, '').replace(/\.[^./]+$/, '')
}
