import type { Handle } from '../../db/schema.ts'

export async function idsAfter(handle: Handle, after: number, limit: number): Promise<number[]> {
  const rows = await handle
    .selectFrom('media')
    .select('id')
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(row => row.id)
}

export async function peopleWithAvatars(handle: Handle) {
  return handle.selectFrom('people').select(['id', 'avatar_key']).where('avatar_key', 'is not', null).execute()
}

/** Clears the source too, so that the picture is fetched again at the next sign-in. */
export async function clearAvatar(handle: Handle, id: number): Promise<void> {
  await handle.updateTable('people').set({ avatar_key: null, avatar_source: null }).where('id', '=', id).execute()
}
