import { sql } from 'kysely'
import type { Handle, Tx } from '../db/schema.ts'

const columns = [
  ...(['id', 'person_id', 'title', 'media_ids', 'part_bytes', 'status', 'progress', 'missing'] as const),
  ...(['parts', 'created_at', 'expires_at'] as const),
] as const

export type ExportRow = Awaited<ReturnType<typeof exportsOf>>[number]

/** The latest first. */
export async function exportsOf(handle: Handle, personId: number, now: number) {
  const query = handle.selectFrom('exports').select(columns).where('person_id', '=', personId)
  return query.where('expires_at', '>', now).orderBy('id', 'desc').execute()
}

export async function findExport(handle: Handle, id: number): Promise<ExportRow | undefined> {
  return handle.selectFrom('exports').select(columns).where('id', '=', id).executeTakeFirst()
}

export async function insertExport(
  tx: Tx,
  row: Pick<ExportRow, 'person_id' | 'title' | 'media_ids' | 'part_bytes' | 'created_at' | 'expires_at'>,
): Promise<ExportRow> {
  return tx
    .insertInto('exports')
    .values({ ...row, status: 'preparing' })
    .returning(columns)
    .executeTakeFirstOrThrow()
}

/** False if it is not there any more. */
export async function updateExport(
  handle: Handle,
  id: number,
  changes: Partial<Pick<ExportRow, 'status' | 'progress' | 'missing' | 'parts' | 'expires_at'>>,
): Promise<boolean> {
  const result = await handle.updateTable('exports').set(changes).where('id', '=', id).executeTakeFirst()
  return result.numUpdatedRows > 0n
}

export async function expireExportsOf(tx: Tx, personId: number): Promise<void> {
  await tx.updateTable('exports').set({ expires_at: 0 }).where('person_id', '=', personId).execute()
}

export async function expiredExports(handle: Handle, now: number): Promise<number[]> {
  const rows = await handle.selectFrom('exports').select('id').where('expires_at', '<=', now).execute()
  return rows.map(row => row.id)
}

export async function deleteExport(handle: Handle, id: number): Promise<void> {
  await handle.deleteFrom('exports').where('id', '=', id).execute()
}

export async function insertExportLink(
  handle: Handle,
  link: { token_hash: string; export_id: number; session_hash: string; created_at: number },
): Promise<void> {
  await handle.insertInto('export_links').values(link).execute()
}

export async function findExportLink(handle: Handle, tokenHash: string) {
  return handle
    .selectFrom('export_links')
    .innerJoin('exports', 'exports.id', 'export_id')
    .select(['exports.id', 'exports.title', 'person_id', 'parts', 'status', 'expires_at', 'session_hash'])
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst()
}

/** Not of a part that was removed meanwhile. */
export async function storeChecksum(
  handle: Handle,
  key: string,
  sums: { crc32: number; blake3: string },
): Promise<void> {
  await handle
    .insertInto('part_checksums')
    .columns(['key', 'crc32', 'blake3'])
    .expression(eb =>
      eb
        .selectFrom('media_parts')
        .select(['key', sql.lit(sums.crc32).as('crc32'), sql.lit(sums.blake3).as('blake3')])
        .where('key', '=', key),
    )
    .onConflict(conflict => conflict.column('key').doNothing())
    .execute()
}
