import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { Handle, MediaRow } from '../db/schema.ts'
import { filesOfAlbum, filesOfFolder } from '../media/public.ts'

/** The files of a folder of the library (null: in none), or of an album. */
export type Scope = { folderId: number | null } | { album: { id: number; search: string | null } }

export type LibraryFile = Pick<
  MediaRow,
  'id' | 'original_name' | 'name_sort' | 'file_size' | 'mime_type' | 'hash' | 'uploaded_at'
>

function filesIn(db: Database, scope: Scope) {
  return 'album' in scope ? filesOfAlbum(db, scope.album) : filesOfFolder(db, scope.folderId)
}

const columns = [
  'media.id',
  'media.original_name',
  'media.name_sort',
  'media.file_size',
  'media.mime_type',
  'media.hash',
  'media.uploaded_at',
] as const

/** Some files after this one, by name. */
export function filesPage(
  db: Database,
  scope: Scope,
  limit: number,
  after?: Pick<LibraryFile, 'name_sort' | 'id'>,
): Promise<LibraryFile[]> {
  let query = filesIn(db, scope).select(columns)
  if (after) query = query.where(sql<boolean>`(media.name_sort, media.id) > (${after.name_sort}, ${after.id})`)
  return query.orderBy('media.name_sort').orderBy('media.id').limit(limit).execute()
}

export async function findFile(
  db: Database,
  scope: Scope,
  by: { id: number } | { name: string },
): Promise<LibraryFile | undefined> {
  const files = filesIn(db, scope).select(columns)
  const found = 'id' in by ? files.where('media.id', '=', by.id) : files.where('media.original_name', '=', by.name)
  return found.orderBy('media.id').limit(1).executeTakeFirst()
}

export function albumsByTitle(handle: Handle) {
  return handle
    .selectFrom('albums')
    .select(['id', 'title', 'search', 'created_at'])
    .where('deleted_at', 'is', null)
    .orderBy('search_text')
    .orderBy('id')
    .execute()
}

export function foldersByName(handle: Handle) {
  return handle.selectFrom('folders').select(['id', 'name', 'parent_id', 'created_at']).orderBy('name_key').execute()
}
