import { sql } from 'kysely'
import type { Handle, Tx } from '../db/schema.ts'

const ROWS_AT_ONCE = 1_000

/** Some of them; returns whether there were any. Literals, because the index has the same condition. */
export async function deleteOldLines(tx: Tx, before: number): Promise<boolean> {
  const old = tx
    .selectFrom('audit_log')
    .select('id')
    .where('created_at', '<', before)
    .where(sql<boolean>`action <> 'media.purge'`)
    .orderBy('created_at')
    .limit(ROWS_AT_ONCE)
  const deleted = await tx.deleteFrom('audit_log').where('id', 'in', old).executeTakeFirst()
  return deleted.numDeletedRows > 0n
}

function oldChanges(handle: Handle, before: number) {
  return handle
    .selectFrom('changes')
    .where('created_at', '<', before)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('audit_log').select('id').whereRef('audit_log.change_id', '=', 'changes.id'))),
    )
}

/** Of changes that no line is about any more. */
export async function deleteOldFiles(tx: Tx, before: number): Promise<boolean> {
  const old = oldChanges(tx, before)
    .innerJoin('change_files', 'change_files.change_id', 'changes.id')
    .select('change_files.id')
    .limit(ROWS_AT_ONCE)
  const deleted = await tx.deleteFrom('change_files').where('id', 'in', old).executeTakeFirst()
  return deleted.numDeletedRows > 0n
}

/** Changes without files. */
export async function deleteOldChanges(tx: Tx, before: number): Promise<boolean> {
  const old = oldChanges(tx, before).select('changes.id').limit(ROWS_AT_ONCE)
  const deleted = await tx.deleteFrom('changes').where('id', 'in', old).executeTakeFirst()
  return deleted.numDeletedRows > 0n
}
