import { createHash } from 'node:crypto'
import type { ImportKind, ImportState } from '#contract/imports.ts'
import type { Database } from '../db/database.ts'
import type { Handle, ImportRow, Tx } from '../db/schema.ts'
import { inChunks } from '../kit/in-chunks.ts'
import type { SourceFile } from './plan.ts'

export async function insertImport(
  tx: Tx,
  row: Pick<ImportRow, 'kind' | 'source' | 'person_id' | 'created_at'>,
): Promise<number> {
  const inserted = await tx
    .insertInto('imports')
    .values({ ...row, state: 'waiting' })
    .returning('id')
    .executeTakeFirstOrThrow()
  return inserted.id
}

export async function findImport(handle: Handle, id: number): Promise<ImportRow | undefined> {
  return handle.selectFrom('imports').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Newest first. */
export async function listImports(handle: Handle, limit: number): Promise<ImportRow[]> {
  return handle.selectFrom('imports').selectAll().orderBy('id', 'desc').limit(limit).execute()
}

export async function updateImport(handle: Handle, id: number, change: Partial<Omit<ImportRow, 'id'>>): Promise<void> {
  await handle.updateTable('imports').set(change).where('id', '=', id).execute()
}

/** False: it is in another state by now. */
export async function changeState(
  handle: Handle,
  id: number,
  from: readonly ImportState[],
  change: Partial<Omit<ImportRow, 'id'>>,
): Promise<boolean> {
  const { numUpdatedRows } = await handle
    .updateTable('imports')
    .set(change)
    .where('id', '=', id)
    .where('state', 'in', from)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The last one of the same source that has not ended. */
export async function findUnfinishedImport(
  handle: Handle,
  { kind, source, person_id }: Pick<ImportRow, 'kind' | 'source' | 'person_id'>,
): Promise<number | undefined> {
  const row = await handle
    .selectFrom('imports')
    .select('id')
    .where('kind', '=', kind)
    .where('source', '=', source)
    .where('person_id', '=', person_id)
    .where('state', 'in', ['waiting', 'running', 'stopped', 'failed'])
    .orderBy('id', 'desc')
    .executeTakeFirst()
  return row?.id
}

export function sourceKey(kind: ImportKind, { path, size, fingerprint }: SourceFile): string {
  return createHash('sha256')
    .update(JSON.stringify([kind, path, size, fingerprint]))
    .digest('base64url')
}

export interface KnownFile {
  hash: string
  media_id: number
}

/** What an earlier import found in this file. */
export async function findKnownFile(handle: Handle, key: string): Promise<KnownFile | undefined> {
  const query = handle.selectFrom('import_files').select(['hash', 'media_id']).where('source_key', '=', key)
  return query.orderBy('import_id', 'desc').limit(1).executeTakeFirst()
}

/** Whether earlier imports had it under this name of the source, and people have deleted all of that since. */
export async function isDeletedAtSourceId(handle: Handle, id: string): Promise<boolean> {
  const rows = await handle
    .selectFrom('import_files')
    .leftJoin('media', 'media.id', 'import_files.media_id')
    .select(['media.id', 'media.deleted_at'])
    .where('source_id', '=', id)
    .execute()
  return rows.length > 0 && rows.every(row => row.id === null || row.deleted_at !== null)
}

/** What the library has of these bytes. `purged`: an import brought them, and they were deleted for good. */
export async function stateOfHash(
  handle: Handle,
  hash: string,
): Promise<{ state: 'here'; mediaId: number } | { state: 'deleted' | 'purged' | 'damaged' | 'unknown' }> {
  const media = await handle
    .selectFrom('media')
    .select(['id', 'deleted_at', 'damaged_at'])
    .where('hash', '=', hash)
    .executeTakeFirst()
  if (media?.damaged_at != null) return { state: 'damaged' }
  if (media) return media.deleted_at === null ? { state: 'here', mediaId: media.id } : { state: 'deleted' }
  const known = await handle.selectFrom('import_files').select('media_id').where('hash', '=', hash).executeTakeFirst()
  return { state: known ? 'purged' : 'unknown' }
}

/** Shared, until the transaction ends. */
export async function lockStored(db: Database, tx: Tx, id: number) {
  return db.forShare(tx.selectFrom('media').select(['hash', 'uploaded_at']).where('id', '=', id)).executeTakeFirst()
}

export async function recordFile(
  tx: Tx,
  row: {
    import_id: number
    source_key: string
    source_id: string | null
    hash: string
    media_id: number
    added: 0 | 1
  },
): Promise<void> {
  await tx
    .insertInto('import_files')
    .values(row)
    // A file that this import added stays so in a second attempt.
    .onConflict(conflict =>
      conflict.columns(['import_id', 'source_key']).doUpdateSet({ hash: row.hash, media_id: row.media_id }),
    )
    .execute()
}

export async function addedFiles(handle: Handle, importId: number): Promise<number[]> {
  const query = handle.selectFrom('import_files').select('media_id').distinct()
  const rows = await query.where('import_id', '=', importId).where('added', '=', 1).execute()
  return rows.map(row => row.media_id)
}

export async function factsOf(handle: Handle, mediaId: number): Promise<Set<string>> {
  const rows = await handle.selectFrom('import_facts').select('fact').where('media_id', '=', mediaId).execute()
  return new Set(rows.map(row => row.fact))
}

/** Those of these files that no import has given this fact. */
export async function withoutFact(handle: Handle, fact: string, mediaIds: readonly number[]): Promise<number[]> {
  const given = new Set<number>()
  for (const some of inChunks(mediaIds)) {
    const query = handle.selectFrom('import_facts').select('media_id').where('fact', '=', fact)
    for (const row of await query.where('media_id', 'in', some).execute()) given.add(row.media_id)
  }
  return [...new Set(mediaIds)].filter(id => !given.has(id))
}

export async function recordFacts(
  tx: Tx,
  importId: number,
  rows: readonly { mediaId: number; fact: string; changeId?: number | null | undefined }[],
): Promise<void> {
  for (const some of inChunks(rows, 200)) {
    await tx
      .insertInto('import_facts')
      .values(
        some.map(({ mediaId, fact, changeId }) => ({
          ...{ media_id: mediaId, fact, import_id: importId, change_id: changeId ?? null },
        })),
      )
      .onConflict(conflict => conflict.columns(['media_id', 'fact']).doNothing())
      .execute()
  }
}

export async function recordNames(tx: Tx, importId: number, mediaId: number, names: readonly string[]): Promise<void> {
  if (names.length === 0) return
  await tx
    .insertInto('imported_names')
    .values(names.map(name => ({ media_id: mediaId, name, import_id: importId })))
    .onConflict(conflict => conflict.columns(['media_id', 'name']).doNothing())
    .execute()
}

export async function recordEditedVersion(
  tx: Tx,
  row: { media_id: number; original_id: number; import_id: number },
): Promise<void> {
  await tx
    .insertInto('edited_versions')
    .values(row)
    .onConflict(conflict => conflict.column('media_id').doNothing())
    .execute()
}

export async function findImportedAlbum(handle: Handle, personId: number, key: string): Promise<number | undefined> {
  const query = handle.selectFrom('import_albums').select('album_id').where('person_id', '=', personId)
  return (await query.where('source_key', '=', key).executeTakeFirst())?.album_id
}

export async function recordAlbum(
  tx: Tx,
  row: { person_id: number; source_key: string; import_id: number; album_id: number },
): Promise<void> {
  await tx.insertInto('import_albums').values(row).execute()
}

/** What is known of a file that is here already. */
export async function findLacking(handle: Handle, id: number) {
  const query = handle
    .selectFrom('media')
    .leftJoin('place_corrections', 'place_corrections.media_id', 'media.id')
    .select(['media.id', 'original_name', 'taken_local', 'taken_offset', 'date_source', 'media.corrected_by'])
    .select(['media.latitude', 'media.longitude', 'caption', 'caption_source', 'place_corrections.kind as place_kind'])
  return query.where('media.id', '=', id).where('deleted_at', 'is', null).executeTakeFirst()
}

/** Approved people by their name in lower case; undefined for a name that two have. */
export async function peopleByName(handle: Handle): Promise<Map<string, number | undefined>> {
  const rows = await handle.selectFrom('people').select(['id', 'name']).where('status', '=', 'approved').execute()
  const byName = Map.groupBy(rows, ({ name }) => comparableName(name))
  return new Map([...byName].map(([name, people]) => [name, people.length === 1 ? people[0]?.id : undefined]))
}

export function comparableName(name: string): string {
  return name.normalize('NFKC').trim().toLowerCase()
}

export async function factsGivenBy(handle: Handle, importId: number) {
  const query = handle.selectFrom('import_facts').select(['media_id', 'fact', 'change_id'])
  return query.where('import_id', '=', importId).orderBy('media_id').execute()
}

export async function albumsMadeBy(handle: Handle, importId: number): Promise<number[]> {
  const rows = await handle.selectFrom('import_albums').select('album_id').where('import_id', '=', importId).execute()
  return rows.map(row => row.album_id)
}

/** The same source can then be imported again as if it never was. The import itself stays in the list. */
export async function forgetImport(tx: Tx, importId: number): Promise<void> {
  for (const table of ['import_files', 'import_facts', 'import_albums', 'imported_names', 'edited_versions'] as const) {
    await tx.deleteFrom(table).where('import_id', '=', importId).execute()
  }
}
