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
    .insertInto('zip_orders')
    .values({
      token_hash: order.tokenHash,
      person_id: order.personId,
      session_hash: order.sessionId,
      file_ids: JSON.stringify(order.fileIds),
      ordered_at: order.orderedAt,
    })
    .execute()
}

/** Only while the session that ordered it lasts, and its person is approved. */
export async function zipOrder(handle: Handle, tokenHash: string): Promise<ZipOrder | undefined> {
  const row = await handle
    .selectFrom('zip_orders')
    .innerJoin('sessions', 'sessions.token_hash', 'zip_orders.session_hash')
    .innerJoin('people', 'people.id', 'sessions.person_id')
    .select(['sessions.person_id', 'sessions.token_hash', 'zip_orders.file_ids', 'zip_orders.ordered_at'])
    .where('zip_orders.token_hash', '=', tokenHash)
    .where('people.status', '=', 'approved')
    .executeTakeFirst()
  if (!row) return undefined
  const { person_id: personId, token_hash: sessionId, file_ids, ordered_at: orderedAt } = row
  return { personId, sessionId, fileIds: JSON.parse(file_ids), orderedAt }
}

export async function forgetOrders(handle: Handle, before: number): Promise<void> {
  await handle.deleteFrom('zip_orders').where('ordered_at', '<', before).execute()
}
