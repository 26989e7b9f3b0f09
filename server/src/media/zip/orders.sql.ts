import type { Handle } from '../../db/schema.ts'

export interface ZipOrder {
  fileIds: number[]
  orderedAt: number
}

export async function insertOrder(
  handle: Handle,
  order: ZipOrder & { tokenHash: string; personId: number },
): Promise<void> {
  await handle
    .insertInto('zip_orders')
    .values({
      token_hash: order.tokenHash,
      person_id: order.personId,
      file_ids: JSON.stringify(order.fileIds),
      ordered_at: order.orderedAt,
    })
    .execute()
}

/** Only while whoever ordered it still belongs to the family. */
export async function zipOrder(handle: Handle, tokenHash: string): Promise<ZipOrder | undefined> {
  const row = await handle
    .selectFrom('zip_orders')
    .innerJoin('people', 'people.id', 'zip_orders.person_id')
    .select(['zip_orders.file_ids', 'zip_orders.ordered_at'])
    .where('zip_orders.token_hash', '=', tokenHash)
    .where('people.status', '=', 'approved')
    .executeTakeFirst()
  return row && { fileIds: JSON.parse(row.file_ids), orderedAt: row.ordered_at }
}

export async function forgetOrders(handle: Handle, before: number): Promise<void> {
  await handle.deleteFrom('zip_orders').where('ordered_at', '<', before).execute()
}
