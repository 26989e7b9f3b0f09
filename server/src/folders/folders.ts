import type { AuditAct } from '#contract/audit.ts'
import type { ParsedInput } from '#contract/endpoint.ts'
import {
  type Folder,
  folderNameKey,
  type Subfolder,
  type updateFolder as updateFolderEndpoint,
} from '#contract/folders.ts'
import { bulkChanges, lengths } from '#contract/limits.ts'
import { recordAudit } from '../audit/public.ts'
import type { Database } from '../db/database.ts'
import type { FolderRow, Handle, Tx } from '../db/schema.ts'
import type { Clock } from '../kit/clock.ts'
import { AppError } from '../kit/errors.ts'
import { announce } from '../live/announce.ts'
import {
  countFiles,
  countFilesByFolder,
  fileCards,
  hasMoreFiles,
  moveFilesToRoot,
  newestOfFolders,
} from '../media/public.ts'
import type { Storage } from '../storage/storage.ts'
import {
  allFolders,
  childNamed,
  childrenOf,
  deleteFolderRow,
  folderById,
  insertFolder,
  levelsBelow,
  pathTo,
  updateFolderRow,
} from './folders.sql.ts'

export interface FolderDeps {
  db: Database
  clock: Clock
}

export async function listFolders(handle: Handle): Promise<Folder[]> {
  const [rows, counts] = await Promise.all([allFolders(handle), countFilesByFolder(handle)])
  return arrange(rows, counts)
}

/** The folders directly in a folder. Three queries, however many folders there are. */
export async function listSubfolders(
  handle: Handle,
  storage: Pick<Storage, 'signedUrl'>,
  id: number,
): Promise<Subfolder[]> {
  const [rows, counts] = await Promise.all([allFolders(handle), countFilesByFolder(handle)])
  const parent = rows.find(row => row.id === id)
  if (!parent) throw noSuchFolder()
  const children = Map.groupBy(rows, row => row.parent_id)
  const subfolders = (children.get(id) ?? []).sort(inOrder).map(folder => ({ folder, tree: treeOf(folder, children) }))

  const filled = subfolders.flatMap(({ tree }) => tree).filter(folderId => (counts.get(folderId) ?? 0) > 0)
  const newest = await newestOfFolders(handle, filled)
  const covers = subfolders.map(({ tree }) => tree.flatMap(folderId => newest.get(folderId) ?? []).sort(newestFirst)[0])
  const cards = await fileCards(
    handle,
    storage,
    covers.flatMap(cover => cover?.id ?? []),
  )

  return subfolders.map(({ folder, tree }, i) => {
    const card = cards.get(covers[i]?.id ?? 0)
    return {
      id: folder.id,
      name: folder.name,
      file_count: tree.reduce((sum, folderId) => sum + (counts.get(folderId) ?? 0), 0),
      cover: card?.thumbnail_url ? { thumbnail_url: card.thumbnail_url, thumbhash: card.thumbhash } : null,
    }
  })
}

/** The ids of a folder and of all folders below it. */
function treeOf(folder: FolderRow, children: ReadonlyMap<number | null, readonly FolderRow[]>): number[] {
  return [folder.id, ...(children.get(folder.id) ?? []).flatMap(child => treeOf(child, children))]
}

interface NewestFile {
  id: number
  date_sort: number
  heading_rank: number
}

function newestFirst(a: NewestFile, b: NewestFile): number {
  return b.date_sort - a.date_sort || b.heading_rank - a.heading_rank || b.id - a.id
}

export async function createFolder(
  { db, clock }: FolderDeps,
  actorId: number,
  wanted: { name: string; parentId: number | null },
): Promise<Folder> {
  return db.transaction(async tx => {
    await db.advisoryLock(tx, 'folders')
    if (wanted.parentId !== null) await existing(tx, wanted.parentId)
    const added = await insertFolder(tx, {
      name: wanted.name,
      name_key: folderNameKey(wanted.name),
      parent_id: wanted.parentId,
      created_at: clock(),
      created_by: actorId,
    })
    if (!added) throw nameTaken(wanted.name)
    await audit(tx, clock, actorId, 'folder.create', added.id, undefined)
    await announceFolders(db, tx)
    return placed(tx, added.id)
  })
}

interface FolderChange {
  name: string | undefined
  parentId: number | null | undefined
  expected: ParsedInput<typeof updateFolderEndpoint>['body']['expected']
}

export async function updateFolder(
  { db, clock }: FolderDeps,
  actorId: number,
  id: number,
  change: FolderChange,
): Promise<Folder> {
  return db.transaction(async tx => {
    await db.advisoryLock(tx, 'folders')
    const before = await existing(tx, id)
    if (!isAsExpected(before, change.expected)) {
      throw new AppError('conflict', 'folders.changedSince')
    }
    const name = change.name ?? before.name
    const parentId = change.parentId === undefined ? before.parent_id : change.parentId
    if (parentId !== null) {
      await existing(tx, parentId)
      const isWithin = (await pathTo(tx, parentId)).some(folder => folder.id === id)
      if (isWithin) throw new AppError('conflict', 'folders.intoItself')
    }
    const sibling = await childNamed(tx, parentId, folderNameKey(name))
    if (sibling && sibling.id !== id) throw nameTaken(name)
    await updateFolderRow(tx, id, { name, name_key: folderNameKey(name), parent_id: parentId })
    await audit(tx, clock, actorId, 'folder.update', id, { name: before.name, parent_id: before.parent_id })
    await announceFolders(db, tx)
    // Searches find files by the names of their folders.
    await announce(db, tx, { kind: 'media', ids: [] }, 'everyone')
    return placed(tx, id)
  })
}

function isAsExpected(folder: FolderRow, expected: FolderChange['expected'] = {}): boolean {
  const { name = folder.name, parent_id = folder.parent_id } = expected
  return name === folder.name && parent_id === folder.parent_id
}

/**
 * Files move to the root, subfolders up one level. Those of a large folder move first, some at a time, because others who
 * write would wait for all of them: a folder whose deletion was interrupted has the rest of its files.
 */
export async function deleteFolder({ db, clock }: FolderDeps, actorId: number, id: number): Promise<void> {
  const { files: limit } = bulkChanges
  let movedBefore = 0
  while (await hasMoreFiles(db.query, id, limit)) {
    movedBefore += await db.bulkTransaction(limit, async tx => {
      await db.advisoryLock(tx, 'folders')
      await existing(tx, id)
      const moved = await moveFilesToRoot(db, tx, id, limit)
      await announceMoved(db, tx, moved)
      return moved
    })
  }
  await db.bulkTransaction(limit, async tx => {
    await db.advisoryLock(tx, 'folders')
    const folder = await existing(tx, id)
    const children = await childrenOf(tx, id)
    const siblings = children.length > 0 ? await childrenOf(tx, folder.parent_id) : []
    const taken = new Set(siblings.filter(row => row.id !== id).map(row => row.name_key))
    // Clears its name first, because a subfolder that moves up may have the same one.
    await updateFolderRow(tx, id, { name_key: '' })
    for (const child of children) {
      const name = freeName(child.name, taken, lengths.folderName)
      taken.add(folderNameKey(name))
      await updateFolderRow(tx, child.id, { name, name_key: folderNameKey(name), parent_id: folder.parent_id })
    }
    const moved = await moveFilesToRoot(db, tx, id)
    await deleteFolderRow(tx, id)
    await audit(tx, clock, actorId, 'folder.delete', id, {
      name: folder.name,
      parent_id: folder.parent_id,
      files: movedBefore + moved,
    })
    await announceFolders(db, tx)
    await announceMoved(db, tx, moved)
  })
}

async function announceMoved(db: Database, tx: Tx, moved: number): Promise<void> {
  if (moved > 0) await announce(db, tx, { kind: 'media', ids: [] }, 'everyone')
}

async function announceFolders(db: Database, tx: Tx): Promise<void> {
  await announce(db, tx, { kind: 'folders' }, 'everyone')
}

async function existing(tx: Tx, id: number): Promise<FolderRow> {
  const folder = await folderById(tx, id)
  if (!folder) throw noSuchFolder()
  return folder
}

function noSuchFolder(): AppError {
  return new AppError('not_found', 'folders.missing')
}

/**
 * The folder as in the list, but read by its own path only: the transaction holds a lock, and there may be thousands of
 * folders. Depth is limited, because every path contains the names of all parents.
 */
async function placed(tx: Tx, id: number): Promise<Folder> {
  const { name, parent_id } = await existing(tx, id)
  const path = await pathTo(tx, id)
  const level = path.length - 1
  if (level + (await levelsBelow(tx, id)) >= lengths.folderLevels) {
    throw new AppError('conflict', 'folders.tooDeep', { count: lengths.folderLevels })
  }
  const file_count = await countFiles(tx, { folder_id: id })
  return { id, name, parent_id, level, path: joinPath(path.map(folder => folder.name)), file_count }
}

function nameTaken(name: string): AppError {
  return new AppError('conflict', 'folders.nameTaken', { name })
}

async function audit(tx: Tx, clock: Clock, actorId: number, act: AuditAct, id: number, before: unknown): Promise<void> {
  await recordAudit(tx, [{ at: clock(), actorId, act, subject: { type: 'folder', id }, before }])
}

const byName = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

function inOrder(a: FolderRow, b: FolderRow): number {
  return byName.compare(a.name, b.name) || a.id - b.id
}

/** Every folder with its level and path, parents before their children, siblings by name. */
function arrange(rows: FolderRow[], fileCounts: ReadonlyMap<number, number>): Folder[] {
  const children = Map.groupBy(rows, row => row.parent_id)
  const arranged: Folder[] = []

  function visit(parentId: number | null, level: number, above: string): void {
    const siblings = children.get(parentId) ?? []
    for (const { id, name } of siblings.sort(inOrder)) {
      const path = above ? joinPath([above, name]) : name
      arranged.push({ id, name, parent_id: parentId, level, path, file_count: fileCounts.get(id) ?? 0 })
      visit(id, level + 1, path)
    }
  }
  visit(null, 0, '')
  return arranged
}

function joinPath(names: readonly string[]): string {
  return names.join(' / ')
}

/** "Beach", or "Beach (2)" if a sibling already has that name. */
function freeName(name: string, takenKeys: ReadonlySet<string>, longest: number): string {
  if (!takenKeys.has(folderNameKey(name))) return name
  for (let number = 2; ; number++) {
    const ending = ` (${number})`
    const candidate = `${[...name].slice(0, longest - ending.length).join('')}${ending}`
    if (!takenKeys.has(folderNameKey(candidate))) return candidate
  }
}
