import { can } from '#contract/rights.ts'
import { Role } from '#contract/role.ts'
import type { Database } from '../db/database.ts'
import type { Handle, Tx } from '../db/schema.ts'
import { announce } from '../live/announce.ts'
import { type AggregatedFacts, gone, namesOf, type RenderedNotification } from '../notifications/public.ts'
import { type SentByGuests, sentByGuests, upsertGuestNotifications } from './notifications.sql.ts'

const reviewers = Role.options.filter(role => can(role, 'albums.edit'))

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
  if (!sent) return gone('Guests sent photos', 'They have been removed since.')
  const { files, videos } = sent
  const kind = videos === 0 ? 'photo' : videos === files ? 'video' : 'photos and video'
  const title = `${namesOf(sent.guests)} sent ${files === 1 ? `a ${kind}` : `${files} ${kind}s`}`
  if (album_id === null || album_title === null) return gone(title, 'The album has been deleted since.')
  const message = `Look ${files === 1 ? 'it' : 'them'} through and choose what comes into the album.`
  return { title: `${title} to ${album_title}`, message, target: { kind: 'guest-uploads', album_id } }
}
