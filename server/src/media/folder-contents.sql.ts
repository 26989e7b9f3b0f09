import type { Database } from '../db/database.ts'
import type { Tx } from '../db/schema.ts'
import { moveCounts } from './counts.sql.ts'

/** Moves every file of a folder to the root, the deleted ones too; tells how many live ones there were. */
export async function moveFilesToRoot(db: Database, tx: Tx, folderId: number): Promise<number> {
  const query = tx
    .selectFrom('media')
    .select(['id', 'file_type', 'file_size', 'folder_id', 'deleted_at'])
    .where('folder_id', '=', folderId)
    .orderBy('id')
  const files = await db.forUpdate(query).execute()
  const live = files.filter(file => file.deleted_at === null)
  await tx.updateTable('media').set({ folder_id: null }).where('folder_id', '=', folderId).execute()
  await moveCounts(tx, live, null)
  await tx.deleteFrom('media_counts').where('folder_id', '=', folderId).execute()
  return live.length
}
