import type { Handle, Tx } from '../db/schema.ts'
import { inChunks } from '../kit/in-chunks.ts'

/** Notes keys before anything is written under them: should the server die, the next start knows what to remove. */
export async function insertPending(handle: Handle, keys: readonly string[], now: number): Promise<void> {
  if (keys.length === 0) return
  await handle
    .insertInto('pending_objects')
    .values(keys.map(key => ({ key, created_at: now, purpose: 'writing' as const })))
    .execute()
}

/** The keys belong to a file now, or have been removed. */
export async function clearPending(handle: Handle, keys: readonly string[]): Promise<void> {
  if (keys.length > 0) await handle.deleteFrom('pending_objects').where('key', 'in', keys).execute()
}

/** Hands keys that lost their file to the sweep. */
export async function markForRemoval(tx: Tx, keys: readonly string[], now: number): Promise<void> {
  for (const some of inChunks(keys, 500)) {
    await tx
      .insertInto('pending_objects')
      .values(some.map(key => ({ key, created_at: now, purpose: 'removing' as const })))
      .onConflict(conflict => conflict.column('key').doUpdateSet({ purpose: 'removing' as const }))
      .execute()
  }
}

/** Keys that no file owns, oldest first. What is being written counts only when it was begun before `writtenBefore`. */
export async function findPossibleOrphans(handle: Handle, writtenBefore: number, limit: number): Promise<string[]> {
  const rows = await handle
    .selectFrom('pending_objects')
    .select('key')
    .where(eb => eb.or([eb('purpose', '=', 'removing'), eb('created_at', '<', writtenBefore)]))
    .orderBy('created_at')
    .limit(limit)
    .execute()
  return rows.map(row => row.key)
}

/** Those that no file has: what was about to be written may be there already, written by another. */
export async function withoutMedia(handle: Handle, keys: readonly string[]): Promise<string[]> {
  const rows = await handle.selectFrom('media_parts').select('key').where('key', 'in', keys).execute()
  const owned = new Set(rows.map(row => row.key))
  return keys.filter(key => !owned.has(key))
}
