import { webdav } from '#contract/limits.ts'
import type { InboxEntryRow } from '../db/schema.ts'
import { openFolderFinder } from '../folders/public.ts'
import { AppError } from '../kit/errors.ts'
import type { Caller } from '../kit/serve.ts'
import { type ReceivedUpload, renameFile, type StoreStreamDeps, storeStream } from '../media/public.ts'
import {
  countEntries,
  deleteEntry,
  findByHash,
  findEntry,
  findUpload,
  hasEntries,
  insertEntry,
  longestBelow,
  moveEntry,
  putEntry,
} from './inbox.sql.ts'
import { type InboxPath, isLitter, joined, pathTooLong } from './paths.ts'

/**
 * Receives a file. Folders of the inbox are folders of the library. A deleted photo is not restored: devices send the same
 * files again by themselves.
 */
export async function putFile(
  deps: StoreStreamDeps,
  caller: Caller,
  path: InboxPath,
  body: ReceivedUpload,
): Promise<{ isNew: boolean; hash: string | null }> {
  const { db, clock } = deps
  const before = await findEntry(db.query, caller.id, path)
  if (path.name === '' || before?.is_folder === 1) throw new AppError('method_not_allowed', 'webdav.isFolder')
  await requireFolder(deps, caller, path.parent)
  if (!before) await requireRoom(deps, caller)
  const stored = await storeStream(deps, body, {
    name: path.name,
    uploaderId: caller.id,
    async folderId() {
      return (await openFolderFinder(deps, caller.id))(path.parent === '' ? [] : path.parent.split('/'))
    },
    async known(hash) {
      return (await findByHash(db.query, hash))?.id
    },
  })
  const now = clock()
  await putEntry(db.query, {
    person_id: caller.id,
    ...path,
    is_folder: 0,
    media_id: stored?.mediaId ?? null,
    size: stored?.size ?? 0,
    hash: stored?.hash ?? null,
    modified_at: body.modifiedAt ?? now,
    created_at: now,
  })
  return { isNew: before === undefined, hash: stored?.hash ?? null }
}

export async function makeFolder(deps: StoreStreamDeps, caller: Caller, path: InboxPath): Promise<void> {
  await requireFolder(deps, caller, path.parent)
  await requireRoom(deps, caller)
  const now = deps.clock()
  const entry = { person_id: caller.id, ...path, is_folder: 1, media_id: null, size: 0, hash: null }
  const isNew = path.name !== '' && (await insertEntry(deps.db.query, { ...entry, modified_at: now, created_at: now }))
  if (!isNew) throw new AppError('method_not_allowed', 'webdav.exists')
}

/**
 * Renames an entry. A file that this person has just sent under the old name gets the new one in the library too, because some
 * clients send under a temporary name first.
 */
export async function move(
  deps: StoreStreamDeps,
  caller: Caller,
  from: InboxPath,
  to: InboxPath,
  overwrite: boolean,
): Promise<{ replaced: boolean }> {
  const { db } = deps
  const entry = await requireEntry(deps, caller, from)
  if (to.name === '' || `${joined(to)}/`.startsWith(`${joined(from)}/`)) {
    throw new AppError('forbidden', 'webdav.ontoItself')
  }
  await requireFolder(deps, caller, to.parent)
  const replaced = await db.transaction(async tx => {
    const there = await findEntry(tx, caller.id, to)
    if (there && !overwrite) throw new AppError('precondition_failed', 'webdav.exists')
    if (there?.is_folder === 1) throw new AppError('conflict', 'webdav.exists')
    const deepest = entry.is_folder === 1 ? await longestBelow(tx, entry) : 0
    if (deepest - joined(from).length + joined(to).length > webdav.pathLength) throw pathTooLong()
    if (there) await deleteEntry(tx, there.id)
    await moveEntry(tx, entry, to)
    return there !== undefined
  })
  const media = entry.media_id === null ? undefined : await findUpload(db.query, entry.media_id)
  if (media && media.uploaded_by === caller.id && media.original_name === from.name && from.name !== to.name) {
    await renameFile(deps, caller.id, media.id, { newName: to.name, expected: from.name })
  }
  return { replaced }
}

/** Removes what has no content: clients make empty files and folders, and tidy them up. Photos are deleted in Heirloom alone. */
export async function removeEntry(deps: StoreStreamDeps, caller: Caller, path: InboxPath): Promise<void> {
  const entry = await requireEntry(deps, caller, path)
  const isEmpty = entry.is_folder === 1 ? !(await hasEntries(deps.db.query, caller.id, joined(path))) : entry.size === 0
  if (!isEmpty) throw new AppError('forbidden', 'webdav.noDeletes')
  await deleteEntry(deps.db.query, entry.id)
}

async function requireEntry({ db }: StoreStreamDeps, caller: Caller, path: InboxPath): Promise<InboxEntryRow> {
  const entry = await findEntry(db.query, caller.id, path)
  if (!entry) throw new AppError('not_found', 'webdav.missing')
  return entry
}

async function requireFolder({ db }: StoreStreamDeps, caller: Caller, path: string): Promise<void> {
  if (path === '') return
  const at = path.lastIndexOf('/')
  const folder = await findEntry(db.query, caller.id, {
    parent: path.slice(0, Math.max(at, 0)),
    name: path.slice(at + 1),
  })
  if (folder?.is_folder !== 1 || isLitter(folder)) throw new AppError('conflict', 'webdav.noFolder')
}

async function requireRoom({ db }: StoreStreamDeps, caller: Caller): Promise<void> {
  if ((await countEntries(db.query, caller.id)) < webdav.entries) return
  throw new AppError('storage_full', 'webdav.manyEntries', { count: webdav.entries })
}
