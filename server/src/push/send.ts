import { createHash } from 'node:crypto'
import webPush, { type Urgency } from 'web-push'
import { push as limits } from '#contract/limits.ts'
import type { PushPayload } from '#contract/push.ts'
import type { Database } from '../db/database.ts'
import type { PushSubscriptionRow } from '../db/schema.ts'
import { type Queue, RetryAfter } from '../jobs/queue.ts'
import type { Clock } from '../kit/clock.ts'
import type { RateLimiter } from '../kit/rate-limiter.ts'
import { TooManyRequests } from '../kit/rate-limiter.ts'
import { FetchRefused, type PostResponse, safePost } from '../kit/safe-fetch.ts'
import type { UnreadDeps } from '../notifications/public.ts'
import { composePush } from './compose.ts'
import { deleteDeadSubscription, findRecipient } from './push.sql.ts'
import { enqueueJoined, type PushJob, sendPush } from './pushes.ts'
import { type QuietTime, quietHoursAt } from './quiet-hours.ts'
import { vapidKeys, vapidSubject } from './vapid.ts'

export interface SendDeps extends UnreadDeps {
  db: Database
  clock: Clock
  queue: Queue
  limiter: RateLimiter
  publicUrl: URL
  log: { warn(context: object, message: string): void }
  /** The one push service that may be on this machine: that of the tests. */
  trustedPushOrigin: string | undefined
}

/** Everything is checked when it is sent: the session, access, role, what was chosen, and whether it was read already. */
export function handleSending(queue: Queue, deps: SendDeps): void {
  const { db, clock, limiter, log } = deps

  queue.handle(sendPush, {
    async run(job, { signal }) {
      const now = clock()
      const recipient = await findRecipient(db.query, job.subscriptionId, now)
      if (!recipient || now - job.at > limits.tooOld) return
      const quiet = quietHoursAt(recipient, now)
      if (quiet !== undefined) {
        const waits = { personId: recipient.person_id, delayMs: quiet.end - now }
        // One of the same key, as this may be, is queued again and not removed when this one ends.
        return db.transaction(tx => enqueueJoined(deps, tx, afterQuietHours(job, quiet), waits))
      }
      const payload = await composePush(deps, db.query, recipient, job)
      if (!payload) return
      await limited(limiter, recipient.id)
      signal.throwIfAborted()
      const answer = await post(deps, recipient, payload, signal)
      if (answer === 'refused') return
      const { status, headers } = answer
      if (status === 404 || status === 410) return deleteDeadSubscription(db.query, recipient)
      if (status === 429 || status >= 500) {
        throw new RetryAfter(`The push service answered ${status}`, retryAfter(headers['retry-after'], now))
      }
      if (status < 200 || status > 299) {
        log.warn({ status, host: hostOf(recipient) }, 'a push service refused a notification')
      }
    },
  })
}

/**
 * What happened in them is gathered. What could not be sent before waits as it is, and is too old at the same time as without
 * them: otherwise a device that cannot be reached would have its job for ever.
 */
function afterQuietHours(job: PushJob, { since, end }: QuietTime): PushJob {
  if (job.about.what !== 'notification' || job.at < since) return job
  return { ...job, about: { what: 'gathered', since }, at: end }
}

async function limited(limiter: RateLimiter, subscriptionId: number): Promise<void> {
  try {
    await limiter.hit(`push:device:${subscriptionId}`, limits.perMinute)
  } catch (error) {
    if (!(error instanceof TooManyRequests)) throw error
    throw new RetryAfter('Too many notifications for one device', error.retryAfterSeconds * 1_000, { cause: error })
  }
}

async function post(
  { db, publicUrl, trustedPushOrigin, log }: SendDeps,
  subscription: PushSubscriptionRow,
  payload: PushPayload,
  signal: AbortSignal,
): Promise<PostResponse | 'refused'> {
  const { endpoint, p256dh, auth } = subscription
  const request = webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, JSON.stringify(payload), {
    vapidDetails: { subject: vapidSubject(publicUrl), ...(await vapidKeys(db)) },
    TTL: limits.tooOld / 1_000,
    urgency: urgencyOf(payload),
    topic: topicOf(subscription, payload),
  })
  try {
    return await safePost(endpoint, {
      headers: request.headers,
      body: request.body,
      maxBytes: limits.answerBytes,
      timeoutMs: limits.timeout,
      trustedOrigin: trustedPushOrigin,
      signal,
    })
  } catch (error) {
    if (!(error instanceof FetchRefused)) throw error
    // Kept, because a filter of the network may give the names of push services private addresses for a while.
    log.warn({ err: error, host: hostOf(subscription) }, 'a notification was not sent')
    return 'refused'
  }
}

/** The rest of the address is a secret of the device. */
function hostOf({ endpoint }: PushSubscriptionRow): string {
  return new URL(endpoint).host
}

function urgencyOf({ kind }: PushPayload): Urgency {
  if (kind === 'messages' || kind === 'mentions') return 'high'
  return kind === 'hearts' || kind === 'memories' ? 'low' : 'normal'
}

/** The push service delivers only the latest of a topic to a device that was off. It learns nothing from its name. */
function topicOf({ auth }: PushSubscriptionRow, { tag }: PushPayload): string {
  return createHash('sha256').update(`${auth} ${tag}`).digest('base64url').slice(0, 32)
}

/** Seconds, or a date. */
function retryAfter(header: string | undefined, now: number): number {
  const seconds = Number(header)
  const wait = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(header ?? '') - now
  return wait > 0 ? Math.min(wait, limits.longestRetryAfter) : 0
}
