import type { ImportReport } from '#contract/imports.ts'
import { imports } from '#contract/limits.ts'
import { openFolderFinder } from '../folders/public.ts'
import { AppError } from '../kit/errors.ts'
import { giveCollections } from './give-collections.ts'
import { addTexts, completeFile } from './give-facts.ts'
import { ContinuedChanges, type ImportDeps, type Importing, type ImportOptions } from './importing.ts'
import {
  findKnownFile,
  isDeletedAtSourceId,
  peopleByName,
  recordFacts,
  recordFile,
  sourceKey,
  stateOfHash,
} from './imports.sql.ts'
import type { ImportItem, ImportPlan, SourceFile } from './plan.ts'
import { type NewFile, storeItem, Unreadable } from './store-item.ts'

/** Copying and syncing wait for the disk, so a few files are imported concurrently. */
const AT_ONCE = 3

/**
 * Imports what a reader found. Every file is committed by itself, and all steps can be repeated: after an interruption the
 * same call goes on. What the library has already gets what it lacks, once, and keeps what people have changed.
 */
export async function importPlan(deps: ImportDeps, plan: ImportPlan, options: ImportOptions): Promise<ImportReport> {
  const { personId, signal } = options
  const report: ImportReport = {
    ...{ added: 0, added_bytes: 0, copies: 0, already_here: 0, completed: 0, deleted_since: 0, albums: 0 },
    problems: [...plan.problems],
  }
  const importing: Importing = {
    ...deps,
    ...options,
    people: await peopleByName(deps.db.query),
    changes: new ContinuedChanges(),
    folderFor: await openFolderFinder(deps, personId),
    report,
    added: new Set(),
    problem(problem) {
      if (report.problems.length < imports.problems) report.problems.push(problem)
    },
  }
  const ids = new Map<ImportItem, number>()
  const waiting = plan.items.values()
  // After a failure, nothing more is begun.
  const failed = new AbortController()
  const work = async () => {
    for (const item of waiting) {
      signal.throwIfAborted()
      failed.signal.throwIfAborted()
      await importItem(importing, item, ids)
      options.progress(item.clip ? 2 : 1, item.file.size + (item.clip?.item.file.size ?? 0))
    }
  }
  const workers = Array.from({ length: plan.sequential ? 1 : AT_ONCE }, () =>
    work().catch(error => {
      failed.abort(error)
      throw error
    }),
  )
  const outcomes = await Promise.allSettled(workers)
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw failed.signal.reason ?? outcome.reason
  report.albums = await giveCollections(importing, plan, ids)
  return report
}

async function importItem(importing: Importing, item: ImportItem, ids: Map<ImportItem, number>): Promise<void> {
  const { problem } = importing
  const { path } = item.file
  try {
    const known = await knownState(importing, item)
    if (known === 'deleted') return deletedSince(importing, item)
    const mediaId = known?.mediaId ?? (await storeNew(importing, item, ids))
    if (known) countKnown(importing, known.mediaId)
    if (mediaId === undefined) return
    ids.set(item, mediaId)
    await giveFacts(importing, item, mediaId)
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    problem({ path, reason: 'unreadable', detail: error.message })
  }
}

function deletedSince({ report, problem }: Importing, { file: { path } }: ImportItem): void {
  report.deleted_since += 1
  problem({ path, reason: 'deleted-since' })
}

function countKnown({ report, added }: Importing, mediaId: number): void {
  if (added.has(mediaId)) report.copies += 1
  else report.already_here += 1
}

/** What an earlier import has made of this file; undefined: its bytes must be read. */
async function knownState(
  { db, kind, again }: Importing,
  { file, clip, sourceId }: ImportItem,
): Promise<{ mediaId: number } | 'deleted' | undefined> {
  const known = file.fingerprint === '' ? undefined : await findKnownFile(db.query, sourceKey(kind, file))
  const found = known && (await stateOfHash(db.query, known.hash))
  if (found?.state === 'here') {
    // Whether the clip belongs to it is only known from its bytes.
    const key = clip && clip.item.file.fingerprint !== '' ? sourceKey(kind, clip.item.file) : undefined
    const knownClip = key === undefined ? undefined : await findKnownFile(db.query, key)
    return !clip || knownClip?.media_id === found.mediaId ? { mediaId: found.mediaId } : undefined
  }
  if (again) return undefined
  if (found?.state === 'deleted' || found?.state === 'purged') return 'deleted'
  return !known && sourceId !== undefined && (await isDeletedAtSourceId(db.query, sourceId)) ? 'deleted' : undefined
}

async function storeNew(
  importing: Importing,
  item: ImportItem,
  ids: Map<ImportItem, number>,
): Promise<number | undefined> {
  const { db, problem, again } = importing
  const { clip } = item
  const { path } = item.file
  const stored = await storeItem(importing, item, {
    folderId: () => importing.folderFor(item.folders),
    async isWanted(hash) {
      const { state } = await stateOfHash(db.query, hash)
      return again || (state !== 'deleted' && state !== 'purged')
    },
    added: (tx, file) => recordAdded(importing, tx, item, file),
  })
  if (typeof stored === 'string' || 'deletedHash' in stored) {
    if (typeof stored === 'string') problem({ path, reason: stored })
    else deletedSince(importing, item)
    if (clip) await importItem(importing, clip.item, ids)
    return undefined
  }
  const { mediaId, hash, incomplete, separateClip, isClipUnrelated } = stored
  count(importing, stored)
  if (incomplete) problem({ path, reason: 'incomplete' })
  const found: { file: SourceFile; mediaId: number; hash: string }[] = [{ file: item.file, mediaId, hash }]
  if (clip && separateClip) {
    count(importing, separateClip)
    ids.set(clip.item, separateClip.mediaId)
    found.push({ file: clip.item.file, ...separateClip })
  } else if (clip && !isClipUnrelated) found.push({ file: clip.item.file, mediaId, hash })
  await db.transaction(async tx => {
    for (const one of found) await recordFile(tx, fileRow(importing, item, one, 0))
  })
  if (clip && separateClip) await giveFacts(importing, clip.item, separateClip.mediaId)
  if (clip && isClipUnrelated) {
    if (clip.belongsIf === 'short') problem({ path: clip.item.file.path, reason: 'no-sidecar' })
    await importItem(importing, clip.item, ids)
  }
  return mediaId
}

function count(
  importing: Importing,
  { isNew, mediaId, size }: { isNew: boolean; mediaId: number; size: number },
): void {
  const { report, added } = importing
  if (isNew) {
    added.add(mediaId)
    report.added += 1
    report.added_bytes += size
  } else countKnown(importing, mediaId)
}

function fileRow(
  { importId, kind }: Importing,
  { sourceId }: ImportItem,
  { file, mediaId, hash }: { file: SourceFile; mediaId: number; hash: string },
  added: 0 | 1,
) {
  const key = sourceKey(kind, file)
  return { import_id: importId, source_key: key, source_id: sourceId ?? null, hash, media_id: mediaId, added }
}

/** With the file, so that an undo finds it even if the process is killed at once. */
async function recordAdded(
  importing: Importing,
  tx: Parameters<typeof recordFile>[0],
  item: ImportItem,
  { mediaId, hash, given, isClip }: NewFile,
): Promise<void> {
  const file = isClip && item.clip ? item.clip.item.file : item.file
  await recordFile(tx, fileRow(importing, item, { file, mediaId, hash }, 1))
  await recordFacts(
    tx,
    importing.importId,
    given.map(fact => ({ mediaId, fact })),
  )
}

async function giveFacts(importing: Importing, item: ImportItem, mediaId: number): Promise<void> {
  const { db, report } = importing
  try {
    if (await completeFile(importing, mediaId, item)) report.completed += 1
    await db.transaction(tx => addTexts(importing, tx, mediaId, item))
  } catch (error) {
    // Deleted by somebody at this moment.
    if (!(error instanceof AppError && error.code === 'not_found')) throw error
  }
}
