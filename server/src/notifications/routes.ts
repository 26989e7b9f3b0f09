import type { FastifyInstance } from 'fastify'
import {
  deleteNotification,
  listNotifications,
  type Notification,
  readAllNotifications,
  readNotification,
  unreadCount,
} from '#contract/notifications.ts'
import type { Tx } from '../db/schema.ts'
import { toIso } from '../kit/clock.ts'
import { AppError } from '../kit/errors.ts'
import { serve } from '../kit/serve.ts'
import { announce } from '../live/announce.ts'
import { countUnread, deleteOwn, markAllRead, markRead, notificationsOf } from './inbox.sql.ts'
import { inEnglish } from './notices.ts'
import type { NotifyDeps } from './notify.ts'
import { type AggregatedNotifications, isAggregated, type RenderedNotification, renderNotification } from './render.ts'

interface SmallPicture {
  thumbnail_url: string | null
  thumbhash: string | null
}

export interface InboxDeps extends Pick<NotifyDeps, 'db' | 'clock'> {
  /** The title of this library. */
  title: string
  /** The small pictures of files, by id. Files that are gone are missing. */
  smallPictures: (ids: readonly number[]) => Promise<ReadonlyMap<number, SmallPicture>>
  aggregated: AggregatedNotifications
}

/** Every query is scoped to the caller; notifications of other people are not found. */
export function notificationRoutes(app: FastifyInstance, deps: InboxDeps): void {
  const { db, clock } = deps

  serve(app, listNotifications, async ({ caller, query: { limit, before } }) => {
    const groups = Map.groupBy(await notificationsOf(db.query, caller, { limit, before }), row => row.subject)
    const presented = await Promise.all([...groups].map(([subject, rows]) => presentAll(deps, subject, rows)))
    return withPictures(
      deps,
      presented.flat().sort((a, b) => b.id - a.id),
    )
  })
  serve(app, unreadCount, async ({ caller }) => ({ count: await countUnread(db.query, caller) }))
  serve(app, readNotification, ({ caller, params }) =>
    change(deps, caller.id, async tx => orNotFound(await markRead(tx, caller.id, params.id, clock()))),
  )
  serve(app, readAllNotifications, ({ caller }) => change(deps, caller.id, tx => markAllRead(tx, caller.id, clock())))
  serve(app, deleteNotification, ({ caller, params }) =>
    change(deps, caller.id, async tx => orNotFound(await deleteOwn(tx, caller.id, params.id))),
  )
}

/** Applies a change and notifies the person's other open pages. */
async function change({ db }: InboxDeps, personId: number, act: (tx: Tx) => Promise<void>): Promise<void> {
  await db.transaction(async tx => {
    await act(tx)
    await announce(db, tx, { kind: 'notifications' }, [personId])
  })
}

function orNotFound(found: boolean): void {
  if (!found) throw new AppError('not_found', 'notifications.missing')
}

/** One query for the pictures of all. */
async function withPictures({ smallPictures }: InboxDeps, notifications: Notification[]): Promise<Notification[]> {
  const ids = notifications.flatMap(({ target }) => (target?.kind === 'media' ? target.media_id : []))
  if (ids.length === 0) return notifications
  const files = await smallPictures(ids)
  return notifications.map(one => {
    const file = one.target?.kind === 'media' ? files.get(one.target.media_id) : undefined
    if (file?.thumbnail_url == null) return one
    return { ...one, picture: { thumbnail_url: file.thumbnail_url, thumbhash: file.thumbhash } }
  })
}

type Row = Awaited<ReturnType<typeof notificationsOf>>[number]

/** All are of this kind. */
async function presentAll(
  { db, title, aggregated }: InboxDeps,
  subject: Row['subject'],
  rows: readonly Row[],
): Promise<Notification[]> {
  if (!isAggregated(subject)) return rows.map(row => present(row, renderNotification(subject, row, title)))
  const ids = rows.map(({ id }) => id)
  const render = await aggregated[subject](db.query, ids)
  return rows.map(row => present(row, render(row)))
}

function present(
  { id, type, read_at, created_at }: Row,
  { title, message, target }: RenderedNotification,
): Notification {
  return {
    ...{ id, type, read: read_at !== null, created_at: toIso(created_at), target, picture: null },
    ...{ title: inEnglish(title), title_key: title.key, title_values: title.values },
    ...{ message: inEnglish(message), message_key: message.key, message_values: message.values },
  }
}
