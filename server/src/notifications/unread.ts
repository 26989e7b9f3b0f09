import type { Handle } from '../db/schema.ts'
import { notificationsOf, type Reader } from './inbox.sql.ts'
import { type AggregatedNotifications, isAggregated, type RenderedNotification, renderNotification } from './render.ts'

export interface UnreadDeps {
  /** The title of this library. */
  title: string
  aggregated: AggregatedNotifications
}

type Row = Awaited<ReturnType<typeof notificationsOf>>[number]

/** What one notification says to its reader now; undefined if they have read or deleted it, or may not know of it any more. */
export async function unreadNotification(
  { title, aggregated }: UnreadDeps,
  handle: Handle,
  reader: Reader,
  id: number,
): Promise<(RenderedNotification & Pick<Row, 'type' | 'subject' | 'created_at'>) | undefined> {
  const [row] = await notificationsOf(handle, reader, { limit: 1, before: id + 1 })
  if (row?.id !== id || row.read_at !== null) return undefined
  const { type, subject, created_at } = row
  const rendered = isAggregated(subject)
    ? (await aggregated[subject](handle, [id]))(row)
    : renderNotification(subject, row, title)
  return { ...rendered, type, subject, created_at }
}

/** Of the newest ones those that were added since then and are not read, newest first. */
export async function unreadSince(
  handle: Handle,
  reader: Reader,
  { since, limit }: { since: number; limit: number },
): Promise<Pick<Row, 'id' | 'type' | 'subject'>[]> {
  const rows = await notificationsOf(handle, reader, { limit, before: undefined })
  return rows.filter(row => row.read_at === null && row.created_at >= since)
}
