import { session } from '#contract/limits.ts'
import { PushKind } from '#contract/push.ts'
import type { Role } from '#contract/role.ts'
import type { Locale } from '#messages/locales.ts'
import type { Handle, PushSubscriptionRow, Tx } from '../db/schema.ts'
import { inChunks } from '../kit/in-chunks.ts'

export function kindsOf({ kinds }: Pick<PushSubscriptionRow, 'kinds'>): PushKind[] {
  return kinds.split(',').flatMap(kind => PushKind.safeParse(kind).data ?? [])
}

/** Of people who have access, in sessions that have not expired. */
function activeSubscriptions(handle: Handle, now: number) {
  return handle
    .selectFrom('push_subscriptions as subscription')
    .innerJoin('sessions', 'sessions.token_hash', 'subscription.session_hash')
    .innerJoin('people', 'people.id', 'subscription.person_id')
    .where('people.status', '=', 'approved')
    .where('sessions.created_at', '>=', now - session.absolute)
    .where('sessions.last_used_at', '>=', now - session.idle)
}

export interface Recipient extends PushSubscriptionRow {
  role: Role
  /** That the person has chosen, for all devices. */
  chosen_language: Locale | null
}

/** As of now; undefined if nothing may be sent any more. */
export async function findRecipient(handle: Handle, id: number, now: number): Promise<Recipient | undefined> {
  return activeSubscriptions(handle, now)
    .selectAll('subscription')
    .select(['people.role', 'people.language as chosen_language'])
    .where('subscription.id', '=', id)
    .executeTakeFirst()
}

/** In the order of their ids, so that two transactions lock jobs for them in the same order. */
export async function subscriptionsOf(handle: Handle, personIds: readonly number[]) {
  const found: Pick<PushSubscriptionRow, 'id' | 'person_id' | 'kinds'>[] = []
  for (const some of inChunks(personIds)) {
    const query = handle.selectFrom('push_subscriptions').select(['id', 'person_id', 'kinds'])
    found.push(...(await query.where('person_id', 'in', some).execute()))
  }
  return found.sort((a, b) => a.id - b.id)
}

/** Those that may get notifications of photos. */
export async function subscriptionsForPhotos(handle: Handle, now: number): Promise<PushSubscriptionRow[]> {
  return activeSubscriptions(handle, now)
    .selectAll('subscription')
    .where('kinds', 'like', `%${PushKind.enum.photos}%`)
    .orderBy('subscription.id')
    .execute()
}

/** When the first and the last photo was added in a time by others than this person. */
export async function timesOfPhotos(
  handle: Handle,
  { personId, since, until }: { personId: number; since: number; until: number },
) {
  return handle
    .selectFrom('media')
    .select(({ fn }) => [fn.min('uploaded_at').as('first'), fn.max('uploaded_at').as('last')])
    .where('deleted_at', 'is', null)
    .where('uploaded_at', '>', since)
    .where('uploaded_at', '<=', until)
    .where('uploaded_by', '<>', personId)
    .executeTakeFirstOrThrow()
}

/** False if another server was first. */
export async function claimPhotos(tx: Tx, id: number, { since, until }: { since: number; until: number }) {
  const result = await tx
    .updateTable('push_subscriptions')
    .set({ photos_since: until })
    .where('id', '=', id)
    .where('photos_since', '=', since)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

export async function devicesOf(handle: Handle, personId: number) {
  return handle
    .selectFrom('push_subscriptions')
    .innerJoin('sessions', 'sessions.token_hash', 'push_subscriptions.session_hash')
    .selectAll('push_subscriptions')
    .select('sessions.device')
    .where('push_subscriptions.person_id', '=', personId)
    .orderBy('push_subscriptions.id', 'desc')
    .execute()
}

export async function subscriptionOfSession(
  handle: Handle,
  sessionHash: string,
): Promise<PushSubscriptionRow | undefined> {
  return handle.selectFrom('push_subscriptions').selectAll().where('session_hash', '=', sessionHash).executeTakeFirst()
}

export async function subscriptionAt(handle: Handle, endpoint: string): Promise<PushSubscriptionRow | undefined> {
  return handle.selectFrom('push_subscriptions').selectAll().where('endpoint', '=', endpoint).executeTakeFirst()
}

export async function insertSubscription(tx: Tx, row: Omit<PushSubscriptionRow, 'id'>): Promise<void> {
  await tx.insertInto('push_subscriptions').values(row).execute()
}

/** False if there is none with this id. */
export async function updateSubscription(
  tx: Tx,
  id: number,
  change: Partial<Omit<PushSubscriptionRow, 'id'>>,
): Promise<boolean> {
  const result = await tx.updateTable('push_subscriptions').set(change).where('id', '=', id).executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** The oldest ones of a person above this number. */
export async function deleteOldestSubscriptions(tx: Tx, personId: number, kept: number): Promise<void> {
  const all = await tx
    .selectFrom('push_subscriptions')
    .select('id')
    .where('person_id', '=', personId)
    .orderBy('id', 'desc')
    .execute()
  const ids = all.slice(kept).map(({ id }) => id)
  if (ids.length > 0) await tx.deleteFrom('push_subscriptions').where('id', 'in', ids).execute()
}

export async function deleteSubscription(handle: Handle, id: number): Promise<void> {
  await handle.deleteFrom('push_subscriptions').where('id', '=', id).execute()
}

/** Only if it still has this address: a new one must not go with the old one. */
export async function deleteDeadSubscription(
  handle: Handle,
  { id, endpoint }: Pick<PushSubscriptionRow, 'id' | 'endpoint'>,
): Promise<void> {
  await handle.deleteFrom('push_subscriptions').where('id', '=', id).where('endpoint', '=', endpoint).execute()
}

/** False if the person has no such device. */
export async function deleteSubscriptionOf(tx: Tx, personId: number, id: number): Promise<boolean> {
  const query = tx.deleteFrom('push_subscriptions').where('id', '=', id).where('person_id', '=', personId)
  return (await query.executeTakeFirst()).numDeletedRows > 0n
}

export async function deleteSubscriptionsOf(tx: Tx, personId: number): Promise<void> {
  await tx.deleteFrom('push_subscriptions').where('person_id', '=', personId).execute()
}
