import { mail as limits } from '#contract/limits.ts'
import type { Handle, Tx } from '../db/schema.ts'

export async function damagedFiles(handle: Handle): Promise<{ id: number; original_name: string }[]> {
  return handle
    .selectFrom('media')
    .select(['id', 'original_name'])
    .where('damaged_at', 'is not', null)
    .where('deleted_at', 'is', null)
    .orderBy('damaged_at')
    .orderBy('id')
    .limit(limits.damagedFiles)
    .execute()
}

/** When the first file was uploaded. */
export async function firstUpload(handle: Handle): Promise<number | null> {
  const row = await handle
    .selectFrom('media')
    .select(({ fn }) => fn.min<number | null>('uploaded_at').as('at'))
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row?.at ?? null
}

export async function knownAlerts(tx: Tx): Promise<string[]> {
  return (await tx.selectFrom('mail_alerts').select('name').execute()).map(row => row.name)
}

export async function insertAlerts(tx: Tx, names: readonly string[], since: number): Promise<void> {
  if (names.length === 0) return
  await tx
    .insertInto('mail_alerts')
    .values(names.map(name => ({ name, since })))
    .execute()
}

export async function deleteAlerts(tx: Tx, names: readonly string[]): Promise<void> {
  if (names.length === 0) return
  await tx.deleteFrom('mail_alerts').where('name', 'in', names).execute()
}
