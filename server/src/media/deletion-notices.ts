import { HOUR } from '#contract/limits.ts'
import type { Database } from '../db/database.ts'
import type { Handle, MediaRow, Tx } from '../db/schema.ts'
import { announce } from '../live/announce.ts'
import { type AggregatedFacts, gone, notice, type RenderedNotification } from '../notifications/public.ts'
import { countDeletedFiles, deleteNoticesWithoutFiles, upsertDeletionNotices } from './deletion-notices.sql.ts'

/** What somebody deletes within this time of their last delete is added to the same notification. */
const BURST_MS = HOUR

interface DeletedNow {
  actorId: number
  at: number
  files: readonly Pick<MediaRow, 'uploaded_by'>[]
}

/** Tells uploaders that somebody else has deleted files of theirs, in one notification for each burst. */
export async function notifyOfDeletion(db: Database, tx: Tx, { actorId, at, files }: DeletedNow): Promise<void> {
  const uploaderIds = uploadersOf(files).filter(id => id !== actorId)
  if (uploaderIds.length === 0) return
  // Two deletes at the same time must not begin a notification each.
  await db.advisoryLock(tx, 'deletion-notices')
  const readers = await upsertDeletionNotices(tx, { actorId, uploaderIds, at, continuedSince: at - BURST_MS })
  if (readers.length > 0) await announce(db, tx, { kind: 'notifications' }, readers)
}

/** What is undone before its uploader has read of it leaves no notification. */
export async function forgetRestored(
  db: Database,
  tx: Tx,
  files: readonly Pick<MediaRow, 'uploaded_by'>[],
): Promise<void> {
  await db.advisoryLock(tx, 'deletion-notices')
  const readers = await deleteNoticesWithoutFiles(tx, uploadersOf(files))
  if (readers.length > 0) await announce(db, tx, { kind: 'notifications' }, readers)
}

function uploadersOf(files: readonly Pick<MediaRow, 'uploaded_by'>[]): number[] {
  return [...new Set(files.map(file => file.uploaded_by))].sort((a, b) => a - b)
}

/** What these notifications say: the files that are still deleted are counted each time. */
export async function renderDeletionNotices(
  handle: Handle,
  ids: readonly number[],
): Promise<(notification: AggregatedFacts) => RenderedNotification> {
  const deleted = await countDeletedFiles(handle, ids)
  return ({ id, actor_name }) => {
    const name = actor_name ?? ''
    const found = deleted.get(id)
    if (found === undefined) return gone(notice('deleted.gone', { name }), notice('deleted.noneLeft'))
    const { files, videos } = found
    const kind = videos === 0 ? 'photo' : videos === files ? 'video' : 'other'
    return {
      title: notice('deleted.title', { name, files, kind }),
      message: notice('deleted.text', { files }),
      target: { kind: 'recently-deleted' },
    }
  }
}
