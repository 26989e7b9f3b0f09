import type { Database } from '../db/database.ts'
import type { Handle, MediaRow, Tx } from '../db/schema.ts'
import { inChunks } from '../kit/in-chunks.ts'
import { isOfLibrary } from './hidden-files.sql.ts'

/** The deleted files that a person may see and restore: all, those that they deleted or uploaded, or what others deleted of theirs. */
export type Restorable = 'all' | { personId: number } | { uploadedBy: number }

function deletedMedia(handle: Handle, which: Restorable) {
  const query = handle.selectFrom('media').where('deleted_at', 'is not', null).where(isOfLibrary)
  if (which === 'all') return query
  if ('uploadedBy' in which) {
    const { uploadedBy } = which
    return query.where('uploaded_by', '=', uploadedBy).where('deleted_by', '<>', uploadedBy)
  }
  const { personId } = which
  return query.where(({ or, eb }) => or([eb('deleted_by', '=', personId), eb('uploaded_by', '=', personId)]))
}

/** Locked until the transaction ends, in a fixed order to prevent deadlocks. */
export async function lockDeleted(db: Database, tx: Tx, which: Restorable, ids: readonly number[]) {
  const locked: Pick<MediaRow, 'id' | 'file_type' | 'file_size' | 'folder_id' | 'deleted_at' | 'uploaded_by'>[] = []
  for (const some of inChunks([...new Set(ids)].sort((a, b) => a - b))) {
    const query = deletedMedia(tx, which)
      .select(['id', 'file_type', 'file_size', 'folder_id', 'deleted_at', 'uploaded_by'])
      .where('id', 'in', some)
      .orderBy('id')
    locked.push(...(await db.forUpdate(query).execute()))
  }
  return locked
}

export async function listDeletedIds(handle: Handle, which: Restorable): Promise<number[]> {
  const rows = await deletedMedia(handle, which)
    .select('id')
    .orderBy('deleted_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map(row => row.id)
}

export interface PurgedFile {
  id: number
  name: string
  file_type: MediaRow['file_type']
  keys: string[]
}

/** Deletes the rows of the files that were deleted longest ago. Returns them with their keys, now orphaned. */
export async function purgeOldest(db: Database, tx: Tx, deletedBefore: number, limit: number): Promise<PurgedFile[]> {
  const query = tx
    .selectFrom('media')
    .select(['id', 'original_name', 'file_type'])
    .where('deleted_at', '<', deletedBefore)
    .orderBy('deleted_at')
    .limit(limit)
  const files = await db.forUpdate(query).execute()
  if (files.length === 0) return []
  const ids = files.map(file => file.id)
  const parts = await tx.deleteFrom('media_parts').where('media_id', 'in', ids).returning(['media_id', 'key']).execute()
  await tx.deleteFrom('media').where('id', 'in', ids).execute()
  return files.map(file => ({
    id: file.id,
    name: file.original_name,
    file_type: file.file_type,
    keys: parts.filter(part => part.media_id === file.id).map(part => part.key),
  }))
}

export async function listDeletedMedia(
  handle: Handle,
  which: Restorable,
  limit: number,
  last: { deletedAt: number; id: number } | undefined,
): Promise<MediaRow[]> {
  let query = deletedMedia(handle, which).selectAll()
  if (last !== undefined) {
    query = query.where(eb => eb(eb.refTuple('deleted_at', 'id'), '<', eb.tuple(last.deletedAt, last.id)))
  }
  return query.orderBy('deleted_at', 'desc').orderBy('id', 'desc').limit(limit).execute()
}
