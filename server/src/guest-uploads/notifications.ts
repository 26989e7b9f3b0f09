import { can } from '#contract/rights.ts'
import { Role } from '#contract/role.ts'
import type { Database } from '../db/database.ts'
import type { Handle, Tx } from '../db/schema.ts'
import { announce } from '../live/announce.ts'
import {
  type AggregatedFacts,
  gone,
  notice,
  type RenderedNotification,
  valuesOfPeople,
} from '../notifications/public.ts'
import {
  readGuestNotifications,
  type SentByGuests,
  sentByGuests,
  upsertGuestNotifications,
} from './notifications.sql.ts'

const reviewers = Role.options.filter(role => can(role, 'albums.edit'))

/**
 * Orders what a guest sends to an album, and what is decided there: a notification is about all files up to its own time,
 * and is not read while one of them waits. To be taken before the album itself.
 */
export async function lockGuestNotifications(db: Database, tx: Tx, albumId: number): Promise<void> {
  await db.advisoryLock(tx, `guest-uploads to album ${albumId}`)
}

/**
 * One notification per album for everybody who may review the files, which is updated as long as it is unread. The
 * caller serialises the uploads to an album.
 */
export async function notifyOfGuestUpload(
  db: Database,
  tx: Tx,
  { albumId, at }: { albumId: number; at: number },
): Promise<void> {
  const readers = await upsertGuestNotifications(tx, { albumId, roles: reviewers, now: at })
  if (readers.length > 0) await announce(db, tx, { kind: 'notifications' }, readers)
}

/** Marks them as read for everybody, once somebody has decided on the last file that waits in the album. */
export async function guestUploadsDecided(
  db: Database,
  tx: Tx,
  { albumIds, at }: { albumIds: readonly number[]; at: number },
): Promise<void> {
  const readers = await readGuestNotifications(tx, { albumIds, now: at })
  if (readers.length > 0) await announce(db, tx, { kind: 'notifications' }, readers)
}

/** What these notifications say: it is counted again each time they are read. */
export async function renderGuestNotifications(
  handle: Handle,
  ids: readonly number[],
): Promise<(notification: AggregatedFacts) => RenderedNotification> {
  const sent = await sentByGuests(handle, ids)
  return notification => renderGuestUploads(sent.get(notification.id), notification)
}

/** Undefined if all files have been removed. */
function renderGuestUploads(
  sent: SentByGuests | undefined,
  { album_id, album_title }: Pick<AggregatedFacts, 'album_id' | 'album_title'>,
): RenderedNotification {
  if (!sent) return gone(notice('guests.gone'), notice('guests.removed'))
  const { files, videos } = sent
  const kind = videos === 0 ? 'photo' : videos === files ? 'video' : 'other'
  const values = { ...valuesOfPeople(sent.guests), files, kind } as const
  if (album_id === null || album_title === null) return gone(notice('guests.sent', values), notice('albumDeleted'))
  return {
    title: notice('guests.sentTo', { ...values, album: album_title }),
    message: notice('guests.text', { files }),
    target: { kind: 'guest-uploads', album_id },
  }
}
