import { sql } from 'kysely'
import { UNDATED_LIMIT, undatedKey } from '#contract/edtf.ts'
import type { Database } from '../db/database.ts'
import type { Handle, MediaRow, Tx } from '../db/schema.ts'
import { inChunks } from '../kit/in-chunks.ts'
import { announceFiles } from './announce.ts'
import { updateCounts } from './counts.sql.ts'
import { contentHashOf, HASH_LENGTH, HIDDEN_AT, MARK } from './hidden-files.sql.ts'
import { updateManyMedia } from './media.sql.ts'
import { upsertSearchTexts } from './search-text.sql.ts'

/** Whether a guest sent it, also after it has been taken into the library. */
export async function isFromGuest(db: Handle, media: Pick<MediaRow, 'id' | 'hash'>): Promise<boolean> {
  if (media.hash.includes(MARK)) return true
  const sent = db.selectFrom('guest_uploads').select('id').where('media_id', '=', media.id).limit(1)
  return (await sent.executeTakeFirst()) !== undefined
}

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
export async function lockDuplicates(db: Database, tx: Tx, files: Iterable<MediaRow>): Promise<Map<string, MediaRow>> {
  const duplicates: MediaRow[] = []
  for (const some of inChunks(new Set([...files].map(contentHashOf)))) {
    const query = tx.selectFrom('media').selectAll().where('hash', 'in', some).orderBy('id')
    duplicates.push(...(await db.forUpdate(query).execute()))
  }
  return new Map(duplicates.map(file => [file.hash, file]))
}

/**
 * Makes them files of the library, uploaded by this person now: they are new to everybody else. `guests` has the name of
 * who sent each of them, which stays with it.
 */
export async function showGuestFiles(
  db: Database,
  tx: Tx,
  files: readonly MediaRow[],
  { at, personId, guests }: { at: number; personId: number; guests: ReadonlyMap<number, string | null> },
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
  const named = files.map(file => ({ ...file, sent_by: guests.get(file.id) ?? null }))
  for (const [sent_by, some] of Map.groupBy(named, file => file.sent_by)) {
    await updateManyMedia(tx, idsOf(some), { sent_by })
  }
  await upsertSearchTexts(tx, named)
  await updateCounts(tx, files, 1)
  await announceFiles(db, tx, idsOf(files))
}

/** Undoes that. */
export async function hideGuestFiles(db: Database, tx: Tx, files: readonly MediaRow[]): Promise<void> {
  // While they are in the library: of hidden files only reviewers are notified.
  await announceFiles(db, tx, idsOf(files))
  for (const some of inChunks(files)) {
    await tx
      .updateTable('media')
      .set({ hash: sql`hash || ${sql.lit(MARK)} || id`, deleted_at: HIDDEN_AT, deleted_by: null })
      .where('id', 'in', idsOf(some))
      .execute()
  }
  await updateCounts(tx, files, -1)
}

/** The library had these among its deleted files. */
export async function restoreDuplicates(db: Database, tx: Tx, files: readonly MediaRow[]): Promise<void> {
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
