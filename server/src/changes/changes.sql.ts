import { type RawBuilder, sql } from 'kysely'
import type { AuditAct } from '#contract/audit.ts'
import { changes as limits } from '#contract/limits.ts'
import type { Database } from '../db/database.ts'
import type { ChangeRow, Handle, Tx } from '../db/schema.ts'
import { inChunks } from '../kit/in-chunks.ts'

export interface ChangedFile {
  id: number
  file_type: 'image' | 'video'
  before: unknown
}

export type NewChange = Pick<ChangeRow, 'kind' | 'field' | 'value' | 'person_id' | 'created_at'>

export async function insertChange(tx: Tx, change: NewChange): Promise<ChangeRow> {
  const row = { ...change, files: 0, videos: 0 }
  return tx.insertInto('changes').values(row).returningAll().executeTakeFirstOrThrow()
}

export async function findChange(handle: Handle, id: number): Promise<ChangeRow | undefined> {
  return handle.selectFrom('changes').selectAll().where('id', '=', id).executeTakeFirst()
}

/** A file that belongs to the change already keeps what it was before the first call. */
export async function insertFiles(tx: Tx, id: number, files: readonly ChangedFile[]): Promise<void> {
  const videos = new Set(files.filter(file => file.file_type === 'video').map(file => file.id))
  const inserted: number[] = []
  for (const some of inChunks(files)) {
    const rows = some.map(file => ({ change_id: id, media_id: file.id, before: JSON.stringify(file.before) }))
    const query = tx
      .insertInto('change_files')
      .values(rows)
      .onConflict(conflict => conflict.columns(['change_id', 'media_id']).doNothing())
    inserted.push(...(await query.returning('media_id').execute()).map(row => row.media_id))
  }
  const newVideos = inserted.filter(fileId => videos.has(fileId)).length
  await tx
    .updateTable('changes')
    .set(eb => ({ files: eb('files', '+', inserted.length), videos: eb('videos', '+', newVideos) }))
    .where('id', '=', id)
    .execute()
}

/** Of the row of `change_files` in the outer query: later changes of this field of the file, without those that were undone. */
function laterChanges(handle: Handle, field: RawBuilder<string | null>) {
  return handle
    .selectFrom('change_files as later')
    .innerJoin('changes as other', 'other.id', 'later.change_id')
    .select('later.id')
    .where('later.media_id', '=', sql.ref<number>('change_files.media_id'))
    .where('later.id', '>', sql.ref<number>('change_files.id'))
    .where('later.undone_at', 'is', null)
    .where('other.field', '=', field)
}

/** The files of a change that are not deleted and whose last change of that field it is. */
function undoableFiles(handle: Handle, { id, field }: Pick<ChangeRow, 'id' | 'field'>) {
  return handle
    .selectFrom('change_files')
    .innerJoin('media', 'media.id', 'media_id')
    .where('change_id', '=', id)
    .where('undone_at', 'is', null)
    .where('media.deleted_at', 'is', null)
    .where(({ not, exists }) => not(exists(laterChanges(handle, sql.val(field)))))
}

export async function undoableIds(handle: Handle, change: ChangeRow): Promise<number[]> {
  const rows = await undoableFiles(handle, change).select('media_id').orderBy('media_id').execute()
  return rows.map(row => row.media_id)
}

/** What those of these files were that can be undone, by id. */
export async function filesBefore(
  handle: Handle,
  change: ChangeRow,
  among: readonly number[],
): Promise<Map<number, unknown>> {
  const found = new Map<number, unknown>()
  for (const some of inChunks(among)) {
    const rows = await undoableFiles(handle, change)
      .select(['media_id', 'before'])
      .where('media_id', 'in', some)
      .execute()
    for (const { media_id, before } of rows) found.set(media_id, before === null ? null : JSON.parse(before))
  }
  return found
}

export async function countUndoable(db: Database, change: Pick<ChangeRow, 'id' | 'field'>): Promise<number> {
  const count = db.interruptible(undoableFiles(db.query, change)).select(({ fn }) => fn.countAll<number>().as('files'))
  return (await count.executeTakeFirstOrThrow()).files
}

/** Returns for how many files the change was undone by now. */
export async function markUndone(tx: Tx, id: number, mediaIds: readonly number[], at: number): Promise<number> {
  for (const some of inChunks(mediaIds)) {
    await tx
      .updateTable('change_files')
      .set({ undone_at: at })
      .where('change_id', '=', id)
      .where('media_id', 'in', some)
      .execute()
  }
  const { undone } = await tx
    .updateTable('changes')
    .set(eb => ({ undone: eb('undone', '+', mediaIds.length) }))
    .where('id', '=', id)
    .returning('undone')
    .executeTakeFirstOrThrow()
  return undone
}

/** The last changes of a person that were not undone for all of their files, newest first. */
export async function lastChangesOf(
  handle: Handle,
  personId: number,
  { kinds, limit }: { kinds: readonly AuditAct[]; limit: number },
): Promise<ChangeRow[]> {
  return handle
    .selectFrom('changes')
    .selectAll()
    .where('person_id', '=', personId)
    .where('kind', 'in', kinds)
    .whereRef('undone', '<', 'files')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** For how many files each of these changes can be undone, and the name of one of them. One that cannot be undone is missing. */
export async function undoableOfEach(
  db: Database,
  ids: readonly number[],
): Promise<Map<number, { files: number; name: string }>> {
  if (ids.length === 0) return new Map()
  const query = db.query
    .selectFrom('change_files')
    .innerJoin('changes', 'changes.id', 'change_files.change_id')
    .innerJoin('media', 'media.id', 'change_files.media_id')
    .where('change_files.change_id', 'in', ids)
    .where('change_files.undone_at', 'is', null)
    .where('media.deleted_at', 'is', null)
    .where(({ not, exists }) => not(exists(laterChanges(db.query, sql.ref('changes.field')))))
    .groupBy('change_files.change_id')
  const rows = await db
    .interruptible(query)
    .select(({ fn }) => [
      'change_files.change_id as id',
      fn.countAll<number>().as('files'),
      fn.min('media.original_name').as('name'),
    ])
    .execute()
  return new Map(rows.map(({ id, files, name }) => [id, { files, name }]))
}

/** What this person changed of a file and nobody has changed since, newest first. */
export async function lastChangesOfFile(handle: Handle, mediaId: number, personId: number): Promise<ChangeRow[]> {
  const rows = await handle
    .selectFrom('change_files')
    .innerJoin('changes', 'changes.id', 'change_id')
    .selectAll('changes')
    .where('media_id', '=', mediaId)
    .where('undone_at', 'is', null)
    .where('field', 'is not', null)
    .orderBy('change_files.id', 'desc')
    .limit(limits.searched)
    .execute()
  const fields = new Map<string | null, ChangeRow>()
  for (const row of rows) if (!fields.has(row.field)) fields.set(row.field, row)
  return [...fields.values()].filter(row => row.person_id === personId).slice(0, limits.shown)
}
