import type { SortField } from '#contract/media-list.ts'
import type { StartView } from '#contract/people.ts'
import type { MutableKind, OptionalKind } from '#contract/settings.ts'
import type { Locale } from '#messages/locales.ts'
import type { Handle, Tx } from '../db/schema.ts'

export async function mutedKinds(handle: Handle, personId: number): Promise<MutableKind[]> {
  const rows = await handle
    .selectFrom('muted_notifications')
    .select('kind')
    .where('person_id', '=', personId)
    .orderBy('kind')
    .execute()
  return rows.map(row => row.kind)
}

export async function replaceMutedKinds(tx: Tx, personId: number, kinds: readonly MutableKind[]): Promise<void> {
  await tx.deleteFrom('muted_notifications').where('person_id', '=', personId).execute()
  if (kinds.length === 0) return
  await tx
    .insertInto('muted_notifications')
    .values([...new Set(kinds)].map(kind => ({ person_id: personId, kind })))
    .execute()
}

export async function wantedKinds(handle: Handle, personId: number): Promise<OptionalKind[]> {
  const rows = await handle
    .selectFrom('wanted_notifications')
    .select('kind')
    .where('person_id', '=', personId)
    .orderBy('kind')
    .execute()
  return rows.map(row => row.kind)
}

export async function replaceWantedKinds(tx: Tx, personId: number, kinds: readonly OptionalKind[]): Promise<void> {
  await tx.deleteFrom('wanted_notifications').where('person_id', '=', personId).execute()
  if (kinds.length === 0) return
  await tx
    .insertInto('wanted_notifications')
    .values([...new Set(kinds)].map(kind => ({ person_id: personId, kind })))
    .execute()
}

interface ChangedColumns {
  name?: string | undefined
  provider_name?: string | null | undefined
  start_view?: StartView | null | undefined
  start_sort?: SortField | null | undefined
  language?: Locale | null | undefined
}

export async function updateSettings(tx: Tx, personId: number, columns: ChangedColumns): Promise<void> {
  if (Object.values(columns).every(value => value === undefined)) return
  await tx.updateTable('people').set(columns).where('id', '=', personId).execute()
}
