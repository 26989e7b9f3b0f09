import { ECDH } from 'node:crypto'
import type { z } from 'zod'
import { push as limits } from '#contract/limits.ts'
import type { changeMyPush, MyPush, PushChoices, PushDevice, renewPush, subscribeToPush } from '#contract/push.ts'
import type { Database } from '../db/database.ts'
import type { PushSubscriptionRow, Tx } from '../db/schema.ts'
import { type Clock, toIso } from '../kit/clock.ts'
import { AppError } from '../kit/errors.ts'
import type { Caller } from '../kit/serve.ts'
import { idInToken, idToken } from '../kit/tokens.ts'
import { isTimeZone } from '../processing/dates/time-zones.ts'
import {
  deleteOldestSubscriptions,
  deleteSubscription,
  deleteSubscriptionOf,
  devicesOf,
  insertSubscription,
  kindsOf,
  subscriptionAt,
  subscriptionOfSession,
  updateSubscription,
} from './push.sql.ts'

export interface SubscriptionDeps {
  db: Database
  clock: Clock
  publicKey: string
  /** Of the tokens by which service workers name new addresses. */
  secret: Buffer
  trustedPushOrigin: string | undefined
}

const renewal = 'push renewal'

export async function readPush({ db, publicKey, secret }: SubscriptionDeps, caller: Caller): Promise<MyPush> {
  const rows = await devicesOf(db.query, caller.id)
  const own = rows.find(row => row.session_hash === caller.sessionId)
  return {
    public_key: publicKey,
    devices: rows.map(
      (row): PushDevice => ({
        id: row.id,
        device: row.device,
        current: row === own,
        created_at: toIso(row.created_at),
        ...choicesOf(row),
      }),
    ),
    renewal: own === undefined ? null : idToken(secret, renewal, own.id),
  }
}

/** Each session has one subscription; a person who signs in again on a device keeps what they chose. */
export async function subscribe(
  deps: SubscriptionDeps,
  caller: Caller,
  { language, time_zone, choices, ...address }: z.output<(typeof subscribeToPush)['body']>,
): Promise<void> {
  const { db, clock } = deps
  if (!isTimeZone(time_zone)) throw new AppError('invalid', 'push.timeZone')
  const checked = checkedAddress(deps, address)
  await db.transaction(async tx => {
    await db.advisoryLock(tx, 'push')
    const own = await subscriptionOfSession(tx, caller.sessionId)
    const before = own ?? (await releaseAddress(tx, caller, checked))
    const facts = { ...checked, language, time_zone, ...(choices ? columnsOf(choices) : {}) }
    if (own) {
      if (own.endpoint !== checked.endpoint) await releaseAddress(tx, caller, checked)
      const isNew = Object.entries(facts).some(([name, value]) => own[name as keyof typeof facts] !== value)
      const since = choices ? photosFrom(own, choices, clock()) : {}
      if (isNew) await updateSubscription(tx, own.id, { ...facts, ...since })
      return
    }
    const chosen = choices ?? (before?.person_id === caller.id ? choicesOf(before) : undefined)
    // A device that was removed must not come back by itself.
    if (chosen === undefined) throw new AppError('not_found', 'push.noDevice')
    await deleteOldestSubscriptions(tx, caller.id, limits.devicesPerPerson - 1)
    const at = clock()
    const device = { person_id: caller.id, session_hash: caller.sessionId, created_at: at, photos_since: at }
    await insertSubscription(tx, { ...device, ...facts, ...columnsOf(chosen) })
  })
}

/**
 * A browser keeps its address when somebody signs in again, so an earlier session may have it. Only the browser itself knows the
 * secret that belongs to it.
 */
async function releaseAddress(
  tx: Tx,
  caller: Caller,
  { endpoint, auth }: Pick<PushSubscriptionRow, 'endpoint' | 'auth'>,
): Promise<PushSubscriptionRow | undefined> {
  const found = await subscriptionAt(tx, endpoint)
  if (!found || found.session_hash === caller.sessionId) return undefined
  if (found.auth !== auth) throw new AppError('conflict', 'push.otherDevice')
  await deleteSubscription(tx, found.id)
  return found
}

/** Photos that were added while nobody wanted to know of them are not said later. */
function photosFrom(before: PushSubscriptionRow, { kinds }: PushChoices, now: number) {
  return kinds.includes('photos') && !kindsOf(before).includes('photos') ? { photos_since: now } : {}
}

type Change = z.output<(typeof changeMyPush)['body']>

export async function changePush(
  { db, clock }: SubscriptionDeps,
  caller: Caller,
  { kinds, previews, quiet }: Change,
): Promise<void> {
  await db.transaction(async tx => {
    const own = await subscriptionOfSession(tx, caller.sessionId)
    if (!own) throw new AppError('not_found', 'push.noDevice')
    const before = choicesOf(own)
    const choices = {
      kinds: kinds ?? before.kinds,
      previews: previews ?? before.previews,
      quiet: quiet === undefined ? before.quiet : quiet,
    }
    await updateSubscription(tx, own.id, { ...columnsOf(choices), ...photosFrom(own, choices, clock()) })
  })
}

export async function unsubscribe({ db }: SubscriptionDeps, caller: Caller, id: number): Promise<void> {
  const found = await db.transaction(tx => deleteSubscriptionOf(tx, caller.id, id))
  if (!found) throw new AppError('not_found', 'push.noDevice')
}

/** The browser has changed the address of a device while no page was open. */
export async function renew(
  deps: SubscriptionDeps,
  { renewal: token, ...address }: z.output<(typeof renewPush)['body']>,
): Promise<void> {
  const { db, secret } = deps
  const id = idInToken(secret, renewal, token)
  if (id === undefined) throw new AppError('not_found', 'push.noDevice')
  const checked = checkedAddress(deps, address)
  await db.transaction(async tx => {
    await db.advisoryLock(tx, 'push')
    const other = await subscriptionAt(tx, checked.endpoint)
    if (other && other.id !== id) throw new AppError('conflict', 'push.otherDevice')
    if (!(await updateSubscription(tx, id, checked))) throw new AppError('not_found', 'push.noDevice')
  })
}

type Address = Pick<PushSubscriptionRow, 'endpoint' | 'p256dh' | 'auth'>

/** Where the name of the host leads is checked each time that something is sent. */
function checkedAddress({ trustedPushOrigin }: SubscriptionDeps, { endpoint, p256dh, auth }: Address): Address {
  const url = new URL(endpoint)
  const isAllowed = url.origin === trustedPushOrigin || (url.protocol === 'https:' && url.port === '')
  if (!isAllowed) throw new AppError('invalid', 'push.endpoint')
  try {
    ECDH.convertKey(Buffer.from(p256dh, 'base64url'), 'prime256v1')
  } catch (cause) {
    throw new AppError('invalid', 'push.keys', { cause })
  }
  return { endpoint: url.href, p256dh, auth }
}

function choicesOf(row: PushSubscriptionRow): PushChoices {
  const { quiet_from: from, quiet_until: until } = row
  return {
    kinds: kindsOf(row),
    previews: row.previews === 1,
    quiet: from === null || until === null ? null : { from, until },
  }
}

function columnsOf({ kinds, previews, quiet }: PushChoices) {
  return {
    kinds: [...new Set(kinds)].join(),
    previews: previews ? 1 : 0,
    quiet_from: quiet?.from ?? null,
    quiet_until: quiet?.until ?? null,
  }
}
