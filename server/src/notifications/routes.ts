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
import { sentByGuests } from './guests.sql.ts'
import { aggregatedHearts } from './hearts.sql.ts'
import { countUnread, deleteOwn, markAllRead, markRead, notificationsOf } from './inbox.sql.ts'
import type { NotifyDeps } from './notify.ts'
import { type NotificationFacts, renderNotification } from './render.ts'

export interface InboxDeps extends NotifyDeps {
  /** The title of this library. */
  title: string
}

/** Every query is scoped to the caller; notifications of other people are not found. */
export function notificationRoutes(app: FastifyInstance, deps: InboxDeps): void {
  const { db, clock } = deps

  serve(app, listNotifications, async ({ caller, query: { limit, before } }) => {
    const rows = await notificationsOf(db.query, caller, { limit, before })
    const ofHearts = rows.filter(row => row.subject === 'hearts').map(row => row.id)
    const hearts = await aggregatedHearts(db.query, ofHearts)
    const ofGuests = rows.filter(row => row.subject === 'guests').map(row => row.id)
    const guests = await sentByGuests(db.query, ofGuests)
    const factsOf = (id: number) => ({ hearts: hearts.get(id) ?? null, guests: guests.get(id) ?? null })
    return rows.map(row => present({ ...row, ...factsOf(row.id) }, deps.title))
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
  if (!found) throw new AppError('not_found', 'There is no such notification any more.')
}

type Row = Awaited<ReturnType<typeof notificationsOf>>[number] & Pick<NotificationFacts, 'hearts' | 'guests'>

function present(row: Row, libraryTitle: string): Notification {
  const { id, type, read_at, created_at } = row
  return { id, type, read: read_at !== null, created_at: toIso(created_at), ...renderNotification(row, libraryTitle) }
}
