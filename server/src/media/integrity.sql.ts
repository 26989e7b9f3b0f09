import type { Handle, MediaRow } from '../db/schema.ts'

export async function markVerified(handle: Handle, id: number, now: number): Promise<void> {
  await handle.updateTable('media').set({ verified_at: now, damaged_at: null }).where('id', '=', id).execute()
}

/** Keeps the time when the damage was first found. */
export async function markDamaged(handle: Handle, id: number, now: number): Promise<void> {
  await handle
    .updateTable('media')
    .set(({ fn, val }) => ({ verified_at: now, damaged_at: fn.coalesce('damaged_at', val(now)) }))
    .where('id', '=', id)
    .execute()
}

/** Of a file whose disk is not mounted: nothing is known of it, and the others have their turn. */
export async function postponeVerification(handle: Handle, id: number, now: number): Promise<void> {
  await handle.updateTable('media').set({ verified_at: now }).where('id', '=', id).execute()
}

const verified = ['id', 'hash', 'format', 'incomplete'] as const

export async function nextToVerify(
  handle: Handle,
  lastReadBefore: number,
): Promise<Pick<MediaRow, (typeof verified)[number]> | undefined> {
  // Two queries that each use an index; a single one would sort the whole library.
  const never = await handle
    .selectFrom('media')
    .select(verified)
    .where('verified_at', 'is', null)
    .where('missing_at', 'is', null)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  if (never) return never
  return handle
    .selectFrom('media')
    .select(verified)
    .where('verified_at', '<', lastReadBefore)
    .where('missing_at', 'is', null)
    .orderBy('verified_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
}
