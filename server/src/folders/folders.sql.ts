import type { FolderRow, Handle, Tx } from '../db/schema.ts'

export async function allFolders(handle: Handle): Promise<FolderRow[]> {
  return handle.selectFrom('folders').selectAll().execute()
}

export async function folderById(handle: Handle, id: number): Promise<FolderRow | undefined> {
  return handle.selectFrom('folders').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Undefined when a sibling bears the name. */
export async function insertFolder(tx: Tx, folder: Omit<FolderRow, 'id'>): Promise<FolderRow | undefined> {
  return tx
    .insertInto('folders')
    .values(folder)
    .onConflict(conflict => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
}

export async function updateFolderRow(
  tx: Tx,
  id: number,
  change: Partial<Pick<FolderRow, 'name' | 'name_key' | 'parent_id'>>,
): Promise<void> {
  await tx.updateTable('folders').set(change).where('id', '=', id).execute()
}

export async function deleteFolderRow(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('folders').where('id', '=', id).execute()
}
