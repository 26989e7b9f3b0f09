import { push as limits } from '#contract/limits.ts'
import type { PushKind } from '#contract/push.ts'
import type { Database } from '../db/database.ts'
import type { NotificationRow, Tx } from '../db/schema.ts'
import { defineJob, type EnqueueOptions, type Queue } from '../jobs/queue.ts'
import type { AddedNotification, Notified } from '../notifications/public.ts'
import { kindsOf, subscriptionsOf } from './push.sql.ts'

/** A message to one device. It is put into words when it is sent. */
export interface PushJob {
  subscriptionId: number
  about: About
  /** When it happened, in epoch milliseconds; of what is gathered, when the quiet hours end. */
  at: number
}

export type About =
  | { what: 'notification'; id: number; kind: PushKind }
  /** All notifications since the quiet hours began. */
  | { what: 'gathered'; since: number }
  | { what: 'photos'; since: number; until: number }

/** Retried for about a day. Nobody needs to know later what was not sent. */
export const sendPush = defineJob<PushJob>('push.send', { lane: 'push', attempts: 30, keepsFailed: false })

/** Undefined for what devices are not notified of. */
export function pushKindOf({ type, subject }: Pick<NotificationRow, 'type' | 'subject'>): PushKind | undefined {
  if (type === 'mention') return 'mentions'
  if (type === 'message') return 'messages'
  if (type === 'comment') return 'notes'
  if (subject === 'hearts') return 'hearts'
  if (subject === 'memories') return 'memories'
  return subject === 'access_request' ? 'requests' : undefined
}

/** A later job about the same replaces one that waits. */
function jobFor(
  job: PushJob,
  personId: number,
  delayMs: number,
): { payload: PushJob; options: EnqueueOptions & { uniqueKey: string } } {
  const { about, subscriptionId } = job
  const name = about.what === 'notification' ? `${about.what}:${about.id}` : about.what
  const uniqueKey = `${sendPush.name}:${subscriptionId}:${name}`
  return { payload: job, options: { uniqueKey, delayMs, ownerId: personId } }
}

/**
 * A device has one job of each kind that covers a time. What a waiting one covers is still to be said, so a later one covers both:
 * on the device it would replace the earlier one.
 */
export async function enqueueJoined(
  { db, queue }: { db: Database; queue: Pick<Queue, 'enqueue' | 'payloadOf'> },
  tx: Tx,
  job: PushJob,
  { personId, delayMs }: { personId: number; delayMs: number },
): Promise<void> {
  await db.advisoryLock(tx, `push to ${job.subscriptionId}`)
  const { payload, options } = jobFor(job, personId, delayMs)
  const waiting = await queue.payloadOf(tx, sendPush, options.uniqueKey)
  const about = waiting ? joined(job.about, waiting.about) : job.about
  const at = Math.max(job.at, waiting?.at ?? job.at)
  await queue.enqueue(tx, sendPush, { ...payload, about, at }, options)
}

function joined(about: About, waiting: About): About {
  if (about.what === 'notification' || waiting.what === 'notification') return about
  const since = Math.min(about.since, waiting.since)
  if (about.what === 'photos' && waiting.what === 'photos') {
    return { ...about, since, until: Math.max(about.until, waiting.until) }
  }
  return { ...about, since }
}

/** Adds messages to the devices of the people who have got notifications. */
export function createNotified({ queue }: { queue: Pick<Queue, 'enqueueAll'> }): Notified {
  return async (tx: Tx, added: readonly AddedNotification[]) => {
    const wanted = added.filter(one => pushKindOf(one) !== undefined)
    if (wanted.length === 0) return
    const notificationOf = new Map(wanted.map(one => [one.person_id, one]))
    const subscriptions = await subscriptionsOf(tx, [...notificationOf.keys()])
    const jobs = subscriptions.flatMap(subscription => {
      const { id: subscriptionId, person_id } = subscription
      const notification = notificationOf.get(person_id)
      if (notification === undefined) return []
      const kind = pushKindOf(notification)
      if (kind === undefined || !kindsOf(subscription).includes(kind)) return []
      const about = { what: 'notification', id: notification.id, kind } as const
      return jobFor(
        { subscriptionId, about, at: notification.created_at },
        person_id,
        kind === 'hearts' ? limits.heartsDelay : limits.delay,
      )
    })
    if (jobs.length > 0) await queue.enqueueAll(tx, sendPush, jobs)
  }
}
