import { type Database, isDatabaseUnavailable } from '../db/database.ts'
import type { MediaPartRow, PartKind } from '../db/schema.ts'
import type { Clock } from '../kit/clock.ts'
import type { SafePath } from '../kit/safe-path.ts'
import type { Storage } from '../storage/storage.ts'
import { type PartSet, partKey } from './object-keys.ts'
import { clearPending, findPossibleOrphans, insertPending, withoutMedia } from './pending-objects.sql.ts'

interface StoreDeps {
  db: Database
  storage: Storage
  clock: Clock
}

/** A finished file in scratch that becomes a part of a media file: a variant, a poster, a converted video. */
export interface MadeFile {
  kind: PartKind
  path: SafePath
  size: number
  mime: string
  width: number | null
  height: number | null
}

/** A part with its storage key, before the media row exists; `path` is the file to store under that key. */
export interface NewPart extends Omit<MediaPartRow, 'media_id'> {
  path: SafePath
}

export function newPart(set: PartSet, made: MadeFile): NewPart {
  const { mime, ...part } = made
  return { ...part, mime_type: mime, key: partKey(set, made.kind, extensionOf(made)) }
}

const extensions: Record<string, string> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'video/mp4': 'mp4',
}

export function extensionOf({ mime }: MadeFile): string {
  const extension = extensions[mime]
  if (extension === undefined) throw new Error(`No part is stored as ${mime}`)
  return extension
}

/**
 * Moves finished files into storage and then runs `commit`, which adds them to the database. No orphan is left behind: on
 * failure the objects are removed here, and those of a server that was killed are removed by `removeOrphans`.
 */
export async function storeThenCommit<T>(
  deps: StoreDeps,
  files: readonly Pick<NewPart, 'key' | 'path'>[],
  commit: () => Promise<T>,
): Promise<T> {
  const { db, storage, clock } = deps
  const keys = files.map(file => file.key)
  const stored: string[] = []
  await insertPending(db.query, keys, clock())
  try {
    for (const file of files) {
      await storage.putFile(file.key, file.path)
      stored.push(file.key)
    }
    return await commit()
  } catch (error) {
    // The transaction may have been committed before the connection was lost. Then the objects are in use, which
    // `removeOrphans` finds out later.
    if (!isDatabaseUnavailable(error)) {
      // Only what this call stored: a key that existed belongs to another run of the same job, whose lease is newer.
      await storage.remove(stored)
      await clearPending(db.query, keys)
    }
    throw error
  }
}

const ORPHANS_PER_BATCH = 500

/** Removes stored objects that no media file refers to: interrupted uploads and replaced or purged parts. */
export async function removeOrphans({ db, storage }: StoreDeps, writtenBefore: number): Promise<number> {
  let removed = 0
  for (;;) {
    const keys = await findPossibleOrphans(db.query, writtenBefore, ORPHANS_PER_BATCH)
    if (keys.length === 0) return removed
    const orphans = await withoutMedia(db.query, keys)
    await storage.remove(orphans)
    await clearPending(db.query, keys)
    removed += orphans.length
  }
}
