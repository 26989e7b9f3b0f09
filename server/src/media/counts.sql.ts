import type { FileType } from '#contract/media.ts'
import type { SharedFilter } from '#contract/media-filter.ts'
import type { LibraryStats } from '#contract/media-list.ts'
import type { Handle, Tx } from '../db/schema.ts'

export interface CountedFile {
  folder_id: number | null
  file_type: FileType
  file_size: number
}

const NO_FOLDER = 0

/** Adds files to the stored counts or, with `-1`, subtracts them. */
export async function updateCounts(tx: Tx, files: readonly CountedFile[], sign: 1 | -1): Promise<void> {
  await applyChanges(tx, changesOf(files, sign))
}

/** Moves files from the counts of their folders to those of another folder. */
export async function moveCounts(tx: Tx, files: readonly CountedFile[], folderId: number | null): Promise<void> {
  const arriving = files.map(file => ({ ...file, folder_id: folderId }))
  await applyChanges(tx, [...changesOf(files, -1), ...changesOf(arriving, 1)])
}

interface CountChange {
  folder_id: number
  file_type: FileType
  files: number
  bytes: number
}

function changesOf(files: readonly CountedFile[], sign: 1 | -1): CountChange[] {
  const changes = new Map<string, CountChange>()
  for (const file of files) {
    const folder_id = file.folder_id ?? NO_FOLDER
    const name = `${folder_id}/${file.file_type}`
    const change = changes.get(name) ?? { folder_id, file_type: file.file_type, files: 0, bytes: 0 }
    change.files += sign
    change.bytes += sign * file.file_size
    changes.set(name, change)
  }
  return [...changes.values()]
}

async function applyChanges(tx: Tx, changes: CountChange[]): Promise<void> {
  // In a fixed order, so that two transactions cannot deadlock.
  changes.sort((a, b) => a.folder_id - b.folder_id || a.file_type.localeCompare(b.file_type))
  for (const change of changes) {
    await tx
      .insertInto('media_counts')
      .values(change)
      .onConflict(conflict =>
        conflict.columns(['folder_id', 'file_type']).doUpdateSet(eb => ({
          files: eb('media_counts.files', '+', change.files),
          bytes: eb('media_counts.bytes', '+', change.bytes),
        })),
      )
      .execute()
  }
}

/** A wrong count of one folder must not make the list of all folders fail. */
function atLeastNone(count: number | null | undefined): number {
  return Math.max(0, count ?? 0)
}

/** Of the whole library, or of the files directly in a folder. */
export async function libraryStats(handle: Handle, folder?: number | 'root'): Promise<LibraryStats> {
  let query = handle
    .selectFrom('media_counts')
    .select(({ fn }) => ['file_type', fn.sum<number>('files').as('files'), fn.sum<number>('bytes').as('bytes')])
    .groupBy('file_type')
  if (folder !== undefined) query = query.where('folder_id', '=', keyOfFolder(folder))
  const rows = await query.execute()
  const of = (type: FileType) => atLeastNone(rows.find(row => row.file_type === type)?.files)
  const [images, videos] = [of('image'), of('video')]
  return {
    total: images + videos,
    images,
    videos,
    totalSize: atLeastNone(rows.reduce((sum, row) => sum + row.bytes, 0)),
  }
}

/** The counts are stored by folder and type. */
export type CountFilter = Pick<SharedFilter, 'folder_id' | 'type'>

const keyOfFolder = (folder: number | 'root') => (folder === 'root' ? NO_FOLDER : folder)

export async function countFiles(handle: Handle, where: CountFilter): Promise<number> {
  let query = handle.selectFrom('media_counts').select(({ fn }) => fn.sum<number | null>('files').as('files'))
  if (where.folder_id !== undefined) query = query.where('folder_id', '=', keyOfFolder(where.folder_id))
  if (where.type) query = query.where('file_type', '=', where.type)
  return atLeastNone((await query.executeTakeFirst())?.files)
}

/** The query for the number of files per day and heading. */
export function filesByDay(handle: Handle, where: CountFilter) {
  let query = handle
    .selectFrom('media_day_counts')
    .select(({ fn }) => ['heading_rank', 'day', fn.sum<number>('files').as('files')])
    .groupBy(['heading_rank', 'day'])
  if (where.folder_id !== undefined) query = query.where('folder_id', '=', keyOfFolder(where.folder_id))
  if (where.type) query = query.where('file_type', '=', where.type)
  return query
}

export async function countFilesByFolder(handle: Handle): Promise<Map<number, number>> {
  const rows = await handle
    .selectFrom('media_counts')
    .select(({ fn }) => ['folder_id', fn.sum<number>('files').as('files')])
    .groupBy('folder_id')
    .execute()
  return new Map(rows.map(row => [row.folder_id, atLeastNone(row.files)]))
}

/** Counts the files themselves. For tests: the stored counts must equal this. */
export async function recount(handle: Handle): Promise<CountChange[]> {
  const rows = await handle
    .selectFrom('media')
    .select(({ fn }) => [
      'folder_id',
      'file_type',
      fn.countAll<number>().as('files'),
      fn.sum<number>('file_size').as('bytes'),
    ])
    .where('deleted_at', 'is', null)
    .groupBy(['folder_id', 'file_type'])
    .execute()
  return rows.map(row => ({ ...row, folder_id: row.folder_id ?? NO_FOLDER }))
}
