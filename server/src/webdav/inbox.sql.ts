import { sql } from 'kysely'
import type { Handle, InboxEntryRow, Tx } from '../db/schema.ts'
import { type InboxPath, joined } from './paths.ts'

export async function findEntry(
  handle: Handle,
  personId: number,
  { parent, name }: InboxPath,
): Promise<InboxEntryRow | undefined> {
  return handle
    .selectFrom('inbox_entries')
    .selectAll()
    .where('person_id', '=', personId)
    .where('parent', '=', parent)
    .where('name', '=', name)
    .executeTakeFirst()
}

export function entriesPage(
  handle: Handle,
  personId: number,
  parent: string,
  limit: number,
  after = '',
): Promise<InboxEntryRow[]> {
  return handle
    .selectFrom('inbox_entries')
    .selectAll()
    .where('person_id', '=', personId)
    .where('parent', '=', parent)
    .where('name', '>', after)
    .orderBy('name')
    .limit(limit)
    .execute()
}

export async function hasEntries(handle: Handle, personId: number, parent: string): Promise<boolean> {
  return (await entriesPage(handle, personId, parent, 1)).length > 0
}

export async function countEntries(handle: Handle, personId: number): Promise<number> {
  const row = await handle
    .selectFrom('inbox_entries')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('person_id', '=', personId)
    .executeTakeFirst()
  return Number(row?.count ?? 0)
}

type Entry = Omit<InboxEntryRow, 'id'>

/** Replaces what was there. */
export async function putEntry(handle: Handle, entry: Entry): Promise<void> {
  const { person_id, parent, name, created_at, ...content } = entry
  await handle
    .insertInto('inbox_entries')
    .values(entry)
    .onConflict(conflict => conflict.columns(['person_id', 'parent', 'name']).doUpdateSet(content))
    .execute()
}

/** False if something of this name is there already. */
export async function insertEntry(handle: Handle, entry: Entry): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await handle
    .insertInto('inbox_entries')
    .values(entry)
    .onConflict(conflict => conflict.columns(['person_id', 'parent', 'name']).doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

export async function deleteEntry(handle: Handle, id: number): Promise<void> {
  await handle.deleteFrom('inbox_entries').where('id', '=', id).execute()
}

/** Moves an entry, and what is below it if it is a folder. */
export async function moveEntry(tx: Tx, entry: InboxEntryRow, to: InboxPath): Promise<void> {
  await tx.updateTable('inbox_entries').set({ parent: to.parent, name: to.name }).where('id', '=', entry.id).execute()
  if (entry.is_folder !== 1) return
  const [from, target] = [joined(entry), joined(to)]
  await tx
    .updateTable('inbox_entries')
    .set({ parent: sql`${target} || substr(parent, ${[...from].length + 1})` })
    .where('person_id', '=', entry.person_id)
    .where(isBelow(from))
    .execute()
}

/** Whether an entry is in this folder or below it. */
function isBelow(folder: string) {
  return sql<boolean>`(parent = ${folder} or substr(parent, 1, ${[...folder].length + 1}) = ${`${folder}/`})`
}

/** The length of the longest path below a folder. */
export async function longestBelow(tx: Tx, folder: InboxEntryRow): Promise<number> {
  const row = await tx
    .selectFrom('inbox_entries')
    .select(sql<number | null>`max(length(parent) + 1 + length(name))`.as('longest'))
    .where('person_id', '=', folder.person_id)
    .where(isBelow(joined(folder)))
    .executeTakeFirst()
  return row?.longest ?? 0
}

/** A file of the library with these bytes that is not deleted, or one that is. Deleted ones stay deleted. */
export async function findByHash(
  handle: Handle,
  hash: string,
): Promise<{ id: number; deleted_at: number | null } | undefined> {
  return handle
    .selectFrom('media')
    .select(['id', 'deleted_at'])
    .where('hash', '=', hash)
    .where('damaged_at', 'is', null)
    .executeTakeFirst()
}

export async function findUpload(handle: Handle, mediaId: number) {
  return handle
    .selectFrom('media')
    .select(['id', 'original_name', 'uploaded_by'])
    .where('id', '=', mediaId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

export interface Lock {
  token: string
  person_id: number
  path: string
  owner: string
  expires_at: number
}

export async function locksOf(handle: Handle, personId: number, now: number): Promise<Lock[]> {
  return handle
    .selectFrom('webdav_locks')
    .selectAll()
    .where('person_id', '=', personId)
    .where('expires_at', '>', now)
    .execute()
}

export async function insertLock(tx: Tx, lock: Lock): Promise<void> {
  await tx.insertInto('webdav_locks').values(lock).execute()
}

export async function renewLock(tx: Tx, token: string, expiresAt: number): Promise<void> {
  await tx.updateTable('webdav_locks').set({ expires_at: expiresAt }).where('token', '=', token).execute()
}

export async function deleteLock(handle: Handle, personId: number, token: string): Promise<boolean> {
  const { numDeletedRows } = await handle
    .deleteFrom('webdav_locks')
    .where('person_id', '=', personId)
    .where('token', '=', token)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function deleteExpiredLocks(tx: Tx, now: number): Promise<void> {
  await tx.deleteFrom('webdav_locks').where('expires_at', '<=', now).execute()
}
