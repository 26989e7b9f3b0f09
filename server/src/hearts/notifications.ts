import type { Database } from '../db/database.ts'
import type { Handle, Tx } from '../db/schema.ts'
import type { Clock } from '../kit/clock.ts'
import { announce } from '../live/announce.ts'
import { gone, type Notified, notice, type RenderedNotification, valuesOfPeople } from '../notifications/public.ts'
import {
  type AggregatedHearts,
  aggregatedHearts,
  aggregatedNotification,
  deleteWithoutHearts,
  lockNotificationsOfHearts,
} from './notifications.sql.ts'

interface NotifyDeps {
  db: Database
  clock: Clock
  notified?: Notified
}

/**
 * Aggregates new hearts in one notification per uploader, which is updated as long as it is unread. Returns its id for each
 * uploader. The caller stores it with the hearts, from which the text is made.
 */
export async function notifyOfHearts(
  { db, clock, notified }: NotifyDeps,
  tx: Tx,
  { actorId, uploaderIds }: { actorId: number; uploaderIds: readonly number[] },
): Promise<ReadonlyMap<number, number>> {
  const notifications = new Map<number, number>()
  const others = [...new Set(uploaderIds)].filter(id => id !== actorId)
  if (others.length === 0) return notifications
  // Two people who love photos of a third must not begin a notification each.
  await db.advisoryLock(tx, 'hearts')
  const created_at = clock()
  for (const uploaderId of others.sort((a, b) => a - b)) {
    const id = await aggregatedNotification(db, tx, uploaderId, created_at)
    if (id !== undefined) notifications.set(uploaderId, id)
  }
  if (notifications.size === 0) return notifications
  const added = [...notifications].map(
    ([person_id, id]) => ({ id, person_id, type: 'other', subject: 'hearts', created_at }) as const,
  )
  await notified?.(tx, added)
  await announce(db, tx, { kind: 'notifications' }, [...notifications.keys()])
  return notifications
}

export type NotificationOfHearts = Awaited<ReturnType<typeof lockNotificationsOfHearts>>[number]

/**
 * The notifications of hearts that are to be deleted, before they are: deleting a notification locks it first and its
 * hearts then.
 */
export async function lockHeartNotifications(
  { db }: Pick<NotifyDeps, 'db'>,
  tx: Tx,
  { actorId, mediaIds }: { actorId: number; mediaIds: readonly number[] },
): Promise<NotificationOfHearts[]> {
  // The same lock as in `notifyOfHearts`, which locks notifications in another order.
  await db.advisoryLock(tx, 'hearts')
  return lockNotificationsOfHearts(db, tx, actorId, mediaIds)
}

/** Deletes those of these notifications that have no hearts left. */
export async function deleteEmptyHeartNotifications(
  { db }: Pick<NotifyDeps, 'db'>,
  tx: Tx,
  notifications: readonly NotificationOfHearts[],
): Promise<void> {
  if (notifications.length === 0) return
  await deleteWithoutHearts(
    tx,
    notifications.map(({ id }) => id),
  )
  const readers = notifications.map(({ person_id }) => person_id)
  await announce(db, tx, { kind: 'notifications' }, readers)
}

/** What these notifications say: it is counted again each time they are read. */
export async function renderHeartNotifications(
  handle: Handle,
  ids: readonly number[],
): Promise<(notification: { id: number }) => RenderedNotification> {
  const hearts = await aggregatedHearts(handle, ids)
  return ({ id }) => renderHearts(hearts.get(id))
}

/** Undefined if all files have been deleted. */
export function renderHearts(hearts: AggregatedHearts | undefined): RenderedNotification {
  if (!hearts) return gone(notice('hearts.gone'), notice('hearts.deleted'))
  const { people, files, images, latest } = hearts
  const kind = images === files ? 'hearts.photos' : images === 0 ? 'hearts.videos' : 'hearts.photosAndVideos'
  return {
    title: notice(kind, { ...valuesOfPeople(people), files }),
    message: notice('hearts.text', { files }),
    target: { kind: 'media', media_id: latest.media_id, note_id: null },
  }
}
