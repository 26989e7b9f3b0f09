import type { Handle } from '../../db/schema.ts'

export interface ZipOrder {
  personId: number
  /** Names the session without being able to open it. */
  sessionId: string
  fileIds: number[]
  orderedAt: number
}

export async function insertOrder(handle: Handle, order: ZipOrder & { tokenHash: string }): Promise<void> {
  await handle
    .insertInto('zip_downloads')
    .values({
      token_hash: order.tokenHash,
      person_id: order.personId,
      session_hash: order.sessionId,
      media_ids: JSON.stringify(order.fileIds),
      created_at: order.orderedAt,
    })
    .execute()
}

export async function findOrder(handle: Handle, tokenHash: string): Promise<ZipOrder | undefined> {
  const row = await handle
    .selectFrom('zip_downloads')
    .select(['person_id', 'session_hash', 'media_ids', 'created_at'])
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst()
  // Orders from before sessions were noted have none, and open nothing.
  if (!row || row.session_hash === null) return undefined
  const { person_id: personId, session_hash: sessionId, media_ids, created_at: orderedAt } = row
  return { personId, sessionId, fileIds: JSON.parse(media_ids), orderedAt }
}

export async function deleteOrders(handle: Handle, before: number): Promise<void> {
  await handle.deleteFrom('zip_downloads').where('created_at', '<', before).execute()
}
