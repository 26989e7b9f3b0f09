import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { UNDATED_LIMIT, undatedKey } from '#contract/edtf.ts'
import type { Database } from '../db/database.ts'
import type { MediaRow, Tx } from '../db/schema.ts'
import { inChunks } from '../kit/in-chunks.ts'
import { announceFiles } from './announce.ts'
import { updateCounts } from './counts.sql.ts'
import { updateManyMedia } from './media.sql.ts'

/*
 * A file that a guest sent is a row of `media` that no list shows, because it counts as deleted: in the far future, so
 * that no cleanup removes it. Its hash has a suffix, so that nothing finds it as a duplicate, and the same bytes can be in
 * the library at the same time. Jobs, backups and checks treat it like any other file.
 */

/** The end of the year 9999. */
const HIDDEN_AT = 253_402_300_799_000
const MARK = ':guest-'
/** BLAKE3 in hex. */
const HASH_LENGTH = 64

/** The columns of a new file that hide it. */
export function hiddenColumns(hash: string): Pick<MediaRow, 'hash' | 'deleted_at'> {
  return { hash: `${hash}${MARK}${randomUUID()}`, deleted_at: HIDDEN_AT }
}

/** The hash of the bytes. */
export function contentHashOf({ hash }: Pick<MediaRow, 'hash'>): string {
  return hash.split(MARK, 1)[0] ?? hash
}

/** Leaves out the files of guests that are not in the library. For queries of deleted files. */
export const isOfLibrary = sql<boolean>`media.hash not like ${`%${MARK}%`}`

/** Locked until the transaction ends, by id. */
export async function lockGuestFiles(db: Database, tx: Tx, ids: readonly number[]): Promise<Map<number, MediaRow>> {
  const files: MediaRow[] = []
  for (const some of inChunks([...ids].sort((a, b) => a - b))) {
    const query = tx.selectFrom('media').selectAll().where('id', 'in', some).orderBy('id')
    files.push(...(await db.forUpdate(query).execute()))
  }
  return new Map(files.map(file => [file.id, file]))
}

/** The files of the library that have the same bytes as these, by hash; deleted ones too. */
export async function lockHeldFiles(db: Database, tx: Tx, files: Iterable<MediaRow>): Promise<Map<string, MediaRow>> {
  const held: MediaRow[] = []
  for (const some of inChunks(new Set([...files].map(contentHashOf)))) {
    const query = tx.selectFrom('media').selectAll().where('hash', 'in', some).orderBy('id')
    held.push(...(await db.forUpdate(query).execute()))
  }
  return new Map(held.map(file => [file.hash, file]))
}

/** Makes them files of the library, uploaded by this person now: they are new to everybody else. */
export async function showGuestFiles(
  db: Database,
  tx: Tx,
  files: readonly MediaRow[],
  { at, personId }: { at: number; personId: number },
): Promise<void> {
  // Undated files are sorted by their upload.
  const date_sort = sql<number>`case when date_sort < ${sql.lit(UNDATED_LIMIT)} then ${sql.lit(undatedKey(at))} else date_sort end`
  for (const some of inChunks(files)) {
    await tx
      .updateTable('media')
      .set({ hash: sql`substr(hash, 1, ${sql.lit(HASH_LENGTH)})`, deleted_at: null, deleted_by: null })
      .set({ uploaded_by: personId, uploaded_at: at, date_sort })
      .where('id', 'in', idsOf(some))
      .execute()
  }
  await updateCounts(tx, files, 1)
  await announceFiles(db, tx, idsOf(files))
}

/** Undoes that. */
export async function hideGuestFiles(db: Database, tx: Tx, files: readonly MediaRow[]): Promise<void> {
  for (const some of inChunks(files)) {
    await tx
      .updateTable('media')
      .set({ hash: sql`hash || ${sql.lit(MARK)} || id`, deleted_at: HIDDEN_AT, deleted_by: null })
      .where('id', 'in', idsOf(some))
      .execute()
  }
  await updateCounts(tx, files, -1)
  await announceFiles(db, tx, idsOf(files))
}

/** The library had these among its deleted files. */
export async function restoreHeld(db: Database, tx: Tx, files: readonly MediaRow[]): Promise<void> {
  await updateManyMedia(tx, idsOf(files), { deleted_at: null, deleted_by: null })
  await updateCounts(tx, files, 1)
  await announceFiles(db, tx, idsOf(files))
}

/** They are purged like deleted files, unless they are kept again before. */
export async function discardGuestFiles(
  tx: Tx,
  ids: readonly number[],
  { at, personId }: { at: number; personId: number },
): Promise<void> {
  await updateManyMedia(tx, ids, { deleted_at: at, deleted_by: personId })
}

export async function keepGuestFiles(tx: Tx, ids: readonly number[]): Promise<void> {
  await updateManyMedia(tx, ids, { deleted_at: HIDDEN_AT, deleted_by: null })
}

function idsOf(files: readonly MediaRow[]): number[] {
  return files.map(file => file.id)
}
