import { type Expression, sql } from 'kysely'
import type { FolderRow, Handle, Tx } from '../db/schema.ts'
import { searchable } from '../kit/searchable.ts'

export async function allFolders(handle: Handle): Promise<FolderRow[]> {
  return handle.selectFrom('folders').selectAll().execute()
}

export async function folderById(handle: Handle, id: number): Promise<FolderRow | undefined> {
  return handle.selectFrom('folders').selectAll().where('id', '=', id).executeTakeFirst()
}

/** The subfolders of a folder or of the root. Uses the expression of the unique index. */
export async function childrenOf(handle: Handle, parentId: number | null): Promise<FolderRow[]> {
  return handle.selectFrom('folders').selectAll().where(isIn(parentId)).orderBy('id').execute()
}

export async function childNamed(
  handle: Handle,
  parentId: number | null,
  nameKey: string,
): Promise<FolderRow | undefined> {
  return handle
    .selectFrom('folders')
    .selectAll()
    .where(isIn(parentId))
    .where('name_key', '=', nameKey)
    .executeTakeFirst()
}

function isIn(parentId: number | null): Expression<boolean> {
  return sql`coalesce(parent_id, 0) = ${parentId ?? 0}`
}

/** A folder with all its parents, from the root on. */
export async function pathTo(handle: Handle, id: number): Promise<{ id: number; name: string }[]> {
  const rows = await handle
    .withRecursive('above', db =>
      db
        .selectFrom('folders')
        .select(['id', 'name', 'parent_id', sql<number>`0`.as('steps')])
        .where('id', '=', id)
        .unionAll(
          db
            .selectFrom('folders')
            .innerJoin('above', 'above.parent_id', 'folders.id')
            .select(['folders.id', 'folders.name', 'folders.parent_id', sql<number>`above.steps + 1`.as('steps')]),
        ),
    )
    .selectFrom('above')
    .select(['id', 'name'])
    .orderBy('steps', 'desc')
    .execute()
  return rows
}

/** The depth of the tree below a folder. */
export async function levelsBelow(handle: Handle, id: number): Promise<number> {
  const row = await handle
    .withRecursive('below', db =>
      db
        .selectFrom('folders')
        .select(['id', sql<number>`0`.as('level')])
        .where('id', '=', id)
        .unionAll(
          db
            .selectFrom('folders')
            .innerJoin('below', 'below.id', 'folders.parent_id')
            .select(['folders.id', sql<number>`below.level + 1`.as('level')]),
        ),
    )
    .selectFrom('below')
    .select(({ fn }) => fn.max('level').as('levels'))
    .executeTakeFirst()
  return row?.levels ?? 0
}

/** Undefined if a sibling has the same name. */
export async function insertFolder(
  tx: Tx,
  folder: Omit<FolderRow, 'id' | 'search_text'>,
): Promise<FolderRow | undefined> {
  return tx
    .insertInto('folders')
    .values({ ...folder, search_text: searchable(folder.name) })
    .onConflict(conflict => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
}

export async function updateFolderRow(
  tx: Tx,
  id: number,
  change: Partial<Pick<FolderRow, 'name' | 'name_key' | 'parent_id'>>,
): Promise<void> {
  const search = change.name === undefined ? {} : { search_text: searchable(change.name) }
  await tx
    .updateTable('folders')
    .set({ ...change, ...search })
    .where('id', '=', id)
    .execute()
}

export async function deleteFolderRow(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('folders').where('id', '=', id).execute()
}
