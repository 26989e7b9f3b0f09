import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Role } from '#contract/role.ts'
import type { Handle, MediaRow } from '../db/schema.ts'

/*
 * A file that a guest sent is a row of `media` that no list shows, because it counts as deleted: in the far future, so
 * that no cleanup removes it. Its hash has a suffix, so that nothing finds it as a duplicate, and the same bytes can be in
 * the library at the same time. Jobs, backups and checks treat it like any other file.
 */

/** The end of the year 9999. */
export const HIDDEN_AT = 253_402_300_799_000
export const MARK = ':guest-'
/** BLAKE3 in hex. */
export const HASH_LENGTH = 64

/** The columns of a new file that hide it. */
export function hiddenColumns(hash: string): Pick<MediaRow, 'hash' | 'deleted_at'> {
  return { hash: `${hash}${MARK}${randomUUID()}`, deleted_at: HIDDEN_AT }
}

/** The hash of the bytes. */
export function contentHashOf({ hash }: Pick<MediaRow, 'hash'>): string {
  return hash.split(MARK, 1)[0] ?? hash
}

const isMarked = sql<boolean>`media.hash like ${`%${MARK}%`}`

/** Leaves out the files of guests that are not in the library. For queries of deleted files. */
export const isOfLibrary = sql<boolean>`not ${isMarked}`

/** Those of these files that guests sent and that are not in the library. */
export async function hiddenAmong(handle: Handle, ids: readonly number[]): Promise<Set<number>> {
  const query = handle.selectFrom('media').select('id').where('id', 'in', ids).where(isMarked)
  return new Set((await query.execute()).map(row => row.id))
}

/** The ids of the people who have one of these roles. */
export async function approvedWithRoles(handle: Handle, roles: readonly Role[]): Promise<number[]> {
  const query = handle.selectFrom('people').select('id').where('status', '=', 'approved').where('role', 'in', roles)
  return (await query.execute()).map(person => person.id)
}
