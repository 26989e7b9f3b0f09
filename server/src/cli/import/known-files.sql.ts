import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Handle } from '../../db/schema.ts'
import type { TreeFile } from './walk.ts'

export interface KnownFile {
  hash: string
  mediaId: number
}

/**
 * Caches which files on disk were imported before, by path, size and date, so that a resumed import does not read
 * them again. Only a cache: without it every file is read again, and duplicates are detected by hash.
 */
export interface KnownFiles {
  find(file: TreeFile): KnownFile | undefined
  remember(file: TreeFile, known: KnownFile): void
  close(): void
}

export function openKnownFiles(dataFolder: string): KnownFiles {
  const file = join(dataFolder, 'imported.db')
  // Private, because it contains the names of a person's folders.
  closeSync(openSync(file, 'a', 0o600))
  const database = new DatabaseSync(file)
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
  database.exec(
    'create table if not exists imported (path text primary key, size integer, modified_at real, hash text, media_id integer)',
  )
  const find = database.prepare(
    'select hash, media_id as mediaId from imported where path = ? and size = ? and modified_at = ?',
  )
  const remember = database.prepare('insert or replace into imported values (?, ?, ?, ?, ?)')
  return {
    find: file => find.get(file.path, file.size, file.modifiedAt) as KnownFile | undefined,
    remember({ path, size, modifiedAt }, { hash, mediaId }) {
      remember.run(path, size, modifiedAt, hash, mediaId)
    },
    close: () => database.close(),
  }
}

/** The state of a file that was imported before. `lost`: not in the library, or damaged there. */
export async function importState(handle: Handle, { hash, mediaId }: KnownFile): Promise<'there' | 'deleted' | 'lost'> {
  const media = await handle
    .selectFrom('media')
    .select(['deleted_at', 'damaged_at'])
    .where('hash', '=', hash)
    .executeTakeFirst()
  if (media) {
    if (media.damaged_at !== null) return 'lost'
    return media.deleted_at === null ? 'there' : 'deleted'
  }
  return (await wasPurged(handle, mediaId)) ? 'deleted' : 'lost'
}

async function wasPurged(handle: Handle, mediaId: number): Promise<boolean> {
  const purge = await handle
    .selectFrom('change_files')
    .innerJoin('changes', 'changes.id', 'change_id')
    .select('changes.id')
    .where('media_id', '=', mediaId)
    .where('kind', '=', 'media.purge')
    .executeTakeFirst()
  if (purge) return true
  // Earlier versions wrote a line for each file.
  const line = await handle
    .selectFrom('audit_log')
    .select('id')
    .where('subject_type', '=', 'media')
    .where('subject_id', '=', mediaId)
    .where('action', '=', 'media.purge')
    .executeTakeFirst()
  return line !== undefined
}
