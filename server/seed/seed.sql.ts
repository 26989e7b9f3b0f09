import type { Handle, MediaPartRow, MediaRow, NewMedia, Tx } from '#server/db/schema.ts'
import { withProportion } from '#server/media/media.sql.ts'
import { upsertSearchTexts } from '#server/media/search-text.sql.ts'

/** No provider has this issuer, so nobody can ever sign in as one of these people. */
export const SEED_ISSUER = 'heirloom:seed'
const SETTING = 'seed'

/** Progress of the seed, stored in the settings. */
export interface SeedState {
  /** Number of files so far, which is also the number of the next file. */
  files: number
  /** The files with their own bytes, which the copies share. */
  real: number[]
}

export async function readState(handle: Handle): Promise<SeedState> {
  const row = await handle.selectFrom('settings').select('value').where('name', '=', SETTING).executeTakeFirst()
  return row ? JSON.parse(row.value) : { files: 0, real: [] }
}

export async function writeState(tx: Tx, state: SeedState): Promise<void> {
  const value = JSON.stringify(state)
  await tx
    .insertInto('settings')
    .values({ name: SETTING, value })
    .onConflict(conflict => conflict.column('name').doUpdateSet({ value }))
    .execute()
}

/** Whether the library contains real data: then the seed must not add generated files. */
export async function holdsRealThings(handle: Handle): Promise<boolean> {
  const file = await handle
    .selectFrom('media')
    .innerJoin('people', 'people.id', 'media.uploaded_by')
    .select('media.id')
    .where('people.issuer', '<>', SEED_ISSUER)
    .limit(1)
    .executeTakeFirst()
  const folder = await handle
    .selectFrom('folders')
    .leftJoin('people', 'people.id', 'folders.created_by')
    .select('folders.id')
    .where(eb => eb.or([eb('people.issuer', 'is', null), eb('people.issuer', '<>', SEED_ISSUER)]))
    .limit(1)
    .executeTakeFirst()
  return file !== undefined || folder !== undefined
}

export async function hasAlbums(handle: Handle): Promise<boolean> {
  return (await handle.selectFrom('albums').select('id').limit(1).executeTakeFirst()) !== undefined
}

export async function countStatus(handle: Handle, ids: readonly number[], status: MediaRow['status']): Promise<number> {
  if (ids.length === 0) return 0
  const row = await handle
    .selectFrom('media')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('id', 'in', ids)
    .where('status', '=', status)
    .executeTakeFirstOrThrow()
  return row.count
}

export async function readyFiles(handle: Handle, ids: readonly number[]): Promise<MediaRow[]> {
  if (ids.length === 0) return []
  return handle
    .selectFrom('media')
    .selectAll()
    .where('id', 'in', ids)
    .where('status', '=', 'ready')
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute()
}

/** Bulk insert. Returns the ids in the order of the rows. */
export async function insertFiles(tx: Tx, rows: NewMedia[]): Promise<number[]> {
  const added = await tx
    .insertInto('media')
    .values(rows.map(withProportion))
    .returning(['id', 'hash', 'original_name', 'caption', 'location', 'camera', 'sent_by'])
    .execute()
  await upsertSearchTexts(tx, added)
  const ids = new Map(added.map(({ id, hash }) => [hash, id]))
  return rows.map(row => ids.get(row.hash) ?? 0)
}

export async function insertAllParts(tx: Tx, parts: MediaPartRow[]): Promise<void> {
  await tx.insertInto('media_parts').values(parts).execute()
}
