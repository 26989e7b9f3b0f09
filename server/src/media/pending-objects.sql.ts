import type { Handle, Tx } from '../db/schema.ts'
import { inChunks } from '../kit/in-chunks.ts'

/** Records keys before anything is written under them, so that the orphans of a killed server can be found. */
export async function insertPending(handle: Handle, keys: readonly string[], now: number): Promise<void> {
  if (keys.length === 0) return
  await handle
    .insertInto('pending_objects')
    .values(keys.map(key => ({ key, created_at: now, purpose: 'writing' as const })))
    .execute()
}

/** To be called when the keys belong to a media row, or their objects have been removed. */
export async function clearPending(handle: Handle, keys: readonly string[]): Promise<void> {
  if (keys.length > 0) await handle.deleteFrom('pending_objects').where('key', 'in', keys).execute()
}

/** Marks keys of deleted parts, so that `removeOrphans` removes their objects. */
export async function markForRemoval(tx: Tx, keys: readonly string[], now: number): Promise<void> {
  for (const some of inChunks(keys, 500)) {
    await tx
      .insertInto('pending_objects')
      .values(some.map(key => ({ key, created_at: now, purpose: 'removing' as const })))
      .onConflict(conflict => conflict.column('key').doUpdateSet({ purpose: 'removing' as const }))
      .execute()
  }
}

/** Oldest first. Keys that are being written count only if that began before `writtenBefore`. */
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

/** The keys that no media row refers to. A pending one may be referred to when its transaction was committed after all. */
export async function withoutMedia(handle: Handle, keys: readonly string[]): Promise<string[]> {
  const rows = await handle.selectFrom('media_parts').select('key').where('key', 'in', keys).execute()
  const owned = new Set(rows.map(row => row.key))
  return keys.filter(key => !owned.has(key))
}
